import type { EventOf, Kind } from '../../machines/kinds.ts'
import { type ApiError, NotMine, unavailable } from '../errors.ts'
import type { Actor, Pending } from './actor.ts'
import type { Entry, Journal, Ref } from './journal.ts'
import type { Mailboxes } from './mailbox.ts'
import { recover } from './recovery.ts'
import type { Verdict } from './taken.ts'
import type { Unsettled } from './unsettled.ts'

/**
 * Every committed fact, in order of seq per actor, in the turn of the loop in which its commit became known. `at`: database
 * time, ms; `cause`: the principal that asked for it, and the JSON text of the command as asked; `asides`: facts that the kind sets apart.
 */
export type Publish = (
  ref: Ref,
  seq: number,
  events: readonly EventOf<Kind>[],
  at: number,
  cause: Pick<Entry, 'principal' | 'command'>,
  asides: readonly EventOf<Kind>[],
  organizationId: number,
) => void

type Parts = {
  journal: Journal
  /** Those in memory. */
  actors: Map<Ref, Actor>
  mailboxes(): Mailboxes
  owns(ref: Ref): boolean
  publish: Publish
  /** The actor cannot be loaded, and why. */
  quarantine(ref: Ref, error: unknown): void
  unsettled: Unsettled
  log: { warn(fields: object, text: string): void; error(fields: object, text: string): void }
}

/** How commands end: the facts of a commit are published and its callers answered, or its actor is recovered, given up, or left. */
export class Settling {
  readonly #parts: Parts
  /** Let go of: commits still under way for these actors change nothing here. */
  readonly #left = new WeakSet<Actor>()
  #stopped = false

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** A commit's part of one actor has ended. */
  settle(actor: Actor, pendings: readonly Pending[], verdict: Verdict): void {
    const { journal, mailboxes, owns, quarantine, unsettled, log } = this.#parts
    if (verdict.is === 'committed') {
      for (const pending of pendings) this.#done(actor, pending, verdict.at)
      mailboxes().pump(actor)
      return
    }
    if (!owns(actor.ref) || this.#left.has(actor)) {
      this.leave(actor, verdict.is === 'unknown' ? pendings : [])
      return
    }
    const parts = {
      journal,
      // one that was let go stays so, also when its slot has come back meanwhile
      owns: (ref: Ref) => owns(ref) && !this.#left.has(actor),
      leave: (unknown: readonly Pending[]) => this.leave(actor, unknown),
      mailboxes: mailboxes(),
      done: this.#done,
      forget: () => this.giveUp(actor, unavailable()),
      quarantine,
      unsettled,
      stopped: () => this.#stopped,
      log,
    }
    recover(parts, actor, pendings, verdict).catch((error: unknown) => {
      log.error({ ref: actor.ref, err: error }, 'actor could not be recovered')
      this.giveUp(actor, unavailable())
    })
  }

  #done = (actor: Actor, pending: Pending, at: number): void => {
    if (pending.entry && pending.facts) {
      const { entry, facts, asides } = pending
      try {
        if (pending.claim) pending.claim.stored = true
        const [told, apart] = [facts, asides ?? []] as [readonly EventOf<Kind>[], readonly EventOf<Kind>[]]
        this.#parts.publish(actor.ref, entry.seq, told, at, entry, apart, actor.organizationId)
      } catch (error) {
        // the command is durable: neither its caller nor the other actors of the commit may pay for a listener
        this.#parts.log.error({ ref: actor.ref, seq: entry.seq, err: error }, 'a commit could not be published')
      }
    }
    actor.answer(pending.job, pending)
  }

  /** Drops the actor from memory; its callers hear the error. */
  giveUp(actor: Actor, error: ApiError): void {
    this.#forget(actor)
    actor.frozen = true
    actor.queue = []
    for (const job of actor.waiting) actor.answer(job, { error })
  }

  /** Another node owns the actor now. Of commands that are on their way to the database the commit tells the outcome. */
  leave(actor: Actor, unknown: readonly Pending[] = []): void {
    this.#forget(actor)
    this.#left.add(actor)
    actor.frozen = true
    actor.queue = []
    const sent = new Set(actor.inFlight.map(({ job }) => job))
    const mayBeDone = new Set(unknown.map(({ job }) => job))
    for (const job of actor.waiting)
      if (!sent.has(job)) actor.answer(job, { error: new NotMine(actor.ref, mayBeDone.has(job)) })
  }

  /** The host is closed: unsettled commits are left to the next owner. */
  stop(): void {
    this.#stopped = true
  }

  #forget(actor: Actor): void {
    const { actors } = this.#parts
    if (actors.get(actor.ref) === actor) actors.delete(actor.ref)
  }
}
