import { assign, cancel, emit, enqueueActions, raise, setup } from 'xstate'
import { type Decided, decided } from './decided.ts'

/** When the stream starts and stops by itself, in ms since 1970. */
export type Schedule = {
  startAt: number
  /** Null while the match is being played: its end is not known yet. */
  stopAt: number | null
}

export type Automation = Schedule & {
  /** The start was made, or undone by hand after its time: it is not made again. */
  used: boolean
}

export type Stream = {
  phase: 'stopped' | 'starting' | 'running' | 'stopping'
  /** Rises with every start; what is observed of an earlier run is ignored. */
  run: number
  /** Whether the burned-in graphics are kept out of the picture. */
  overlayHidden: boolean
  /** Goes live with every destination as soon as it runs. */
  liveOnceRunning: boolean
  /** Destinations that are wanted to publish, by id. Empty unless running. */
  publishing: readonly number[]
  /** ISO 8601; null unless running. */
  startedAt: string | null
  liveAt: string | null
  /** What went wrong last, for people; null when the latest start went well. */
  error: string | null
  automation: Automation | null
}

/** Commands carry the seq that the host will commit them under. `at` is ISO 8601. */
export type StreamCommand = { seq: number } & (
  | { type: 'start'; at: string; overlayHidden?: boolean }
  | { type: 'stop'; at: string }
  | { type: 'goLive'; at: string; destinationIds: readonly number[] }
  | { type: 'publish'; destinationIds: readonly number[] }
  | { type: 'unpublish'; destinationIds: readonly number[] }
  | { type: 'setOverlayHidden'; hidden: boolean }
  /** `startInMs` and `stopInMs` are the same instants seen from now; 0 or less is overdue. */
  | { type: 'automate'; schedule: Schedule; startInMs: number; stopInMs: number | null }
  | { type: 'stopAutomating' }
  /** Observed: the program of this run is there. `linked`: every destination of the stream. */
  | { type: 'started'; run: number; at: string; linked: readonly number[] }
  | { type: 'failed'; run: number; error: string }
  /** Observed: the program of a running stream is gone, and comes back by itself; null when it is there again. */
  | { type: 'troubled'; run: number; error: string | null }
  /** Observed: every process of this run has ended. */
  | { type: 'stopped'; run: number }
)

type StreamTimer = { type: 'autoStart' } | { type: 'autoStop' } | { type: 'startOverdue' } | { type: 'stopOverdue' }

/** What the world hears; the state of a stream is the fold of these. */
export type StreamEvent =
  | { type: 'stream.starting'; run: number; auto: boolean; overlayHidden: boolean }
  | { type: 'stream.running'; run: number; at: string }
  | { type: 'stream.wentLive'; at: string; destinationIds: readonly number[] }
  | { type: 'stream.published'; destinationIds: readonly number[] }
  | { type: 'stream.unpublished'; destinationIds: readonly number[] }
  | { type: 'stream.stopping'; run: number; auto: boolean }
  | { type: 'stream.stopped'; run: number; error: string | null }
  | { type: 'stream.troubled'; error: string | null }
  | { type: 'stream.overlayHidden'; hidden: boolean }
  | { type: 'stream.automated'; automation: Automation | null }
  | { type: 'stream.liveDue' }

export const IDLE_STREAM: Stream = {
  phase: 'stopped',
  run: 0,
  overlayHidden: false,
  liveOnceRunning: false,
  publishing: [],
  startedAt: null,
  liveAt: null,
  error: null,
  automation: null,
}

/** A start that did not come about in this time has failed. */
export const START_WITHIN_MS = 60_000
/** Processes that did not end in this time no longer keep a stream from being started again. */
const STOP_WITHIN_MS = 15_000

const union = (ids: readonly number[], more: readonly number[]) => [...new Set([...ids, ...more])].sort((a, b) => a - b)
const without = (ids: readonly number[], less: readonly number[]) => ids.filter((id) => !less.includes(id))

/** The state after an event. Pure; used by the machine and by replay. */
export function foldStream(stream: Stream, event: StreamEvent): Stream {
  switch (event.type) {
    case 'stream.starting': {
      const { run, auto, overlayHidden } = event
      return {
        ...IDLE_STREAM,
        phase: 'starting',
        run,
        overlayHidden,
        liveOnceRunning: auto,
        automation: stream.automation,
      }
    }
    case 'stream.running':
      return { ...stream, phase: 'running', startedAt: event.at }
    case 'stream.wentLive':
      return {
        ...stream,
        liveOnceRunning: false,
        liveAt: stream.liveAt ?? event.at,
        publishing: union(stream.publishing, event.destinationIds),
      }
    case 'stream.liveDue':
      return { ...stream, liveOnceRunning: true }
    case 'stream.published':
      return { ...stream, publishing: union(stream.publishing, event.destinationIds) }
    case 'stream.unpublished':
      return { ...stream, publishing: without(stream.publishing, event.destinationIds) }
    case 'stream.stopping':
      return { ...stream, phase: 'stopping', liveOnceRunning: false, publishing: [] }
    case 'stream.stopped': {
      const { run, overlayHidden, automation } = stream
      return { ...IDLE_STREAM, run, overlayHidden, automation, error: event.error }
    }
    case 'stream.troubled':
      return { ...stream, error: event.error }
    case 'stream.overlayHidden':
      return { ...stream, overlayHidden: event.hidden }
    case 'stream.automated':
      return { ...stream, automation: event.automation }
  }
}

const used = (automation: Automation): StreamEvent => ({
  type: 'stream.automated',
  automation: { ...automation, used: true },
})

/** What a command or a timer means now, as facts. No facts: nothing changes. */
export function decideStream(stream: Stream, command: StreamCommand | StreamTimer): StreamEvent[] {
  const { phase, run, automation } = stream
  switch (command.type) {
    case 'start': {
      const overlayHidden = command.overlayHidden ?? stream.overlayHidden
      return [{ type: 'stream.starting', run: run + 1, auto: false, overlayHidden }]
    }
    case 'autoStart': {
      if (!automation || automation.used) return []
      if (phase === 'stopped') {
        const { overlayHidden } = stream
        return [used(automation), { type: 'stream.starting', run: run + 1, auto: true, overlayHidden }]
      }
      // started by hand to be looked at: now it is time for the public
      const due = phase !== 'stopping' && stream.liveAt === null && !stream.liveOnceRunning
      return due ? [used(automation), { type: 'stream.liveDue' }] : [used(automation)]
    }
    case 'started': {
      const running: StreamEvent[] =
        phase === 'starting' ? [{ type: 'stream.running', run: command.run, at: command.at }] : []
      return stream.liveOnceRunning
        ? [...running, { type: 'stream.wentLive', at: command.at, destinationIds: command.linked }]
        : running
    }
    case 'failed':
      return [{ type: 'stream.stopped', run, error: command.error }]
    case 'startOverdue':
      return [{ type: 'stream.stopped', run, error: 'The stream did not start in time' }]
    case 'troubled':
      return command.error === stream.error ? [] : [{ type: 'stream.troubled', error: command.error }]
    case 'goLive': {
      const { at, destinationIds } = command
      const all = stream.liveAt !== null && without(destinationIds, stream.publishing).length === 0
      return all ? [] : [{ type: 'stream.wentLive', at, destinationIds }]
    }
    case 'publish': {
      const destinationIds = without(command.destinationIds, stream.publishing)
      return destinationIds.length > 0 ? [{ type: 'stream.published', destinationIds }] : []
    }
    case 'unpublish': {
      const destinationIds = stream.publishing.filter((id) => command.destinationIds.includes(id))
      return destinationIds.length > 0 ? [{ type: 'stream.unpublished', destinationIds }] : []
    }
    case 'stop': {
      if (phase === 'stopping') return []
      const stopping: StreamEvent = { type: 'stream.stopping', run, auto: false }
      const late = automation && !automation.used && Date.parse(command.at) >= automation.startAt
      return late ? [used(automation), stopping] : [stopping]
    }
    case 'autoStop':
      return phase === 'running' || phase === 'starting' ? [{ type: 'stream.stopping', run, auto: true }] : []
    case 'stopped':
    case 'stopOverdue':
      return [{ type: 'stream.stopped', run, error: null }]
    case 'setOverlayHidden':
      return command.hidden === stream.overlayHidden ? [] : [{ type: 'stream.overlayHidden', hidden: command.hidden }]
    case 'automate': {
      const { startAt, stopAt } = command.schedule
      // a start in the future is always made; an overdue one only if none was made or undone
      const isUsed = command.startInMs <= 0 && (automation?.used ?? false)
      const same = automation?.startAt === startAt && automation.stopAt === stopAt && automation.used === isUsed
      return same ? [] : [{ type: 'stream.automated', automation: { startAt, stopAt, used: isUsed } }]
    }
    case 'stopAutomating':
      return automation ? [{ type: 'stream.automated', automation: null }] : []
  }
}

const step = decided(decideStream, foldStream)

type Guarded = { context: Stream; event: StreamCommand | StreamTimer }

/**
 * One stream: whether it is wanted to run, which destinations are wanted to publish, and what of that was observed.
 * Observations name the run they are of. spec: Streams 13, 14
 */
export const streamMachine = setup({
  types: {
    context: {} as Stream,
    events: {} as StreamCommand | StreamTimer,
    emitted: {} as Decided<StreamEvent>,
  },
  guards: {
    ofThisRun: ({ context, event }: Guarded) => 'run' in event && event.run === context.run,
    isStarting: ({ context }: Guarded) => context.phase === 'starting',
  },
  actions: {
    tell: emit(step.facts),
    fold: assign(step.folded),
    // before the fold: it compares with the schedule so far
    setTimers: enqueueActions(({ enqueue, event, context }) => {
      if (decideStream(context, event).length === 0) return
      enqueue.cancel('autoStart')
      enqueue.cancel('autoStop')
      if (event.type !== 'automate') return
      const { startInMs, stopInMs } = event
      const over = stopInMs !== null && stopInMs <= 0
      const used = startInMs <= 0 && (context.automation?.used ?? false)
      if (!used && !over) enqueue.raise({ type: 'autoStart' }, { id: 'autoStart', delay: Math.max(0, startInMs) })
      if (stopInMs !== null) enqueue.raise({ type: 'autoStop' }, { id: 'autoStop', delay: Math.max(0, stopInMs) })
    }),
    limitStart: raise({ type: 'startOverdue' }, { id: 'startOverdue', delay: START_WITHIN_MS }),
    unlimitStart: cancel('startOverdue'),
    limitStop: raise({ type: 'stopOverdue' }, { id: 'stopOverdue', delay: STOP_WITHIN_MS }),
    unlimitStop: cancel('stopOverdue'),
  },
}).createMachine({
  id: 'stream',
  context: IDLE_STREAM,
  initial: 'stopped',
  on: {
    setOverlayHidden: { actions: ['tell', 'fold'] },
    automate: { actions: ['setTimers', 'tell', 'fold'] },
    stopAutomating: { actions: ['setTimers', 'tell', 'fold'] },
  },
  states: {
    stopped: {
      on: {
        start: { target: 'starting', actions: ['tell', 'fold'] },
        autoStart: { target: 'deciding', actions: ['tell', 'fold'] },
      },
    },
    deciding: {
      always: [{ guard: 'isStarting', target: 'starting' }, { target: 'stopped' }],
    },
    starting: {
      entry: 'limitStart',
      exit: 'unlimitStart',
      on: {
        started: { guard: 'ofThisRun', target: 'running', actions: ['tell', 'fold'] },
        failed: { guard: 'ofThisRun', target: 'stopped', actions: ['tell', 'fold'] },
        startOverdue: { target: 'stopped', actions: ['tell', 'fold'] },
        autoStart: { actions: ['tell', 'fold'] },
        autoStop: { target: 'stopping', actions: ['tell', 'fold'] },
      },
    },
    running: {
      on: {
        started: { guard: 'ofThisRun', actions: ['tell', 'fold'] },
        troubled: { guard: 'ofThisRun', actions: ['tell', 'fold'] },
        goLive: { actions: ['tell', 'fold'] },
        publish: { actions: ['tell', 'fold'] },
        unpublish: { actions: ['tell', 'fold'] },
        stop: { target: 'stopping', actions: ['tell', 'fold'] },
        autoStart: { actions: ['tell', 'fold'] },
        autoStop: { target: 'stopping', actions: ['tell', 'fold'] },
      },
    },
    stopping: {
      entry: 'limitStop',
      exit: 'unlimitStop',
      on: {
        stop: { actions: ['tell', 'fold'] },
        stopped: { guard: 'ofThisRun', target: 'stopped', actions: ['tell', 'fold'] },
        stopOverdue: { target: 'stopped', actions: ['tell', 'fold'] },
        autoStart: { actions: ['tell', 'fold'] },
      },
    },
  },
})
