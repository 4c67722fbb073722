import type { AnyMachineSnapshot } from 'xstate'
import { recorded } from '../../machines/kinds.ts'
import type { Actor, Pending } from './actor.ts'
import { Beside } from './beside.ts'
import { type Change, ChangeRefused, type Committed, type Journal, RowsLocked } from './journal.ts'
import { encodeSnapshot } from './rows.ts'
import { type Taken, type Verdict, verdictOf } from './taken.ts'

const MAX_ACTORS = 200
const MAX_BYTES = 1_048_576

export type CommitReport = { actors: number; entries: number; ms: number; outboxRows: number }

type Parts = {
  journal: Journal
  settle: (actor: Actor, pendings: Pending[], verdict: Verdict) => void
  report: (report: CommitReport) => void
  log: { error(fields: object, text: string): void }
}

/**
 * Group commit without a window: one commit at a time per node, started when the last is durable, with all jobs that gathered
 * meanwhile. The next commit is sent before the answers of the last are given, so the database works while we do.
 */
export class Committer {
  readonly #parts: Parts
  readonly #beside: Beside
  #dirty: Actor[] = []
  #scheduled = false
  #committing = false

  constructor(parts: Parts) {
    this.#parts = parts
    this.#beside = new Beside(parts.journal, (taken, verdict, ms, outboxRows) => {
      const { actor, change, pendings } = taken
      conclude(taken, verdict)
      this.#settle(actor, pendings, verdict)
      // jobs that gathered on top of this commit
      if (actor.gathered.length > 0) this.schedule(actor)
      if (verdict.is === 'committed') this.#report({ actors: 1, entries: change.entries.length, ms, outboxRows })
    })
  }

  /** The actor has gathered something to commit. */
  schedule(actor: Actor): void {
    if (!actor.dirty) this.#dirty.push(actor)
    actor.dirty = true
    if (this.#committing || this.#scheduled) return
    this.#scheduled = true
    // after the poll phase: every request that arrived in this turn of the loop is in the batch
    setImmediate(() => {
      this.#scheduled = false
      this.#start()
    })
  }

  /** True while anything is folded but not durable. */
  get busy(): boolean {
    return this.#committing || this.#dirty.length > 0 || this.#beside.busy
  }

  #start(): void {
    if (this.#committing) return
    const batch = this.#take()
    if (batch.length === 0) return
    this.#committing = true
    void this.#commit(batch)
  }

  /** Moves gathered jobs into flight: rows sorted by ref, within the limits of one statement. */
  #take(): Taken[] {
    const batch: Taken[] = []
    let bytes = 0
    const dirty = this.#dirty
    this.#dirty = []
    for (const [index, actor] of dirty.entries()) {
      if (batch.length >= MAX_ACTORS || bytes >= MAX_BYTES) {
        this.#dirty = dirty.slice(index).concat(this.#dirty)
        break
      }
      actor.dirty = false
      // a frozen actor's jobs run again when recovery thaws it; jobs that follow a commit still being tried wait for its end
      if (actor.frozen || actor.inFlight.length > 0 || actor.gathered.length === 0 || !actor.tentative) continue
      if (actor.gathered.some(({ job }) => job.answered)) {
        this.#settle(actor, [], { is: 'late' })
        continue
      }
      const taken = this.#takeFrom(actor, actor.tentative)
      if (!taken) continue
      if (actor.held) {
        void this.#beside.commit(taken, false)
        continue
      }
      const { change } = taken
      bytes += change.snapshot.length
      bytes += change.projection?.length ?? 0
      for (const { command, events } of change.entries) bytes += command.length + events.length
      batch.push(taken)
    }
    return batch.sort((a, b) => (a.actor.ref < b.actor.ref ? -1 : 1))
  }

  /** Undefined when the actor's change cannot be written: its jobs are then refused, those of other actors are not. */
  #takeFrom(actor: Actor, snapshot: AnyMachineSnapshot): Taken | undefined {
    const pendings = actor.gathered
    actor.gathered = []
    try {
      const change = changeOf(actor, pendings, snapshot)
      actor.inFlight = pendings
      return { actor, pendings, change, snapshot }
    } catch (error) {
      actor.frozen = true
      this.#settle(actor, pendings, { is: 'refused', error })
      return undefined
    }
  }

  async #commit(batch: Taken[]): Promise<void> {
    const startedMs = performance.now()
    let committed: Committed | undefined
    let failure: unknown
    try {
      committed = await this.#parts.journal.commit(batch.map(({ change }) => change))
    } catch (error) {
      failure = error
    }
    this.#committing = false
    const ms = performance.now() - startedMs
    const settled: [Taken, Verdict][] = []
    for (const taken of batch) {
      const verdict = committed ? verdictOf(taken.change, committed) : failed(batch, failure)
      if (verdict) {
        conclude(taken, verdict)
        settled.push([taken, verdict])
      } else {
        taken.actor.held = true
        void this.#beside.commit(taken, committed !== undefined || batch.length === 1)
      }
    }
    this.#start()
    for (const [{ actor, pendings }, verdict] of settled) this.#settle(actor, pendings, verdict)
    const entries = settled.reduce((sum, [{ change }]) => sum + change.entries.length, 0)
    if (committed) this.#report({ actors: settled.length, entries, ms, outboxRows: committed.outboxRows })
  }

  /** An actor that fails here must not take the others of the commit along. */
  #settle(actor: Actor, pendings: Pending[], verdict: Verdict): void {
    try {
      this.#parts.settle(actor, pendings, verdict)
    } catch (error) {
      this.#parts.log.error({ ref: actor.ref, err: error }, 'a commit could not be settled')
    }
  }

  #report(report: CommitReport): void {
    try {
      this.#parts.report(report)
    } catch (error) {
      this.#parts.log.error({ err: error }, 'a commit could not be reported')
    }
  }
}

/** A bad or a locked row hurts only itself: after a statement that wrote nothing each actor is committed alone, for which this is undefined. */
function failed(batch: readonly Taken[], error: unknown): Verdict | undefined {
  if (error instanceof RowsLocked) return undefined
  if (!(error instanceof ChangeRefused)) return { is: 'unknown' }
  return batch.length === 1 ? { is: 'refused', error } : undefined
}

/** The actor's part of a commit has come to its end. */
function conclude({ actor, change, snapshot }: Taken, verdict: Verdict): void {
  actor.inFlight = []
  if (verdict.is === 'committed') {
    actor.held = false
    actor.advance(change.seq, snapshot)
  } else actor.frozen = true
}

function changeOf(actor: Actor, pendings: readonly Pending[], snapshot: AnyMachineSnapshot): Change {
  const { version, announces } = recorded(actor.kind)
  const change: Change = {
    ref: actor.ref,
    organizationId: actor.organizationId,
    baseSeq: actor.committedSeq,
    epoch: actor.epoch,
    seq: actor.tentativeSeq,
    machineVersion: version,
    snapshot: encodeSnapshot(snapshot, actor.texts),
    entries: [],
    timers: [],
    outbox: [],
    idempotency: [],
  }
  for (const { entry, timers, idempotency, projection, facts } of pendings) {
    if (entry) change.entries.push(entry)
    if (timers) change.timers.push(...timers)
    if (idempotency) change.idempotency.push(idempotency)
    if (projection !== undefined) change.projection = projection
    const event = announces ? facts?.at(-1)?.type : undefined
    // of several steps in one commit the last one speaks for all
    if (event !== undefined) change.outbox = [{ kind: 'reaction', payload: { event, ref: actor.ref } }]
  }
  return change
}
