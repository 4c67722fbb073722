import { assign, emit, setup } from 'xstate'
import { type Decided, decided } from './decided.ts'
import { members, nullable, number, oneOf, type Shape, text } from './shape.ts'

export type Protocol = 'rtmp' | 'srt' | 'pull'

export type Input = {
  phase: 'idle' | 'waiting' | 'live' | 'reconnecting'
  /** The connection that the video comes in by; null unless live or reconnecting. */
  session: string | null
  protocol: Protocol | null
  /** ISO 8601; when the video came up. */
  liveAt: string | null
  /** Why the latest try to connect was refused or failed, for people; null once live. */
  error: string | null
  /** How long a connection that is gone may take to come back. */
  graceMs: number
}

export const inputShape: Shape<Input> = members({
  phase: oneOf('idle', 'waiting', 'live', 'reconnecting'),
  session: nullable(text),
  protocol: nullable(oneOf('rtmp', 'srt', 'pull')),
  liveAt: nullable(text),
  error: nullable(text),
  graceMs: number,
})

/** Commands carry the seq that the host will commit them under. All but `open` and `close` are observations. `at` is ISO 8601. */
export type InputCommand = { seq: number } /** Takes connections (push), or connects (pull). */ & (
  | { type: 'open' }
  | { type: 'close' }
  | { type: 'connected'; session: string; protocol: Protocol; at: string }
  /** The connection is gone and may come back within `graceMs`. */
  | { type: 'dropped'; session: string; graceMs: number }
  /** The connection ended in an orderly way, or will not come back. */
  | { type: 'ended'; session: string }
  | { type: 'failed'; error: string }
  /** The observer of the connection is gone: nothing is known of it. */
  | { type: 'lost' }
)

export type InputEvent =
  | { type: 'input.opened' }
  | { type: 'input.closed' }
  | { type: 'input.connected'; session: string; protocol: Protocol; at: string }
  | { type: 'input.dropped'; session: string | null; graceMs: number }
  | { type: 'input.disconnected' }
  | { type: 'input.failed'; error: string }

export const IDLE_INPUT: Input = {
  phase: 'idle',
  session: null,
  protocol: null,
  liveAt: null,
  error: null,
  graceMs: 0,
}

/** The state after an event. Pure; used by the machine and by replay. */
export function foldInput(input: Input, event: InputEvent): Input {
  switch (event.type) {
    case 'input.opened':
      return { ...IDLE_INPUT, phase: 'waiting' }
    case 'input.closed':
      return IDLE_INPUT
    case 'input.connected': {
      const { session, protocol, at } = event
      return { ...IDLE_INPUT, phase: 'live', session, protocol, liveAt: at }
    }
    case 'input.dropped':
      return { ...input, phase: 'reconnecting', graceMs: event.graceMs }
    case 'input.disconnected':
      return { ...IDLE_INPUT, phase: 'waiting', error: input.error }
    case 'input.failed':
      return { ...input, error: event.error }
  }
}

/** A connection that nobody watches any more is given this long to be seen again. */
const LOST_GRACE_MS = 10_000

const decide = (input: Input, command: InputCommand): InputEvent[] => {
  switch (command.type) {
    case 'open':
      return [{ type: 'input.opened' }]
    case 'close':
      return [{ type: 'input.closed' }]
    case 'connected': {
      const { session, protocol, at } = command
      return session === input.session && input.phase === 'live'
        ? []
        : [{ type: 'input.connected', session, protocol, at }]
    }
    case 'dropped':
      return [{ type: 'input.dropped', session: command.session, graceMs: command.graceMs }]
    case 'lost':
      return [{ type: 'input.dropped', session: input.session, graceMs: LOST_GRACE_MS }]
    case 'ended':
      return [{ type: 'input.disconnected' }]
    case 'failed':
      return command.error === input.error ? [] : [{ type: 'input.failed', error: command.error }]
  }
}

const step = decided(decide, foldInput)

type Guarded = { context: Input; event: InputCommand }

/** Where the video of a stream comes from: whether it takes connections, and what was observed of them, told apart by session. */
export const inputMachine = setup({
  types: { context: {} as Input, events: {} as InputCommand, emitted: {} as Decided<InputEvent> },
  delays: { grace: ({ context }) => context.graceMs },
  guards: {
    ofThisSession: ({ context, event }: Guarded) => 'session' in event && event.session === context.session,
  },
  actions: {
    tell: emit(step.facts),
    fold: assign(step.folded),
    tellGone: emit({ type: 'decided', facts: [{ type: 'input.disconnected' }] }),
    foldGone: assign(({ context }) => foldInput(context, { type: 'input.disconnected' })),
  },
}).createMachine({
  id: 'input',
  context: IDLE_INPUT,
  initial: 'idle',
  on: { close: { target: '.idle', actions: ['tell', 'fold'] } },
  states: {
    idle: {
      on: {
        open: { target: 'waiting', actions: ['tell', 'fold'] },
        close: 'idle',
      },
    },
    waiting: {
      on: {
        open: 'waiting',
        connected: { target: 'live', actions: ['tell', 'fold'] },
        failed: { actions: ['tell', 'fold'] },
      },
    },
    live: {
      on: {
        open: 'live',
        connected: { actions: ['tell', 'fold'] },
        dropped: { guard: 'ofThisSession', target: 'reconnecting', actions: ['tell', 'fold'] },
        ended: { guard: 'ofThisSession', target: 'waiting', actions: ['tell', 'fold'] },
        lost: { target: 'reconnecting', actions: ['tell', 'fold'] },
      },
    },
    reconnecting: {
      after: { grace: { target: 'waiting', actions: ['tellGone', 'foldGone'] } },
      on: {
        open: 'reconnecting',
        connected: { target: 'live', actions: ['tell', 'fold'] },
        ended: { guard: 'ofThisSession', target: 'waiting', actions: ['tell', 'fold'] },
        failed: { actions: ['tell', 'fold'] },
      },
    },
  },
})
