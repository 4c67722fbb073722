import { randomUUID } from 'node:crypto'
import type { AnyEventObject } from 'xstate'
import { type CommandOf, type ContextOf, isKind, type Kind, kinds } from '../../machines/kinds.ts'
import { type Transition, transitionOf, type Unstamped } from '../../machines/transition.ts'
import { type ApiError, forbidden, NotMine, notFound, unavailable, unexpected } from '../errors.ts'
import type { Asker } from '../principal.ts'
import { Actor, type Job } from './actor.ts'
import type { Ask } from './ask.ts'
import { type CommitReport, Committer } from './committer.ts'
import { contextOf, foldCommand, foldTimer } from './fold.ts'
import type { DueTimer, Journal, Ref } from './journal.ts'
import { Mailboxes } from './mailbox.ts'
import { decodeSnapshot } from './rows.ts'
import { type Publish, Settling } from './settling.ts'
import { Unsettled } from './unsettled.ts'
import { wake } from './wake.ts'

/** A committed state, as any reader may see it. */
export type Committed<K extends Kind> = { seq: number; context: ContextOf<K> }

/** A command that a due timer stands for, with who asked for it. */
export type Meaning = { ctx: Asker; asked: Ask<Kind, never>['asked']; command: Unstamped<CommandOf<Kind>> }

export type HostParts = {
  journal: Journal
  publish: Publish
  /** After each commit; `outboxRows` above 0 means there is something to drain. */
  committed?: (report: CommitReport) => void
  log: { warn(fields: object, text: string): void; error(fields: object, text: string): void }
  /** What the event of a due timer means where more than the machine must be asked; undefined: the machine knows. Left out: it always does. */
  meaning?: (ref: Ref, organizationId: number, event: AnyEventObject, context: unknown) => Promise<Meaning> | undefined
  /** Whether this node may command an actor; left out: every one. Asked with each command. cluster 2 */
  owns?: (ref: Ref) => boolean
  /** How long an unused actor stays in memory. */
  idleMs: number
  /** How long a caller waits for an outcome. */
  answerWithinMs?: number
  /** How often the log tells of actors that cannot be claimed. */
  complainEveryMs?: number
}

/** Before the router answers for us, which leaves no window in which the caller has heard 503 and the command may still run. */
const ANSWER_WITHIN_MS = 1_750
const SWEEP_MS = 100
/** Commands that one actor lets wait before it answers 503 at once. */
const MAX_WAITING = 2000
/** By then each command has its answer, and a commit that does not come is unknown. */
const CLOSE_WITHIN_MS = 2000

const refOf = (kind: Kind, id: string | number): Ref => `${kind}/${id}`

/** A timer's event, told when it is: machines have no clock. Its row was written from an event of the machine. */
const timerEvent = ({ event, at, lateMs }: DueTimer): AnyEventObject => ({
  ...(event as AnyEventObject),
  at: new Date(at).toISOString(),
  lateMs,
})

/** The actors that this node owns: one mailbox each, one journal for all. See README.md beside this file. */
export class ActorHost {
  readonly #parts: HostParts
  readonly #owns: (ref: Ref) => boolean
  readonly #journal: Journal
  readonly #committer: Committer
  readonly #mailboxes: Mailboxes
  readonly #actors = new Map<Ref, Actor>()
  readonly #transitions = new Map<Kind, Transition>()
  readonly #quarantined = new Set<Ref>()
  readonly #unsettled: Unsettled
  readonly #settling: Settling
  /** Runs while an actor is in memory. */
  #sweep: NodeJS.Timeout | undefined
  #closed = false

  constructor(parts: HostParts) {
    this.#parts = parts
    this.#owns = parts.owns ?? (() => true)
    this.#journal = parts.journal
    this.#unsettled = new Unsettled(parts.log, parts.complainEveryMs)
    this.#settling = new Settling({
      journal: parts.journal,
      actors: this.#actors,
      mailboxes: () => this.#mailboxes,
      owns: this.#owns,
      publish: parts.publish,
      quarantine: this.#quarantine,
      unsettled: this.#unsettled,
      log: parts.log,
    })
    this.#committer = new Committer({
      journal: parts.journal,
      settle: (actor, pendings, verdict) => this.#settling.settle(actor, pendings, verdict),
      report: parts.committed ?? (() => {}),
      log: parts.log,
    })
    const waking = {
      journal: this.#journal,
      log: parts.log,
      loaded: (ref: Ref) => this.#quarantined.delete(ref),
      quarantine: this.#quarantine,
      giveUp: (actor: Actor, error: ApiError) => this.#settling.giveUp(actor, error),
    }
    this.#mailboxes = new Mailboxes(this.#committer, (actor, organizationId) => wake(waking, actor, organizationId))
  }

  /**
   * Runs one command; resolves with its answer once it is durable.
   * Throws the command's own refusal, `forbidden()` for another organization's actor, `notFound()` when there is none,
   * `NotMine` when another node owns it, `unavailable()` when the outcome is not known within 2 s.
   */
  send<K extends Kind, R>(ctx: Asker, kind: K, id: string | number, ask: Ask<K, R>): Promise<R> {
    const ref = refOf(kind, id)
    const decide = (actor: Actor) => {
      if (actor.organizationId !== ctx.organizationId || !actor.tentative) throw forbidden()
      return ask.decide(contextOf<K>(actor.tentative))
    }
    const run = (actor: Actor) => {
      const command = decide(actor)
      if (command instanceof Promise) return command.then((resolved) => () => foldCommand(actor, ctx, ask, resolved))
      return foldCommand(actor, ctx, ask, command)
    }
    const once = async (actor: Actor) => {
      if (!actor.hasUnderWay(ctx.commandId) && !(await this.#journal.holds(ref, ctx.commandId))) {
        const command = await decide(actor)
        // not folded here: its caller may have heard 503 while the journal was asked
        return () => foldCommand(actor, ctx, ask, command)
      }
      return () => {
        try {
          return { result: actor.tentative && ask.reply(contextOf<K>(actor.tentative)) }
        } catch {
          // an answer that needs what only the first run knew: it is done, and its caller may look
          return { error: unavailable() }
        }
      }
    }
    return this.#post<R>(kind, ref, ctx.organizationId, ctx.mayBeDone ? once : run, ask.alone)
  }

  /** The committed state; wakes nothing, takes no mailbox. Undefined when there is no such actor. */
  async read<K extends Kind>(kind: K, id: string | number): Promise<Committed<K> | undefined> {
    const ref = refOf(kind, id)
    const held = this.#held<K>(ref)
    if (held) return held
    const stored = await this.#journal.peek(ref)
    if (!stored) return undefined
    // a commit may have become known while the row was read
    const now = this.#held<K>(ref)
    if (now && now.seq >= stored.seq) return now
    try {
      const snapshot = decodeSnapshot(kind, stored.machineVersion, stored.snapshot)
      this.#quarantined.delete(ref)
      return { seq: stored.seq, context: contextOf<K>(snapshot) }
    } catch (error) {
      this.#quarantine(ref, error)
      throw unavailable()
    }
  }

  /** A durable timer is due: runs its event when the row is still there and due by database time. */
  async fire(ref: Ref, name: string): Promise<void> {
    const kind = ref.slice(0, ref.indexOf('/'))
    if (!isKind(kind)) return
    let due: DueTimer | undefined
    const look: Job['apply'] = async (actor) => {
      due = await this.#journal.dueTimer(ref, name)
      if (due === undefined || !actor.tentative) return () => ({})
      const event = timerEvent(due)
      const meant = await this.#parts.meaning?.(ref, actor.organizationId, event, actor.tentative.context)
      if (!meant) return () => foldTimer(actor, name, randomUUID(), event)
      const { ctx, asked, command } = meant
      const ask = { asked, decide: () => command, reply: () => undefined, refused: unexpected }
      return () => foldCommand(actor, ctx, ask, command)
    }
    // alone: a renewal that is being committed moves the row
    await this.#post(kind, ref, undefined, look, true)
    // a timer event that the machine had no use for leaves its row behind
    if (due) await this.#journal.dropTimer(ref, name, due.at)
  }

  /**
   * Lets go of actors that this node owns no more. Commands that it took are finished, for as long as `withinMs` allows; those
   * that are left are told `NotMine`. To be called when `owns` says so already.
   */
  async letGo(gone: (ref: Ref) => boolean, withinMs: number): Promise<void> {
    const leaving = [...this.#actors.values()].filter(({ ref }) => gone(ref))
    const giveUpAt = performance.now() + withinMs
    const working = () => leaving.some(({ waiting }) => waiting.size > 0)
    while (working() && performance.now() < giveUpAt) await new Promise((resolve) => setTimeout(resolve, 2))
    for (const actor of leaving) this.#settling.leave(actor)
  }

  /** Drops the actor from memory after its rows were deleted; waiting commands answer 404. */
  forget(ref: Ref): void {
    this.#quarantined.delete(ref)
    const actor = this.#actors.get(ref)
    if (actor) this.#settling.giveUp(actor, notFound())
  }

  /** Actors that cannot be loaded, for readiness. */
  quarantined(): readonly Ref[] {
    return [...this.#quarantined]
  }

  /** Actors whose last commit is not settled because they cannot be claimed, for readiness. */
  unsettled(): readonly Ref[] {
    return this.#unsettled.refs()
  }

  /** How many actors are in memory. */
  get awake(): number {
    return this.#actors.size
  }

  /** Resolves when everything accepted so far is durable and answered, at the latest after 2 s, with 503 for the rest; new commands answer 503. */
  async close(): Promise<void> {
    this.#closed = true
    const giveUpAt = performance.now() + CLOSE_WITHIN_MS
    // a frozen actor whose callers are gone has nothing to wait for: its outcome is in the database
    const working = () => this.#committer.busy || [...this.#actors.values()].some(({ waiting }) => waiting.size > 0)
    while (working() && performance.now() < giveUpAt) await new Promise((resolve) => setTimeout(resolve, 5))
    clearInterval(this.#sweep)
    this.#settling.stop()
    for (const actor of this.#actors.values())
      for (const job of actor.waiting) actor.answer(job, { error: unavailable() })
  }

  #post<R>(kind: Kind, ref: Ref, organizationId: number | undefined, apply: Job['apply'], alone = false): Promise<R> {
    if (!this.#owns(ref)) return Promise.reject(new NotMine(ref))
    if (this.#closed) return Promise.reject(unavailable())
    const now = performance.now()
    let actor = this.#actors.get(ref)
    if (!actor) {
      actor = new Actor(ref, kind, this.#transitionOf(kind), now)
      this.#actors.set(ref, actor)
      this.#sweep ??= setInterval(() => this.#sweepAll(), SWEEP_MS).unref()
    }
    if (actor.waiting.size >= MAX_WAITING) return Promise.reject(unavailable())
    actor.lastUsedMs = now
    const mine = actor
    return new Promise<R>((resolve, reject) => {
      const job = { startedAtMs: now, runs: 0, alone, answered: false, apply, reject, place: undefined }
      this.#mailboxes.post(mine, { resolve: resolve as (result: unknown) => void, ...job }, organizationId)
    })
  }

  #transitionOf(kind: Kind): Transition {
    const known = this.#transitions.get(kind)
    if (known) return known
    const transition = transitionOf(kinds[kind].machine)
    this.#transitions.set(kind, transition)
    return transition
  }

  #held<K extends Kind>(ref: Ref): Committed<K> | undefined {
    const actor = this.#actors.get(ref)
    if (!actor?.committed || actor.frozen || !this.#owns(ref)) return undefined
    return { seq: actor.committedSeq, context: contextOf<K>(actor.committed) }
  }

  #quarantine = (ref: Ref, error: unknown): void => {
    this.#quarantined.add(ref)
    this.#parts.log.error({ ref, err: error }, 'actor cannot be loaded')
  }

  /** Callers wait at most 2 s; actors that nobody used for a while leave memory. */
  #sweepAll(): void {
    const now = performance.now()
    const { answerWithinMs = ANSWER_WITHIN_MS } = this.#parts
    for (const actor of this.#actors.values()) {
      const waited = actor.waiting.size
      for (const job of actor.waiting) {
        if (now - job.startedAtMs < answerWithinMs) break
        actor.answer(job, { error: unavailable() })
      }
      if (actor.waiting.size < waited) {
        actor.queue = actor.queue.filter(({ answered }) => !answered)
        this.#mailboxes.release(actor)
      }
      if (now - actor.lastUsedMs > this.#parts.idleMs && actor.idle) this.#actors.delete(actor.ref)
    }
    if (this.#actors.size > 0) return
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }
}
