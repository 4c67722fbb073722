import type { CommandOf, ContextOf, Kind } from '../../machines/kinds.ts'
import type { Unstamped } from '../../machines/transition.ts'
import type { ApiError } from '../errors.ts'

/** One command to an actor. All functions run in the actor's mailbox, in order, on the state that earlier commands left. */
export type Ask<K extends Kind, R> = {
  /** What the caller sent, for the journal. */
  asked: { type: string } & Record<string, unknown>
  /** Resolves the command against the state; throws an ApiError to refuse. Sync when everything needed is warm. */
  decide(context: ContextOf<K>): Unstamped<CommandOf<K>> | Promise<Unstamped<CommandOf<K>>>
  /** The answer, from the state after this command. Called before the commit; the caller gets it after. */
  reply(context: ContextOf<K>): R
  /** Its `decide` reads what is committed: nothing of the actor is on its way then, and nothing follows before its own commit. */
  readonly alone?: boolean
  /** The error when the machine does not accept the command in its state. */
  refused(): ApiError
}
