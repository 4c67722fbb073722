import type { Actor, Job, Outcome } from './actor.ts'
import type { Committer } from './committer.ts'

/** Runs an actor's queue: one job at a time, in order, in the same turn of the loop while nothing must be awaited. */
export class Mailboxes {
  readonly #committer: Committer
  readonly #wake: (actor: Actor, organizationId: number | undefined) => Promise<void>

  constructor(committer: Committer, wake: (actor: Actor, organizationId: number | undefined) => Promise<void>) {
    this.#committer = committer
    this.#wake = wake
  }

  post(actor: Actor, job: Job, organizationId: number | undefined): void {
    job.place = actor.waiting.join(job)
    actor.queue.push(job)
    if (actor.committed) this.pump(actor)
    else if (!actor.busy) this.#during(actor, undefined, this.#wake(actor, organizationId))
  }

  pump(actor: Actor): void {
    while (!actor.busy && !actor.frozen) {
      const job = actor.queue[0]
      if (!job) return
      if (job.answered) {
        actor.queue.shift()
        continue
      }
      // a job that must be committed alone waits until nothing else is on its way, and lets nothing follow
      const uncommitted = actor.inFlight.length + actor.gathered.length > 0
      if (uncommitted && (job.alone || actor.gathered[0]?.job.alone || actor.inFlight[0]?.job.alone)) return
      actor.queue.shift()
      this.#run(actor, job)
    }
  }

  #run(actor: Actor, job: Job): void {
    let applied: Outcome | Promise<() => Outcome>
    try {
      applied = job.apply(actor)
    } catch (error) {
      applied = { error }
    }
    if (!(applied instanceof Promise)) {
      this.#gather(actor, job, applied)
      return
    }
    const generation = actor.generation
    // the job stays first in the queue until it is folded: if the state it was decided on is taken back, it decides again
    actor.queue.unshift(job)
    const decided = (fold: () => Outcome) => {
      if (job.answered || actor.generation !== generation || actor.frozen) return
      actor.queue.shift()
      this.#gather(actor, job, attempt(fold))
    }
    this.#during(
      actor,
      job,
      applied.then(decided, (error) => decided(() => ({ error }))),
    )
  }

  /** A job that changed something waits for its commit; one judged on uncommitted state waits for that state's commit. */
  #gather(actor: Actor, job: Job, outcome: Outcome): void {
    const pending = { job, ...outcome }
    if (outcome.entry || outcome.timers) {
      actor.gathered.push(pending)
      this.#committer.schedule(actor)
    } else if (actor.gathered.length > 0) actor.gathered.push(pending)
    else if (actor.inFlight.length > 0) actor.inFlight.push(pending)
    else actor.answer(job, outcome)
  }

  /** The first job was answered 503 while its reads go on, perhaps for ever: the jobs behind it wait for them no longer. */
  release(actor: Actor): void {
    if (!actor.awaited?.job?.answered) return
    actor.awaited = undefined
    this.pump(actor)
  }

  #during(actor: Actor, job: Job | undefined, work: Promise<void>): void {
    const awaited = { job }
    actor.awaited = awaited
    void work.then(() => {
      // released meanwhile: another job may be awaited by now
      if (actor.awaited !== awaited) return
      actor.awaited = undefined
      this.pump(actor)
    })
  }
}

function attempt(fold: () => Outcome): Outcome {
  try {
    return fold()
  } catch (error) {
    return { error }
  }
}
