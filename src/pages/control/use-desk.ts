import { useMemo, useState } from 'react'
import type { Live } from '../live/follow.ts'
import { type Desk, type Mode, type Shown, type Side, targetOf } from './desk.ts'
import { NO_DRAFT, overrides, sent, unsent, valuesOf } from './drafts.ts'
import { keysOf } from './keys.ts'
import type { Preset, Room } from './model.ts'
import { useCommands } from './use-commands.ts'
import { useDrafts } from './use-drafts.ts'
import { useMemories } from './use-memories.ts'
import { usePlan } from './use-plan.ts'
import { usePreview } from './use-preview.ts'
import { useRenewed } from './use-renewed.ts'
import { useChoices } from './use-room.ts'
import { useRundown } from './use-rundown.ts'
import { useStoredText } from './use-stored.ts'

export function useDesk(live: Live, room: Room): Desk {
  const { outcomes, send, dismiss } = useCommands()
  const { drafts, change } = useDrafts(room.overlay.id)
  const choices = useChoices(live.match)
  // a rehearsal is shown at once
  const delayMs = live.rehearsal ? 0 : (live.overlay?.encodingDelay ?? room.overlay.encodingDelay) * 1_000
  const memories = useMemories(live.onAir, delayMs, live.serverOffsetMs)
  const [chosen, setChosen] = useState<number>()
  const selected = (room.presets.find(({ id }) => id === chosen) ?? room.presets[0])?.id
  const shownOf = useRenewed(room, live.onAir)
  const keys = useMemo(() => keysOf(room.presets.map(({ id }) => id)), [room])

  const [chosenMode, setMode] = useStoredText(`tally.mode.${room.room?.id ?? 0}`)
  const mode: Mode =
    chosenMode === 'direct' || chosenMode === 'preview' ? chosenMode : (room.room?.defaultMode ?? 'direct')
  const preview = usePreview(live, send, { drafts, change, shownOf })

  const show = (preset: Preset) => {
    const target = targetOf.preset(preset.id)
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
  const press = (preset: Preset, cuts: boolean) => {
    setChosen(preset.id)
    preview.setCutNext(false)
    if (preset.problem !== null) return
    if (!cuts) preview.cue(preset)
    else if (!preview.cutCued(preset)) show(preset)
  }
  const hide = (target: string, graphicId: string) => void send(target, { action: 'hide', graphicId }, graphicId)
  const step = (target: string, presetId: number, delta: number) =>
    void send(target, { action: 'step', presetId, delta }, target)
  const act = (target: string, presetId: number, customActionId: string, payload?: unknown) =>
    void send(target, { action: 'custom', presetId, customActionId, ...(payload !== undefined && { payload }) }, target)
  const hideAll = (sectionId?: string) => {
    if (sectionId === undefined) void send(targetOf.all, { action: 'hideAll' })
    else void send(targetOf.section(sectionId), { action: 'hideAll', sectionId })
  }
  const plan = usePlan(live, room, send)
  const rundown = useRundown(live, room, send)
  const side = useSide(plan?.isOn ? 'plan' : 'values')
  const openValues = (presetId: number) => {
    setChosen(presetId)
    side.show('values')
    focusSoon('#values [data-first]')
  }
  const openPlan = (what: Exclude<Shown, 'values'>) => {
    side.show(what)
    // a field would keep the keys of the show for itself
    focusSoon('.side-content[data-state="active"] :is(.plan-layers button, .plan-rules button, .schedule)')
  }

  return {
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
    mode,
    setMode,
    cueOf: preview.cueOf,
    // in direct mode a press is about the air alone
    aimOf: mode === 'preview' ? preview.aimOf : shownOf,
    fire(preset) {
      if (mode === 'preview') return press(preset, preview.cutNext)
      setChosen(preset.id)
      if (preset.problem === null) show(preset)
    },
    cut: (preset) => press(preset, true),
    cutNext: preview.cutNext,
    setCutNext: preview.setCutNext,
    uncue: preview.uncue,
    take: preview.take,
    undo: preview.undo,
    schedule: preview.plan,
    unschedule: preview.unplan,
    hide,
    step,
    act,
    hideAll,
    rehearse: (on) => void send(targetOf.rehearsal, { action: 'rehearse', rehearsal: on }),
    plan,
    rundown,
    side,
    openPlan,
    outcomes,
    dismiss,
  }
}

/** The element is there with the next paint. */
const focusSoon = (selector: string) =>
  requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus())

/** `first`: what is looked at until somebody wants something else. */
function useSide(first: Shown): Side {
  const [shows, setShows] = useState(first)
  const [isOpen, setIsOpen] = useState(false)
  return {
    shows,
    isOpen,
    show(what) {
      setShows(what)
      setIsOpen(true)
    },
    close: () => setIsOpen(false),
  }
}
