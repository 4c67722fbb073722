import type { CommandOf, ContextOf, Kind } from '../../machines/kinds.ts'
import type { Context } from '../context.ts'
import type { ApiError } from '../errors.ts'
import type { Ref } from './journal.ts'

/** A command before the host stamped its seq. */
export type Unstamped<C> = C extends unknown ? Omit<C, 'seq'> : never

/** One command to an actor. All three functions run in the actor's mailbox, in order, on the state that earlier commands left. */
export type Ask<K extends Kind, R> = {
  /** What the caller sent, for the journal. */
  asked: { type: string } & Record<string, unknown>
  /** Resolves the command against the state; throws an ApiError to refuse. Sync when everything needed is warm. */
  decide(context: ContextOf<K>): Unstamped<CommandOf<K>> | Promise<Unstamped<CommandOf<K>>>
  /** The answer, from the state after this command. Called once, before the commit; nobody sees it before. */
  reply(context: ContextOf<K>): R
  /** The error when the machine does not accept the command in its state. */
  refused(): ApiError
}

/** A committed state, as any reader may see it. */
export type Committed<K extends Kind> = { seq: number; context: ContextOf<K> }

export interface ActorHost {
  /** Runs one command; resolves with its answer once it is durable. Throws unavailable() when the outcome takes over 2 s. */
  send<K extends Kind, R>(ctx: Context, kind: K, id: string | number, ask: Ask<K, R>): Promise<R>
  /** The committed state; wakes nothing, takes no mailbox. Undefined when there is no such actor. */
  read<K extends Kind>(kind: K, id: string | number): Promise<Committed<K> | undefined>
  /** A durable timer is due: runs its event if the row is still there. */
  fire(ref: Ref, name: string): Promise<void>
  /** Drops the actor from memory after its rows were deleted; waiting commands answer 404. */
  forget(ref: Ref): void
  /** Actors that cannot be loaded, for readiness. */
  quarantined(): readonly Ref[]
}
