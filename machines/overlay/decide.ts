import { changedAt, goTo, hidden, namesakeOf, setAt, show, updated } from './changes.ts'
import {
  type CustomAction,
  fold,
  isAside,
  type Outcome,
  type OverlayAside,
  type OverlayEvent,
  type OverlayFact,
} from './events.ts'
import { decideInstance, type InstanceCommand } from './instances.ts'
import {
  type Ads,
  type OnAir,
  type Overlay,
  offAfterMs,
  type RundownItem,
  type RundownPosition,
  type Scheduled,
  type Shown,
  staged,
  type Values,
} from './model.ts'

/** What a command does to one graphic; those of a batch are of these. */
export type GraphicChange =
  | { type: 'show'; graphic: Shown }
  | {
      type: 'update'
      graphicId: string
      presetId: number
      sectionId: string
      values: Values
      stays?: true
      ads?: Ads
    }
  | { type: 'hide'; graphicId: string }
  /** Of an OGraf graphic: to a step, or by so many. Beyond the last one it is off air; before the first one there is none. */
  | { type: 'step'; graphicId: string; goto: number }
  | { type: 'step'; graphicId: string; delta: number }
  | { type: 'cue'; graphic: Shown }
  /** Without a preset all. */
  | { type: 'uncue'; presetId?: number }

/** Without a preset all that is on preview. `values`: those that go on air instead of those that were cued, by graphicId. */
export type Take = {
  type: 'take'
  presetId?: number
  durationSeconds?: number
  values?: Readonly<Record<string, Values>>
}

/** A graphic as it was. `loadSeq`: of the show that it was on air by; `leftMs`: what is left of its time, when it has one. */
export type Before = { graphic: Shown; loadSeq: number; leftMs?: number }

/** A command before the host has numbered it. */
export type Unnumbered =
  | GraphicChange
  | Take
  | { type: 'custom'; graphicId: string; customAction: CustomAction }
  /** Of the OGraf Server API. */
  | ({ type: 'instance' } & InstanceCommand)
  /** `scheduled`: off preview and off the schedule, too. */
  | { type: 'hideAll'; sectionId?: string; scheduled?: true }
  | { type: 'batch'; commands: readonly GraphicChange[] }
  /** Takes graphics off, by id, and puts others back. */
  | { type: 'undo'; off: readonly string[]; back: readonly Before[] }
  | { type: 'schedule'; scheduled: Omit<Scheduled, 'id'>; inMs: number }
  | { type: 'unschedule'; id: number }
  /** The time of a scheduled command has come: what it means now, or why it is not carried out. */
  | { type: 'perform'; id: number; command: GraphicChange | Take }
  | { type: 'drop'; id: number; outcome: 'missed' | 'refused'; reason: string }
  /** `take`: what the rundown has on preview goes on air. `cue`: the item that comes there, null when none is left. */
  | { type: 'moveRundown'; take: Take | null; cue: { graphic: Shown; item: RundownItem } | null; index: number }
  | { type: 'refresh'; revisions: Record<string, number> }
  /** Begins a rehearsal, or ends it: what it left on preview, on the schedule and where air would be goes. */
  | { type: 'rehearse'; on: boolean }

/** Commands carry the seq that the host will commit them under. `skipAnimation`: nobody wants to see the way there. */
export type OverlayCommand = { seq: number; skipAnimation?: true } & Unnumbered

/** The time of a graphic is up, or that of a scheduled command has come. */
export type OverlayTimer = { type: 'autoHide'; graphicId: string } | { type: 'due'; id: number }

/** What a command means now, as facts. No facts: nothing changes. */
export function decide(overlay: Overlay, command: OverlayCommand | OverlayTimer): OverlayFact[] {
  if (command.type === 'rehearse') return rehearse(overlay, command)
  const facts = meaning(staged(overlay), command)
  const told = 'skipAnimation' in command && command.skipAnimation ? facts.map(atOnce) : facts
  return overlay.rehearsal === undefined ? told : told.map(rehearsed)
}

const atOnce = (fact: OverlayFact): OverlayFact =>
  isAir(fact) && fact.type !== 'data.refreshed' ? { ...fact, skipAnimation: true } : fact

const rehearsed = (fact: OverlayFact): OverlayFact => (isAir(fact) ? { type: 'rehearsed', fact } : fact)
const isAir = (fact: OverlayFact): fact is OverlayEvent => !isAside(fact)

function rehearse(overlay: Overlay, { on, seq }: { on: boolean; seq: number }): OverlayFact[] {
  const { rehearsal, preview = {}, schedule = {}, rundown } = overlay
  if (on) return rehearsal ? [] : [{ type: 'rehearsal.begun', seq, ...(rundown && { rundown }) }]
  if (!rehearsal) return []
  const isOf = (madeAt: number) => madeAt > rehearsal.since
  return [
    // first, as the log of the overlay tells it
    { type: 'rehearsal.ended' },
    ...hideAll(staged(overlay), undefined).map(rehearsed),
    ...Object.values(preview).flatMap((cued) => (isOf(cued.seq) ? uncued(cued) : [])),
    ...Object.values(schedule).flatMap(({ id }) => (isOf(id) ? unscheduled(overlay, id, 'removed') : [])),
    // the show begins where it was before
    ...(rundown ? [{ type: 'rundown.moved' as const, position: rehearsal.rundown ?? NOT_BEGUN }] : []),
  ]
}

const NOT_BEGUN: RundownPosition = { cued: null, taken: null, index: 0 }

function meaning(
  overlay: Overlay,
  command: Exclude<OverlayCommand, { type: 'rehearse' }> | OverlayTimer,
): OverlayFact[] {
  switch (command.type) {
    case 'autoHide': {
      const onAir = overlay.graphics[command.graphicId]
      return onAir === undefined || offAfterMs(onAir) === undefined ? [] : [hidden(onAir)]
    }
    case 'due':
      // what it means is looked up first, and comes as `perform` or `drop`
      return []
    case 'hideAll':
      return [...hideAll(overlay, command.sectionId), ...(command.scheduled ? cleared(overlay) : [])]
    case 'refresh':
      // what is on preview shows the same data
      return Object.keys(overlay.graphics).length > 0 || overlay.preview
        ? [{ type: 'data.refreshed', seq: command.seq, revisions: command.revisions }]
        : []
    case 'take':
      return take(overlay, command, command.seq)
    case 'batch':
      return together(overlay, command.commands, command.seq)
    case 'undo':
      return goBack(overlay, command, command.seq)
    case 'custom': {
      const onAir = overlay.graphics[command.graphicId]
      if (!onAir) return []
      return [{ ...updated(onAir, changedAt(onAir, command.seq)), customAction: command.customAction }]
    }
    case 'instance':
      return decideInstance(overlay, command, command.seq)
    case 'schedule': {
      const scheduled = { id: command.seq, ...command.scheduled }
      return [{ type: 'command.scheduled', ...namesOf(scheduled), scheduled }]
    }
    case 'unschedule':
      return unscheduled(overlay, command.id, 'removed')
    case 'drop':
      return unscheduled(overlay, command.id, command.outcome, command.reason)
    case 'perform': {
      const over = unscheduled(overlay, command.id, 'done')
      // removed meanwhile
      if (over.length === 0) return []
      const { command: due } = command
      const facts = due.type === 'take' ? take(overlay, due, command.seq) : change(overlay, due, command.seq)
      return [...facts, ...over]
    }
    case 'moveRundown':
      return moveRundown(overlay, command, command.seq)
    default:
      return change(overlay, command, command.seq)
  }
}

function change(overlay: Overlay, command: GraphicChange, seq: number): OverlayFact[] {
  switch (command.type) {
    case 'show':
      return show(overlay, command.graphic, seq)
    case 'update': {
      const onAir = overlay.graphics[command.graphicId]
      if (!onAir) return []
      const { presetId, sectionId, values, ads } = command
      const before = command.stays ? staying(onAir) : onAir
      const graphic = { ...changedAt(before, seq), presetId, sectionId, values }
      return [updated(onAir, ads || onAir.ads ? { ...graphic, ads: ads ?? {} } : graphic)]
    }
    case 'hide': {
      const onAir = overlay.graphics[command.graphicId]
      return onAir ? [hidden(onAir)] : []
    }
    case 'step': {
      const onAir = overlay.graphics[command.graphicId]
      return onAir?.ograf ? goTo(onAir, onAir.ograf, command, seq) : []
    }
    case 'cue': {
      const { graphic } = command
      const namesake = namesakeOf(graphic, overlay.preview)
      const cued: OverlayAside = { type: 'graphic.cued', graphic: { loadSeq: seq, seq, ...graphic } }
      return namesake ? [uncued(namesake), cued] : [cued]
    }
    case 'uncue':
      return onPreview(overlay, command.presetId).map(uncued)
  }
}

function hideAll(overlay: Overlay, section: string | undefined): OverlayEvent[] {
  return Object.values(overlay.graphics)
    .filter(({ sectionId }) => section === undefined || sectionId === section)
    .map(hidden)
}

/** Nothing is on preview, and nothing is scheduled. */
const cleared = (overlay: Overlay): OverlayAside[] => [
  ...onPreview(overlay).map(uncued),
  ...Object.values(overlay.schedule ?? {}).flatMap(({ id }) => unscheduled(overlay, id, 'removed')),
]

/** What is on preview goes on air as it was cued. */
function take(overlay: Overlay, { presetId, durationSeconds, values = {} }: Take, seq: number): OverlayFact[] {
  const cues = onPreview(overlay, presetId)
  const { off, moved } = takenOfRundown(overlay, cues)
  const left = off.reduce(fold, overlay)
  const shown = cues.flatMap((cued) => {
    const graphic = { ...asShown(cued), values: values[cued.graphicId] ?? cued.values }
    return show(left, durationSeconds === undefined ? graphic : { ...graphic, durationSeconds }, seq)
  })
  return [...off, ...shown, ...cues.map(uncued), ...moved]
}

/** The rundown goes on when its item is taken, by whatever hand; one that was to be on air until then goes off. */
function takenOfRundown(
  { rundown, graphics }: Overlay,
  cues: readonly OnAir[],
): { off: OverlayEvent[]; moved: OverlayAside[] } {
  const { cued = null, taken = null, index = 0 } = rundown ?? {}
  const own = cued && cues.find(({ presetId }) => presetId === cued.presetId)
  if (!cued || !own) return { off: [], moved: [] }
  const before = taken?.untilNext ? graphics[taken.graphicId] : undefined
  const isOver = before?.presetId === taken?.presetId && !cues.some(({ graphicId }) => graphicId === before?.graphicId)
  return {
    off: before && isOver ? [hidden(before)] : [],
    moved: [
      {
        type: 'rundown.moved',
        position: { cued: null, taken: { ...cued, graphicId: own.graphicId }, index: index + 1 },
      },
    ],
  }
}

type MoveRundown = Extract<Unnumbered, { type: 'moveRundown' }>

/** The item that the rundown has on preview goes on air, or off preview, and another item comes on preview. */
function moveRundown(overlay: Overlay, { take: taking, cue, index }: MoveRundown, seq: number): OverlayFact[] {
  const taken = taking ? take(overlay, taking, seq) : []
  const after = taken.reduce(fold, overlay)
  const { cued: before } = after.rundown ?? {}
  const replaced = before ? onPreview(after, before.presetId) : []
  const off = replaced.filter(({ graphicId }) => graphicId !== cue?.graphic.graphicId).map(uncued)
  const cues = cue ? change(off.reduce(fold, after), { type: 'cue', graphic: cue.graphic }, seq) : []
  return [
    // one word on where it is now
    ...taken.filter(({ type }) => type !== 'rundown.moved'),
    ...off,
    ...cues,
    { type: 'rundown.moved', position: { cued: cue?.item ?? null, taken: after.rundown?.taken ?? null, index } },
  ]
}

/** One command after the other, and of each graphic what that makes of it: renderers get one frame of a graphic for a seq. */
function together(overlay: Overlay, commands: readonly GraphicChange[], seq: number): OverlayFact[] {
  let after = overlay
  const order: string[] = []
  for (const command of commands) {
    after = change(after, command, seq).reduce(fold, after)
    if (command.type === 'show') order.push(command.graphic.graphicId)
  }
  const gone = Object.values(overlay.graphics).filter(({ graphicId }) => !after.graphics[graphicId])
  const changed = Object.values(after.graphics).filter((graphic) => graphic !== overlay.graphics[graphic.graphicId])
  // the last one shown lies on top
  changed.sort((one, other) => order.lastIndexOf(one.graphicId) - order.lastIndexOf(other.graphicId))
  const facts = changed.map((graphic): OverlayFact => {
    const before = overlay.graphics[graphic.graphicId]
    if (before && graphic.loadSeq !== seq) return updated(before, graphic)
    return { type: 'graphic.shown', graphic, ...(before && { was: setAt(before) }) }
  })
  const before = overlay.preview ?? {}
  const preview = after.preview ?? {}
  const off = Object.values(before).filter(({ graphicId }) => !preview[graphicId])
  const cues = Object.values(preview).filter((graphic) => graphic !== before[graphic.graphicId])
  return [
    ...gone.map(hidden),
    ...facts,
    ...off.map(uncued),
    ...cues.map((graphic): OverlayFact => ({ type: 'graphic.cued', graphic })),
  ]
}

function goBack(
  overlay: Overlay,
  { off, back }: { off: readonly string[]; back: readonly Before[] },
  seq: number,
): OverlayEvent[] {
  const gone = off.flatMap((graphicId) => overlay.graphics[graphicId] ?? []).map(hidden)
  const left = gone.reduce(fold, overlay)
  const facts = back.flatMap(({ graphic, loadSeq }) => {
    const onAir = left.graphics[graphic.graphicId]
    // it was only changed: what is on screen changes back, and nothing comes in anew
    return onAir?.loadSeq === loadSeq ? updated(onAir, { loadSeq, seq, ...graphic }) : show(left, graphic, seq)
  })
  return [...gone, ...facts]
}

function unscheduled(overlay: Overlay, id: number, outcome: Outcome, reason?: string): OverlayAside[] {
  const scheduled = overlay.schedule?.[id]
  if (!scheduled) return []
  const fact = { type: 'command.unscheduled', id, outcome, ...namesOf(scheduled) } as const
  return [reason === undefined ? fact : { ...fact, reason }]
}

const namesOf = ({ presetId, graphicId, graphicName }: Omit<Scheduled, 'id'>) => ({
  presetId,
  ...(graphicId !== undefined && { graphicId }),
  ...(graphicName !== undefined && { graphicName }),
})

/** In the order of their cues. */
export function onPreview({ preview }: Overlay, presetId?: number): OnAir[] {
  if (!preview) return []
  const cues = Object.values(preview).filter((cued) => presetId === undefined || cued.presetId === presetId)
  return cues.sort((one, other) => one.seq - other.seq)
}

const uncued = ({ graphicId, graphicName, presetId, sectionId }: OnAir): OverlayAside => ({
  type: 'graphic.uncued',
  graphicId,
  graphicName,
  presetId,
  sectionId,
})

/** As a command shows it. */
export function asShown({ loadSeq: _load, seq: _seq, setSeq: _set, ...shown }: OnAir): Shown {
  return shown
}

/** The graphic stays on air; its time and the play of the game plan that showed it do not take it off any more. */
function staying({ durationSeconds: _over, play: _play, ...onAir }: OnAir): OnAir {
  return onAir
}
