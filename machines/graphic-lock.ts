import { assign, emit, setup } from 'xstate'
import { type Decided, decided } from './decided.ts'
import { flag, members, nullable, number, oneOf, type Shape, text } from './shape.ts'

/** Who has a graphic open. Two holders are the same when type and token are. */
export type Holder = {
  /** As shown to others; `API key <name>` for a key. */
  userName: string
  type: 'key' | 'person'
  /** Tells the holder apart: the key's id, or the editor's own lock token. */
  token: string
}

/** Why the lock is held: an explicit lock of an editor, files on their way for a bundle, or a write for its duration. */
export type Claim = 'edit' | 'upload' | 'write'

export type GraphicLock = {
  holder: Holder | null
  /** How long the hold lasts from the latest acquire or renew; the longest that the holder asked for. */
  ttlMs: number
  edit: boolean
  upload: boolean
  /** Writes under way: the last one to end frees the graphic, unless the holder has another claim on it. */
  writes: number
}

export const lockShape: Shape<GraphicLock> = members({
  holder: nullable(members<Holder>({ userName: text, type: oneOf('key', 'person'), token: text })),
  ttlMs: number,
  edit: flag,
  upload: flag,
  writes: number,
})

/** How long an explicit lock lasts without a renewal. */
export const LOCK_TTL_MS = 300_000

export const FREE: GraphicLock = { holder: null, ttlMs: 0, edit: false, upload: false, writes: 0 }

/** Commands carry the seq that the host will commit them under. */
export type GraphicLockCommand = { seq: number } & (
  | { type: 'acquire'; holder: Holder; claim: Claim; ttlMs: number }
  | { type: 'renew'; holder: Holder; ttlMs: number }
  | { type: 'release'; holder: Holder; claim: Claim }
)

/** Facts of a lock, whose fold is its state. */
export type GraphicLockEvent =
  | { type: 'lock.acquired'; holder: Holder; claim: Claim; ttlMs: number }
  | { type: 'lock.renewed'; holder: Holder; ttlMs: number }
  | { type: 'lock.released'; holder: Holder; claim: Claim }
  | { type: 'lock.expired'; holder: Holder }

/** The state after an event. Pure; used by the machine and by replay. */
export function foldLock(lock: GraphicLock, event: GraphicLockEvent): GraphicLock {
  switch (event.type) {
    case 'lock.acquired': {
      const { holder, claim } = event
      const held = { ...lock, holder, ttlMs: Math.max(lock.ttlMs, event.ttlMs) }
      return claim === 'write' ? { ...held, writes: lock.writes + 1 } : { ...held, [claim]: true }
    }
    case 'lock.renewed':
      return { ...lock, ttlMs: event.ttlMs }
    case 'lock.released': {
      const { claim } = event
      const edit = lock.edit && claim !== 'edit'
      // an editor that closes a graphic gives up files on their way, too
      const upload = lock.upload && claim === 'write'
      const writes = claim === 'write' ? Math.max(0, lock.writes - 1) : lock.writes
      return edit || upload || writes > 0 ? { ...lock, edit, upload, writes } : FREE
    }
    case 'lock.expired':
      return FREE
  }
}

const factOf = (command: GraphicLockCommand): GraphicLockEvent => {
  const { seq: _seq, ...asked } = command
  switch (asked.type) {
    case 'acquire':
      return { ...asked, type: 'lock.acquired' }
    case 'renew':
      return { ...asked, type: 'lock.renewed' }
    case 'release':
      return { ...asked, type: 'lock.released' }
  }
}

/** Whether this principal holds the lock. */
export const holds = (lock: GraphicLock, { type, token }: Pick<Holder, 'type' | 'token'>) =>
  lock.holder?.type === type && lock.holder.token === token

const step = decided((_lock: GraphicLock, command: GraphicLockCommand) => [factOf(command)], foldLock)

type Guarded = { context: GraphicLock; event: GraphicLockCommand }

/** The lock on the working copy of one graphic. One holder at a time, which may take it again; it expires by itself. */
export const graphicLockMachine = setup({
  types: { context: {} as GraphicLock, events: {} as GraphicLockCommand, emitted: {} as Decided<GraphicLockEvent> },
  delays: { ttl: ({ context }) => context.ttlMs },
  guards: {
    byHolder: ({ context, event }: Guarded) => holds(context, event.holder),
    unclaimed: ({ context }: Guarded) => context.holder === null,
  },
  actions: {
    tell: emit(step.facts),
    fold: assign(step.folded),
    tellExpiry: emit(
      ({ context: { holder } }): Decided<GraphicLockEvent> => ({
        type: 'decided',
        facts: holder ? [{ type: 'lock.expired', holder }] : [],
      }),
    ),
    free: assign(FREE),
  },
}).createMachine({
  id: 'graphic-lock',
  context: FREE,
  initial: 'free',
  states: {
    free: {
      on: {
        acquire: { target: 'held', actions: ['tell', 'fold'] },
        // a write that ends after its hold expired has nothing left to release
        release: 'free',
      },
    },
    held: {
      always: { guard: 'unclaimed', target: 'free' },
      after: { ttl: { target: 'free', actions: ['tellExpiry', 'free'] } },
      on: {
        // entering again starts the time anew
        acquire: { guard: 'byHolder', target: 'held', reenter: true, actions: ['tell', 'fold'] },
        renew: { guard: 'byHolder', target: 'held', reenter: true, actions: ['tell', 'fold'] },
        release: { guard: 'byHolder', actions: ['tell', 'fold'] },
      },
    },
  },
})
