import { useEffect, useRef, useState } from 'react'
import type { LiveGraphic } from '../../realtime/followers/live-protocol.ts'
import { onAirAs } from './desk.ts'
import type { Preset, Room, Values } from './model.ts'

/** Stored values of a preset that somebody changed while it was on air with this seq. */
type Renewed = { seq: number; names: readonly string[] }

/**
 * The graphic of a preset on air, or undefined: its values as a press would leave them if none had been set here. Those are the
 * values on air, but for changes of the preset itself since it was shown.
 */
export function useRenewed(room: Room, onAir: ReadonlyMap<string, LiveGraphic>) {
  const [renewed, setRenewed] = useState<ReadonlyMap<number, Renewed>>(new Map())
  const before = useRef(room)
  useEffect(() => {
    const known = new Map(before.current.presets.map((preset) => [preset.id, preset]))
    before.current = room
    setRenewed((list) => {
      const next = new Map(list)
      for (const preset of room.presets) {
        const graphic = onAirAs(preset, onAir)
        const old = known.get(preset.id)
        if (!graphic || !old) next.delete(preset.id)
        else {
          const kept = next.get(preset.id)
          const names = new Set([...(kept?.seq === graphic.seq ? kept.names : []), ...changedNames(old, preset)])
          next.set(preset.id, { seq: graphic.seq, names: [...names] })
        }
      }
      return next
    })
  }, [room, onAir])

  return (preset: Preset): { graphic: LiveGraphic; base: Values } | undefined => {
    const graphic = onAirAs(preset, onAir)
    if (!graphic) return undefined
    const found = renewed.get(preset.id)
    const names = found?.seq === graphic.seq ? found.names : []
    const stored = names.map((name) => [name, preset.variableValues[name] ?? null] as const)
    return { graphic, base: { ...graphic.variableValues, ...Object.fromEntries(stored) } }
  }
}

function changedNames(before: Preset, after: Preset): string[] {
  const names = new Set([...Object.keys(before.variableValues), ...Object.keys(after.variableValues)])
  return [...names].filter((name) => (before.variableValues[name] ?? null) !== (after.variableValues[name] ?? null))
}
