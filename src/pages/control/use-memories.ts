import { useEffect, useState } from 'react'
import { type Memory, remember } from '../../realtime/followers/air.ts'
import type { LiveGraphic } from '../../realtime/followers/live-protocol.ts'
import { localNow } from '../shared/server-time.ts'

/** A graphic that was taken off air and, since the overlay is delayed, is still on screen until then (server's time). */
export type Leaving = { presetId: number; until: number }

export type Memories = { shown: ReadonlyMap<string, Memory>; leaving: ReadonlyMap<string, Leaving> }

const NOTHING: Memories = { shown: new Map(), leaving: new Map() }

/** The memories of the graphics on air that one message does not carry, by graphicId. */
export function useMemories(
  onAir: ReadonlyMap<string, LiveGraphic>,
  delayMs: number,
  serverOffsetMs: number,
): Memories {
  const [state, setState] = useState({ ...NOTHING, onAir })
  useEffect(() => {
    const now = localNow() + serverOffsetMs
    setState((before) => {
      if (before.onAir === onAir && before.shown.size === onAir.size) return before
      const shown = new Map<string, Memory>()
      for (const [id, graphic] of onAir) shown.set(id, remember(before.shown.get(id), graphic, now))
      const leaving = new Map<string, Leaving>()
      for (const [id, one] of before.leaving) if (one.until > now && !onAir.has(id)) leaving.set(id, one)
      if (delayMs > 0)
        for (const [id, { presetId }] of before.onAir)
          if (!onAir.has(id)) leaving.set(id, { presetId, until: now + delayMs })
      return { shown, leaving, onAir }
    })
  }, [onAir, delayMs, serverOffsetMs])
  return state
}
