import { assign, emit, setup } from 'xstate'
import { type Decided, decided } from './decided.ts'
import { members, nullable, number, oneOf, type Shape, text } from './shape.ts'

export type Destination = {
  phase: 'stopped' | 'connecting' | 'connected' | 'retrying'
  /** The seq of the stream whose wish was taken last; an older wish that comes late is ignored. */
  wish: number
  /** Rises with every try to connect; observations of an earlier try are ignored. */
  attempt: number
  /** Tries that failed since it was last connected; the wait before the next one grows with it. */
  failures: number
  /** ISO 8601; only when retrying. */
  nextRetryDate: string | null
  retryInMs: number
  /** ISO 8601; only when connected. */
  connectedAt: string | null
  /** What went wrong last, for people; null once connected. */
  error: string | null
}

export const destinationShape: Shape<Destination> = members({
  phase: oneOf('stopped', 'connecting', 'connected', 'retrying'),
  wish: number,
  attempt: number,
  failures: number,
  nextRetryDate: nullable(text),
  retryInMs: number,
  connectedAt: nullable(text),
  error: nullable(text),
})

/** Commands carry the seq that the host will commit them under. Dates are ISO 8601. */
export type DestinationCommand = {
  seq: number
} /** What the stream wants of the destination, as of the stream's seq `wish`. `now`: a retry does not wait. */ & (
  | { type: 'wish'; wanted: boolean; wish: number; now: boolean }
  /** Observed: bytes arrive at the far end and keep growing. */
  | { type: 'connected'; attempt: number; at: string }
  /** Observed: the far end refused, closed or stalled. The wait comes with jitter. */
  | { type: 'failed'; attempt: number; error: string; retryInMs: number; nextRetryDate: string }
  /** Observed: there is nothing to send, which is no fault of the far end. */
  | { type: 'inputDown' }
  /** Observed: there is something to send again. */
  | { type: 'inputUp' }
  /** The observer of the connection is gone: nothing is known of it. */
  | { type: 'lost' }
)

export type DestinationEvent =
  | { type: 'destination.started'; wish: number; attempt: number }
  | { type: 'destination.stopped'; wish: number }
  | { type: 'destination.wished'; wish: number }
  | { type: 'destination.connecting'; attempt: number }
  | { type: 'destination.connected'; at: string }
  | { type: 'destination.failed'; error: string; retryInMs: number; nextRetryDate: string }

export const STOPPED_DESTINATION: Destination = {
  phase: 'stopped',
  wish: 0,
  attempt: 0,
  failures: 0,
  nextRetryDate: null,
  retryInMs: 0,
  connectedAt: null,
  error: null,
}

/** The state after an event. Pure; used by the machine and by replay. */
export function foldDestination(destination: Destination, event: DestinationEvent): Destination {
  const still = { nextRetryDate: null, retryInMs: 0, connectedAt: null }
  switch (event.type) {
    case 'destination.started': {
      const { wish, attempt } = event
      return { ...STOPPED_DESTINATION, phase: 'connecting', wish, attempt }
    }
    case 'destination.stopped':
      return { ...STOPPED_DESTINATION, wish: event.wish, attempt: destination.attempt }
    case 'destination.wished':
      return { ...destination, wish: event.wish }
    case 'destination.connecting':
      return { ...destination, ...still, phase: 'connecting', attempt: event.attempt }
    case 'destination.connected':
      return { ...destination, ...still, phase: 'connected', failures: 0, connectedAt: event.at, error: null }
    case 'destination.failed': {
      const { error, retryInMs, nextRetryDate } = event
      const failures = destination.failures + 1
      return { ...destination, ...still, phase: 'retrying', failures, error, retryInMs, nextRetryDate }
    }
  }
}

/** The facts that a command comes to now. No facts: nothing changes. */
export function decideDestination(
  destination: Destination,
  command: DestinationCommand | { type: 'retryDue' },
): DestinationEvent[] {
  const again = { type: 'destination.connecting', attempt: destination.attempt + 1 } as const
  switch (command.type) {
    case 'wish': {
      const { wanted, wish, now } = command
      const running = destination.phase !== 'stopped'
      if (wanted && !running) return [{ type: 'destination.started', wish, attempt: destination.attempt + 1 }]
      if (!wanted && running) return [{ type: 'destination.stopped', wish }]
      const taken: DestinationEvent[] = wish > destination.wish ? [{ type: 'destination.wished', wish }] : []
      return now && destination.phase === 'retrying' ? [...taken, again] : taken
    }
    case 'connected':
      return [{ type: 'destination.connected', at: command.at }]
    case 'failed': {
      const { error, retryInMs, nextRetryDate } = command
      return [{ type: 'destination.failed', error, retryInMs, nextRetryDate }]
    }
    // its connection may outlive the gap
    case 'inputDown':
      return [{ ...again, attempt: destination.attempt }]
    case 'inputUp':
    case 'lost':
    case 'retryDue':
      return [again]
  }
}

const step = decided(decideDestination, foldDestination)

type Guarded = { context: Destination; event: DestinationCommand }

/**
 * One destination of a stream: whether it is wanted to publish, and what was observed of its connection. Waiting for the next
 * try is a durable timer; how long comes with the command, since a machine has no random.
 */
export const destinationMachine = setup({
  types: {
    context: {} as Destination,
    events: {} as DestinationCommand,
    emitted: {} as Decided<DestinationEvent>,
  },
  delays: { retry: ({ context }) => context.retryInMs },
  guards: {
    stale: ({ context, event }: Guarded) => event.type === 'wish' && event.wish < context.wish,
    wanted: ({ event }: Guarded) => event.type === 'wish' && event.wanted,
    wantedNow: ({ event }: Guarded) => event.type === 'wish' && event.wanted && event.now,
    unwanted: ({ event }: Guarded) => event.type === 'wish' && !event.wanted,
    ofThisAttempt: ({ context, event }: Guarded) => 'attempt' in event && event.attempt === context.attempt,
  },
  actions: {
    tell: emit(step.facts),
    fold: assign(step.folded),
    tellRetry: emit(
      ({ context }): Decided<DestinationEvent> => ({
        type: 'decided',
        facts: decideDestination(context, { type: 'retryDue' }),
      }),
    ),
    foldRetry: assign(({ context }) =>
      decideDestination(context, { type: 'retryDue' }).reduce(foldDestination, context),
    ),
  },
}).createMachine({
  id: 'destination',
  context: STOPPED_DESTINATION,
  initial: 'stopped',
  states: {
    stopped: {
      on: {
        wish: [
          { guard: 'stale', target: 'stopped' },
          { guard: 'wanted', target: 'connecting', actions: ['tell', 'fold'] },
          { actions: ['tell', 'fold'] },
        ],
      },
    },
    connecting: {
      on: {
        wish: [
          { guard: 'stale', target: 'connecting' },
          { guard: 'unwanted', target: 'stopped', actions: ['tell', 'fold'] },
          { actions: ['tell', 'fold'] },
        ],
        connected: { guard: 'ofThisAttempt', target: 'connected', actions: ['tell', 'fold'] },
        failed: { guard: 'ofThisAttempt', target: 'retrying', actions: ['tell', 'fold'] },
        lost: { actions: ['tell', 'fold'] },
      },
    },
    connected: {
      on: {
        wish: [
          { guard: 'stale', target: 'connected' },
          { guard: 'unwanted', target: 'stopped', actions: ['tell', 'fold'] },
          { actions: ['tell', 'fold'] },
        ],
        failed: { guard: 'ofThisAttempt', target: 'retrying', actions: ['tell', 'fold'] },
        inputDown: { target: 'connecting', actions: ['tell', 'fold'] },
        lost: { target: 'connecting', actions: ['tell', 'fold'] },
      },
    },
    retrying: {
      after: { retry: { target: 'connecting', actions: ['tellRetry', 'foldRetry'] } },
      on: {
        wish: [
          { guard: 'stale', target: 'retrying' },
          { guard: 'unwanted', target: 'stopped', actions: ['tell', 'fold'] },
          { guard: 'wantedNow', target: 'connecting', actions: ['tell', 'fold'] },
          { actions: ['tell', 'fold'] },
        ],
        inputUp: { target: 'connecting', actions: ['tell', 'fold'] },
      },
    },
  },
})
