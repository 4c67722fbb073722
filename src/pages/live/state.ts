import type {
  LiveCue,
  LiveGraphic,
  LiveMatch,
  LiveMessage,
  LiveOverlay,
  LivePictureProblem,
  LiveRenderer,
  LiveUndo,
} from '../../realtime/followers/live-protocol.ts'

type PayloadOf<Type extends LiveMessage['type']> = Extract<LiveMessage, { type: Type }>['payload']

export type LivePlan = PayloadOf<'PLAN'>

/** A command that is carried out at its time. */
export type LiveScheduled = PayloadOf<'SNAPSHOT'>['scheduled'][number]

/** How far the rundown has come. */
export type LiveRundown = PayloadOf<'SNAPSHOT'>['rundown']

/** One command that took effect, as the server told it. */
export type LiveChange = PayloadOf<'CHANGE'>

/** The server's messages about an overlay, folded. Everything is committed truth; nothing is guessed. */
export type LiveState = {
  /** Resumes after this; undefined before the first message. */
  cursor: string | undefined
  seq: number
  overlay: LiveOverlay | undefined
  /** By graphicId. */
  onAir: ReadonlyMap<string, LiveGraphic>
  /** What is called on air is only what would be. */
  rehearsal: boolean
  /** What a take puts on air, by graphicId, in the order of the cues. */
  preview: ReadonlyMap<string, LiveCue>
  /** The next first. */
  scheduled: readonly LiveScheduled[]
  /** What an undo would do, until its time is up; null: nothing, or it is not known. */
  undo: LiveUndo | null
  renderers: readonly LiveRenderer[]
  /** What pictures beside the air say to be wrong. */
  pictureProblems: readonly LivePictureProblem[]
  match: LiveMatch | null
  rundown: LiveRundown
  /** The state of the game plan; undefined until the server told it. */
  plan: LivePlan | undefined
  /** Rises when the control room as read is out of date: read it again. */
  roomRevision: number
  /** The newest command that took effect while this page was looking; refreshes of data are none. */
  lastChange: LiveChange | undefined
  /** The last change and those before it, newest first. */
  changes: readonly LiveChange[]
}

const CHANGES_KEPT = 12

const NOT_BEGUN: LiveRundown = { cuedId: null, takenId: null }

export const nothingYet: LiveState = {
  cursor: undefined,
  seq: 0,
  overlay: undefined,
  onAir: new Map(),
  rehearsal: false,
  preview: new Map(),
  scheduled: [],
  undo: null,
  renderers: [],
  pictureProblems: [],
  match: null,
  rundown: NOT_BEGUN,
  plan: undefined,
  roomRevision: 0,
  lastChange: undefined,
  changes: [],
}

/** The state after one message. */
export function told(state: LiveState, { type, payload }: LiveMessage): LiveState {
  switch (type) {
    case 'SNAPSHOT': {
      // a server of a release before does not tell all of it
      const { cursor, seq, overlay, renderers, match, scheduled = [], rehearsal = false, rundown = NOT_BEGUN } = payload
      const onAir = new Map(payload.onAir.map((graphic) => [graphic.graphicId, graphic]))
      const preview = new Map((payload.preview ?? []).map((cue) => [cue.graphicId, cue]))
      const roomRevision = state.roomRevision + 1
      const beside = { preview, scheduled, undo: null, pictureProblems: [], rehearsal, rundown }
      return { ...state, ...beside, cursor, seq, overlay, onAir, renderers, match, roomRevision }
    }
    case 'CHANGE':
      return changed(state, payload)
    case 'PAINTED':
      return painted(state, payload)
    case 'NAMES':
      return named(state, payload)
    case 'RENDERERS':
      return { ...state, renderers: payload.renderers }
    case 'PICTURES':
      return { ...state, pictureProblems: payload.problems }
    case 'MATCH':
      return { ...state, match: payload.match }
    case 'OVERLAY': {
      const moved = state.overlay?.controlRoomId !== payload.overlay.controlRoomId
      return { ...state, overlay: payload.overlay, roomRevision: state.roomRevision + (moved ? 1 : 0) }
    }
    case 'UNDO':
      return { ...state, undo: payload.undo }
    case 'PLAN':
      return { ...state, plan: payload }
    case 'ROOM':
      return { ...state, roomRevision: state.roomRevision + 1 }
    case 'PULSE':
      return state
  }
}

function changed(state: LiveState, change: LiveChange): LiveState {
  const { cursor, seq } = change
  if (change.action === 'refresh') return { ...state, cursor, seq }
  const onAir = new Map(state.onAir)
  for (const { graphicId } of change.hidden) onAir.delete(graphicId)
  for (const graphic of change.shown)
    onAir.set(graphic.graphicId, withNames(graphic, stillCalled(state.onAir.get(graphic.graphicId), graphic)))
  const changes = [change, ...state.changes].slice(0, CHANGES_KEPT)
  // what can be undone follows; what was told is of before
  const undo = change.shown.length + change.hidden.length > 0 ? null : state.undo
  const { rehearsal = state.rehearsal, rundown = state.rundown } = change
  return {
    ...state,
    ...beside(state, change),
    cursor,
    seq,
    onAir,
    undo,
    rehearsal,
    rundown,
    lastChange: change,
    changes,
  }
}

/** Preview and schedule after a command. */
function beside({ preview, scheduled }: LiveState, change: LiveChange): Pick<LiveState, 'preview' | 'scheduled'> {
  const { cued = [], uncued = [], unscheduled = [] } = change
  const cues = new Map(preview)
  for (const { graphicId } of [...uncued, ...cued]) cues.delete(graphicId)
  for (const cue of cued) cues.set(cue.graphicId, cue)
  const over = new Set(unscheduled.map(({ id }) => id))
  const planned = [...scheduled.filter(({ id }) => !over.has(id)), ...(change.scheduled ?? [])]
  planned.sort((one, other) => Date.parse(one.at) - Date.parse(other.at) || one.id - other.id)
  return { preview: cues, scheduled: planned }
}

/** A report about an older showing than the one that is known now says nothing. */
function painted(state: LiveState, { graphics }: PayloadOf<'PAINTED'>): LiveState {
  const onAir = new Map(state.onAir)
  for (const report of graphics) {
    const graphic = onAir.get(report.graphicId)
    if (graphic?.seq === report.seq) onAir.set(report.graphicId, { ...graphic, painted: report.painted })
  }
  return { ...state, onAir }
}

type Names = NonNullable<LiveGraphic['names']>

function named(state: LiveState, { graphics }: PayloadOf<'NAMES'>): LiveState {
  const onAir = new Map(state.onAir)
  for (const { graphicId, seq, names } of graphics) {
    const graphic = onAir.get(graphicId)
    if (graphic?.seq === seq) onAir.set(graphicId, withNames(graphic, names))
  }
  return { ...state, onAir }
}

function withNames({ names: _, ...graphic }: LiveGraphic, names: Names): LiveGraphic {
  return Object.keys(names).length > 0 ? { ...graphic, names } : graphic
}

/** Names of values that a change left as they were: the new ones follow it, and nobody shall see an id until then. */
function stillCalled(before: LiveGraphic | undefined, { variableValues }: LiveGraphic): Names {
  const kept = Object.entries(before?.names ?? {}).filter(
    ([variable]) => before?.variableValues[variable] === variableValues[variable],
  )
  return Object.fromEntries(kept)
}
