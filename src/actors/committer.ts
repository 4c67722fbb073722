import type { AnyMachineSnapshot } from 'xstate'
import { recorded } from '../../machines/kinds.ts'
import type { Actor, Pending } from './actor.ts'
import { encodeSnapshot } from './effects.ts'
import { type Change, ChangeRefused, CommitUnknown, type Journal } from './journal.ts'

const MAX_ACTORS = 200
const MAX_BYTES = 1_048_576

/** What became of one actor's part of a commit. `at` is database time in ms since 1970. */
export type Verdict =
  | { is: 'committed'; at: number }
  | { is: 'fenced' }
  /** Not sent: somebody among its callers was told 503 meanwhile. */
  | { is: 'late' }
  | { is: 'unknown' }
  | { is: 'refused'; error: unknown }

export type CommitReport = { actors: number; entries: number; ms: number; outboxRows: number }

/**
 * Group commit without a window: one commit at a time per node, started when the last is durable, holding what gathered
 * meanwhile. The next commit is sent before the answers of the last are given, so the database works while we do.
 */
export class Committer {
  readonly #journal: Journal
  readonly #settle: (actor: Actor, pendings: Pending[], verdict: Verdict) => void
  readonly #report: (report: CommitReport) => void
  #dirty: Actor[] = []
  #scheduled = false
  #committing = false

  constructor(
    journal: Journal,
    settle: (actor: Actor, pendings: Pending[], verdict: Verdict) => void,
    report: (report: CommitReport) => void,
  ) {
    this.#journal = journal
    this.#settle = settle
    this.#report = report
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
    return this.#committing || this.#dirty.length > 0
  }

  #start(): void {
    if (this.#committing) return
    const batch = this.#take()
    if (batch.length === 0) return
    this.#committing = true
    void this.#commit(batch)
  }

  /** Moves what is gathered into flight: rows sorted by ref, within the limits of one statement. */
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
      // a frozen actor's jobs are run again by whoever thaws it
      if (actor.frozen || actor.gathered.length === 0 || !actor.tentative) continue
      if (actor.gathered.some(({ job }) => job.answered)) {
        this.#settle(actor, [], { is: 'late' })
        continue
      }
      const pendings = actor.gathered
      actor.inFlight = pendings
      actor.gathered = []
      const snapshot = actor.tentative
      const change = changeOf(actor, pendings, snapshot)
      bytes += change.snapshot.length
      bytes += change.projection?.length ?? 0
      for (const { command, events } of change.entries) bytes += command.length + events.length
      batch.push({ actor, pendings, change, snapshot })
    }
    return batch.sort((a, b) => (a.actor.ref < b.actor.ref ? -1 : 1))
  }

  async #commit(batch: Taken[]): Promise<void> {
    const startedMs = performance.now()
    let verdicts: Verdict[]
    let outboxRows = 0
    try {
      const committed = await this.#journal.commit(batch.map(({ change }) => change))
      outboxRows = committed.outboxRows
      verdicts = batch.map(({ change }) =>
        committed.moved.has(change.ref) ? { is: 'committed', at: committed.at } : { is: 'fenced' },
      )
    } catch (error) {
      verdicts = await this.#oneByOne(batch, error)
    }
    this.#committing = false
    const ms = performance.now() - startedMs
    for (const [index, { actor, change, snapshot }] of batch.entries()) {
      actor.inFlight = []
      if (verdicts[index]?.is === 'committed') actor.advance(change.seq, snapshot)
      else actor.frozen = true
    }
    this.#start()
    for (const [index, { actor, pendings }] of batch.entries()) {
      const verdict = verdicts[index]
      if (verdict) this.#settle(actor, pendings, verdict)
    }
    const entries = batch.reduce((sum, { change }) => sum + change.entries.length, 0)
    this.#report({ actors: batch.length, entries, ms, outboxRows })
  }

  /** A bad row hurts only itself: after a refused statement each actor is committed alone. */
  async #oneByOne(batch: Taken[], error: unknown): Promise<Verdict[]> {
    if (!(error instanceof ChangeRefused)) return batch.map(() => ({ is: 'unknown' }))
    if (batch.length === 1) return [{ is: 'refused', error }]
    const verdicts: Verdict[] = []
    for (const { change } of batch) {
      try {
        const committed = await this.#journal.commit([change])
        verdicts.push(committed.moved.has(change.ref) ? { is: 'committed', at: committed.at } : { is: 'fenced' })
      } catch (single) {
        verdicts.push(single instanceof CommitUnknown ? { is: 'unknown' } : { is: 'refused', error: single })
      }
    }
    return verdicts
  }
}

type Taken = { actor: Actor; pendings: Pending[]; change: Change; snapshot: AnyMachineSnapshot }

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
