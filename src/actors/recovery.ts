import { notFound, unavailable, unexpected } from '../errors.ts'
import type { Actor, Job, Pending } from './actor.ts'
import { type IdempotencyRow, type Journal, RecordGone, type Ref } from './journal.ts'
import type { Mailboxes } from './mailbox.ts'
import type { Verdict } from './taken.ts'
import type { Unsettled } from './unsettled.ts'

const MAX_RUNS = 3
const FIRST_RETRY_MS = 20
const LAST_RETRY_MS = 500

type Parts = {
  journal: Journal
  mailboxes: Mailboxes
  /** Publishes and answers one committed job. */
  done(actor: Actor, pending: Pending, at: number): void
  forget(actor: Actor): void
  /** Whether the actor is still this node's. */
  owns(ref: Ref): boolean
  /** The actor is another node's: waiting callers are sent there. Of `unknown` nobody here knows the outcome. */
  leave(unknown: readonly Pending[]): void
  /** The actor cannot be loaded, and why. */
  quarantine(ref: Ref, error: unknown): void
  unsettled: Unsettled
  /** True once the host is closed: unsettled commits are then left to the next owner, which finds them in the journal. */
  stopped(): boolean
  log: { warn(fields: object, text: string): void; error(fields: object, text: string): void }
}

/** Brings a frozen actor back after a commit that did not go through as sent, and runs its jobs again where that is right. */
export async function recover(
  parts: Parts,
  actor: Actor,
  pendings: readonly Pending[],
  verdict: Verdict,
): Promise<void> {
  const later = actor.rewind()
  if (verdict.is === 'repeated') repeat(actor, pendings, verdict.rows)
  // not counted as a run: the commit was never sent, or wrote nothing
  if (verdict.is === 'late' || verdict.is === 'repeated')
    return resume(parts, actor, [...pendings.map(({ job }) => job), ...later])
  if (verdict.is === 'refused') {
    refuse(parts, actor, pendings, verdict.error)
    thaw(parts, actor, [...pendings.map(({ job }) => job), ...later])
    return
  }
  parts.log.warn({ ref: actor.ref, verdict: verdict.is }, 'commit did not settle, claiming the actor again')
  const entries = verdict.is === 'unknown' ? pendings.flatMap(({ entry }) => entry ?? []) : []
  const seqs = entries.map(({ seq }) => seq)
  const claimed = await settled(parts, actor, seqs)
  parts.unsettled.over(actor.ref, claimed !== undefined)
  if (!parts.owns(actor.ref)) return parts.leave(verdict.is === 'unknown' ? pendings : [])
  if (!claimed?.stored) {
    for (const job of actor.waiting) actor.answer(job, { error: claimed ? notFound() : unavailable() })
    parts.forget(actor)
    return
  }
  try {
    actor.load(claimed.stored)
  } catch (error) {
    parts.quarantine(actor.ref, error)
    for (const job of actor.waiting) actor.answer(job, { error: unavailable() })
    parts.forget(actor)
    return
  }
  const again: Job[] = []
  for (const pending of pendings) {
    const row = pending.entry && claimed.found.get(pending.entry.seq)
    if (row && row.commandId === pending.entry?.commandId) parts.done(actor, pending, row.at)
    else again.push(pending.job)
  }
  thaw(parts, actor, [...again, ...later])
}

/** What an earlier request under its Idempotency-Key has done is not done again: its caller reads the answer of that one. */
function repeat(actor: Actor, pendings: readonly Pending[], rows: ReadonlySet<IdempotencyRow>): void {
  for (const { job, idempotency, claim } of pendings) {
    if (!claim || !idempotency || !rows.has(idempotency)) continue
    claim.taken = true
    actor.answer(job, { error: unavailable() })
  }
}

/** A statement that the database refuses hurts only the command that made it: several are tried one by one. */
function refuse(parts: Parts, actor: Actor, pendings: readonly Pending[], error: unknown): void {
  const changing = pendings.filter(({ entry, timers }) => entry || timers)
  const culprit = changing.length === 1 ? changing[0] : undefined
  if (culprit && error instanceof RecordGone) actor.answer(culprit.job, { error: notFound() })
  else if (culprit) {
    parts.log.error({ ref: actor.ref, err: error }, 'command refused by the database')
    actor.answer(culprit.job, { error: unexpected() })
  } else for (const { job } of changing) job.alone = true
}

/** Claims until the database answers. The claim waits for or fences a commit still under way, so the state it reads is final. */
async function settled({ journal, unsettled, stopped, owns }: Parts, { ref }: Actor, seqs: readonly number[]) {
  for (let waitMs = FIRST_RETRY_MS; !stopped() && owns(ref); waitMs = Math.min(waitMs * 2, LAST_RETRY_MS)) {
    try {
      const stored = await journal.claim(ref)
      return { stored, found: await journal.find(ref, seqs) }
    } catch (error) {
      unsettled.failed(ref, error)
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }
  return undefined
}

function thaw(parts: Parts, actor: Actor, jobs: readonly Job[]): void {
  const again: Job[] = []
  for (const job of jobs) {
    job.runs += 1
    if (job.runs < MAX_RUNS) again.push(job)
    else actor.answer(job, { error: unavailable() })
  }
  resume(parts, actor, again)
}

function resume({ mailboxes }: Parts, actor: Actor, jobs: readonly Job[]): void {
  actor.queue.unshift(...jobs.filter(({ answered }) => !answered))
  actor.frozen = false
  mailboxes.pump(actor)
}
