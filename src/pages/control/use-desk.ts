import { useCallback, useMemo, useState } from 'react'
import type { Live } from '../live/follow.ts'
import { type Desk, targetOf } from './desk.ts'
import { NO_DRAFT, overrides, sent, unsent, valuesOf } from './drafts.ts'
import { keysOf } from './keys.ts'
import type { Preset, Room } from './model.ts'
import { useCommands } from './use-commands.ts'
import { useDrafts } from './use-drafts.ts'
import { useMemories } from './use-memories.ts'
import { useRenewed } from './use-renewed.ts'
import { useChoices } from './use-room.ts'

/** Beside the desk, whether the values of the selected preset were asked for, where there is no place for them all the time. */
export type Placed = { desk: Desk; valuesOpen: boolean; closeValues(): void }

export function useDesk(live: Live, room: Room): Placed {
  const { outcomes, send, dismiss } = useCommands()
  const { drafts, change } = useDrafts(room.overlay.id)
  const choices = useChoices(live.match)
  const delayMs = (live.overlay?.encodingDelay ?? room.overlay.encodingDelay) * 1_000
  const memories = useMemories(live.onAir, delayMs, live.serverOffsetMs)
  const [chosen, setChosen] = useState<number>()
  const [valuesOpen, setValuesOpen] = useState(false)
  const selected = (room.presets.find(({ id }) => id === chosen) ?? room.presets[0])?.id
  const shownOf = useRenewed(room, live.onAir)
  const keys = useMemo(() => keysOf(room.presets.map(({ id }) => id)), [room])

  const fire = (preset: Preset) => {
    setChosen(preset.id)
    const target = targetOf.preset(preset.id)
    if (preset.problem !== null) return
    const draft = drafts.get(preset.id) ?? NO_DRAFT
    const shown = shownOf(preset)
    if (shown && unsent(preset, draft, shown).length === 0) return
    const values = valuesOf(preset, draft, shown?.base)
    const command = { action: shown ? 'update' : 'show', presetId: preset.id } as const
    const variableValues = overrides(preset, values)
    void send(target, { ...command, variableValues }, preset.graphicId).then((done) => {
      if (done) change(preset.id, (now) => sent(now, values))
    })
  }
  const hide = (target: string, graphicId: string) => void send(target, { action: 'hide', graphicId }, graphicId)
  const hideAll = (sectionId?: string) => {
    if (sectionId === undefined) void send(targetOf.all, { action: 'hideAll' })
    else void send(targetOf.section(sectionId), { action: 'hideAll', sectionId })
  }
  const openValues = useCallback((presetId: number) => {
    setChosen(presetId)
    setValuesOpen(true)
    // it is there with the next paint
    requestAnimationFrame(() => document.querySelector<HTMLElement>('#values [data-first]')?.focus())
  }, [])

  const desk: Desk = {
    live,
    room,
    choices,
    memories,
    delayMs,
    keys,
    selected,
    select: setChosen,
    openValues,
    draftOf: (presetId) => drafts.get(presetId) ?? NO_DRAFT,
    shownOf,
    changeDraft: change,
    fire,
    hide,
    hideAll,
    outcomes,
    dismiss,
  }
  return { desk, valuesOpen, closeValues: () => setValuesOpen(false) }
}
