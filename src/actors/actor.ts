import type { AnyMachineSnapshot } from 'xstate'
import type { Kind } from '../../machines/kinds.ts'
import type { TimerChange, Transition } from '../../machines/transition.ts'
import type { IdempotencyClaim } from '../principal.ts'
import { Line, type Place } from '../waiting/line.ts'
import { Texts } from './encode.ts'
import type { Entry, IdempotencyRow, Ref, StoredActor } from './journal.ts'
import { decodeSnapshot } from './rows.ts'

/** The outcome of a job on the tentative state. Without entry and timers the job changed nothing. */
export type Outcome = {
  result?: unknown
  error?: unknown
  entry?: Entry
  facts?: readonly { type: string }[]
  /** Facts that are journaled apart from those; none unless said. */
  asides?: readonly { type: string }[]
  timers?: readonly TimerChange[]
  /** The columns that the record's row is to hold, as JSON text. */
  projection?: string
  /** The row of its Idempotency-Key, and the claim that hears what became of it before the caller does. */
  idempotency?: IdempotencyRow
  claim?: IdempotencyClaim
}

/** A command on its way through a mailbox. `apply` may run again after a commit that was fenced, lost or refused. */
export type Job = {
  readonly startedAtMs: number
  runs: number
  /** Committed by itself, because a batch with it was refused. */
  alone: boolean
  /** Answered already (503): if it was not sent to the database yet, it never runs. */
  answered: boolean
  /** Folds into the actor at once, or promises the fold for when the rows that the command needs have been read. */
  apply(actor: Actor): Outcome | Promise<() => Outcome>
  resolve(result: unknown): void
  reject(error: unknown): void
  /** Among those of its actor that wait for an answer. */
  place: Place<Job> | undefined
}

/** A job with its outcome, waiting for the commit that makes it durable. */
export type Pending = Outcome & { job: Job }

/** One actor in the memory of its owner: its committed state, the state folded on top, the jobs that wait. */
export class Actor {
  readonly ref: Ref
  readonly kind: Kind
  readonly transition: Transition
  organizationId = 0
  epoch = 0
  committedSeq = 0
  /** Undefined until the row was claimed. */
  committed: AnyMachineSnapshot | undefined
  tentativeSeq = 0
  tentative: AnyMachineSnapshot | undefined
  /** Rises when the state is loaded or rewound, so that a fold decided before is not applied after. */
  generation = 0
  readonly texts = new Texts()
  /** Not folded yet. */
  queue: Job[] = []
  /** Folded, for the next commit. */
  gathered: Pending[] = []
  /** In the commit under way. */
  inFlight: Pending[] = []
  /** Its last commit met a foreign lock, or shared a statement with one that did: the next does not share one. */
  held = false
  /** Known to the committer as having gathered something. */
  dirty = false
  /** Every job without an answer yet, oldest first. */
  readonly waiting = new Line<Job>()
  /** Awaited before the next job runs: the wake, or the reads of the first job. The queue stands still. */
  awaited: { job: Job | undefined } | undefined
  /** The last commit failed or its outcome is not known: nothing runs until that is settled. */
  frozen = false
  lastUsedMs: number

  constructor(ref: Ref, kind: Kind, transition: Transition, nowMs: number) {
    this.ref = ref
    this.kind = kind
    this.transition = transition
    this.lastUsedMs = nowMs
  }

  /** Takes over the stored state. Throws when the snapshot cannot be read. */
  load(stored: StoredActor): void {
    const snapshot = decodeSnapshot(this.kind, stored.machineVersion, stored.snapshot)
    this.organizationId = stored.organizationId
    this.epoch = stored.epoch
    this.advance(stored.seq, snapshot)
    this.rewind()
  }

  /** A commit is durable up to here. */
  advance(seq: number, snapshot: AnyMachineSnapshot): void {
    this.committedSeq = seq
    this.committed = snapshot
  }

  /** Forgets what is folded but not in a commit; returns those jobs, in order. */
  rewind(): Job[] {
    const jobs = this.gathered.map(({ job }) => job)
    this.gathered = []
    this.tentative = this.committed
    this.tentativeSeq = this.committedSeq
    this.generation += 1
    return jobs
  }

  /** Gives the job its answer, once. */
  answer(job: Job, outcome: { result?: unknown; error?: unknown }): void {
    if (job.answered) return
    job.answered = true
    if (job.place) this.waiting.leave(job.place)
    if (outcome.error === undefined) job.resolve(outcome.result)
    else job.reject(outcome.error)
  }

  /** Whether a command is folded and not committed yet, so that the journal does not hold it. */
  hasUnderWay(commandId: string): boolean {
    const isIt = ({ entry }: Pending) => entry?.commandId === commandId
    return this.inFlight.some(isIt) || this.gathered.some(isIt)
  }

  get busy(): boolean {
    return this.awaited !== undefined
  }

  get idle(): boolean {
    return !this.busy && !this.frozen && this.waiting.size === 0 && this.inFlight.length + this.gathered.length === 0
  }
}
