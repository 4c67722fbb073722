import { assign, cancel, emit, enqueueActions, raise, setup } from 'xstate'
import { type Decided, decided } from './decided.ts'
import { decideStream, isUsed } from './stream-decide.ts'
import {
  foldStream,
  IDLE_STREAM,
  type Stream,
  type StreamCommand,
  type StreamEvent,
  type StreamTimer,
} from './stream-model.ts'

/** A start that did not come about in this time has failed. */
const START_WITHIN_MS = 60_000
/** How long after a start of the schedule that failed the next one is tried. */
const START_AGAIN_MS = 60_000
/** Processes that did not end in this time no longer keep a stream from being started again. */
const STOP_WITHIN_MS = 15_000

const step = decided(decideStream, foldStream)

type Guarded = { context: Stream; event: StreamCommand | StreamTimer }

/**
 * One stream: whether it is wanted to run, which destinations are wanted to publish, and what was observed of both.
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
    // before the fold, which the decision would follow otherwise
    setTimers: enqueueActions(({ enqueue, event, context }) => {
      const [fact] = decideStream(context, event)
      if (fact?.type !== 'stream.automated') return
      enqueue.cancel('autoStart')
      enqueue.cancel('autoStop')
      if (event.type !== 'automate' || !fact.automation) return
      const { startAt, stopAt, startUsed, stopUsed } = fact.automation
      const { startInMs, stopInMs } = event
      const over = stopInMs !== null && stopInMs <= 0
      if (startAt !== null && startInMs !== null && !isUsed(startAt, startUsed) && !over)
        enqueue.raise({ type: 'autoStart' }, { id: 'autoStart', delay: Math.max(0, startInMs) })
      if (stopAt !== null && stopInMs !== null && !isUsed(stopAt, stopUsed))
        enqueue.raise({ type: 'autoStop' }, { id: 'autoStop', delay: Math.max(0, stopInMs) })
    }),
    // before the fold, as above
    startAgain: enqueueActions(({ enqueue, event, context }) => {
      const [fact] = decideStream(context, event)
      if (fact?.type !== 'stream.automated') return
      enqueue.raise({ type: 'autoStart' }, { id: 'autoStart', delay: START_AGAIN_MS })
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
        autoStop: { actions: ['tell', 'fold'] },
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
        failed: { guard: 'ofThisRun', target: 'stopped', actions: ['startAgain', 'tell', 'fold'] },
        startOverdue: { target: 'deciding', actions: ['startAgain', 'tell', 'fold'] },
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
        stopped: { guard: 'ofThisRun', target: 'deciding', actions: ['tell', 'fold'] },
        stopOverdue: { target: 'deciding', actions: ['tell', 'fold'] },
        autoStart: { actions: ['tell', 'fold'] },
        autoStop: { actions: ['tell', 'fold'] },
      },
    },
  },
})
