import type { Logger } from 'pino'
import type { Sql } from 'postgres'
import type { RefreshObs } from '../src/obs/refresh.ts'
import type { Sync } from '../src/providers/sync.ts'
import type { Imports } from '../src/resources/motion-graphics/import-work.ts'
import { openQueue } from '../src/store/open-queue.ts'
import { openOutbox, outboxAgeSeconds } from '../src/store/outbox.ts'
import type { QueueConnection } from '../src/store/queue.ts'
import { autoStreamRunner, beginAutoStream, ensureAutoStream, firingOnTime, type Schedules } from './auto-stream.ts'
import { complaining } from './complaint.ts'
import { importRunner } from './imports.ts'
import { type JobHandler, jobRunner, type React, reactionRunner, reactionsLost } from './jobs.ts'
import { obsRefreshRunner } from './obs-refresh.ts'
import { ensureProviderSyncs, providerSyncRunner } from './provider-sync.ts'
import { DEFAULT_RETENTION, ensurePruning, prune } from './prune.ts'
import { type ReactionWorker, reactionWorker } from './reactions.ts'
import { ensureFilePruning, type FileRetention, fileRunner } from './retention/files.ts'
import type { Retention } from './retention/rows.ts'
import { type Fire, timerWorker } from './timers.ts'
import { type Waiting, waitingIn } from './waiting.ts'
import { queueRetries, type WebhookWork, webhookRecordRunner, webhookRetryRunner } from './webhooks.ts'

export type WorkerParts = {
  queue: QueueConnection
  sql: Sql
  log: Logger
  /** In the process that owns the actors; any other process works jobs only. */
  actors?: {
    fire: Fire
    react: React
    /** Whether what needs no queue is for this node to do, by a ref; of several nodes one does it. Left out: it is. */
    owns?: (ref: string) => boolean
    sync?: Sync
    imports?: Imports
    schedules?: Schedules
    files?: FileRetention
    webhooks?: WebhookWork
    refreshObs?: RefreshObs
  }
  /** How long things are kept. */
  retention?: Retention
  /** The handlers by job name; those of production by default. */
  jobs?: Readonly<Record<string, JobHandler>>
}

export type Workers = {
  /** Call after a commit that wrote outbox rows. */
  drainSoon(): void
  outboxAgeSeconds(): Promise<number>
  /** Stops taking work and waits for jobs that run, at most 5 s. Work that is not done stays in its rows. */
  close(): Promise<void>
}

const SWEEP_MS = 1_000
const OVERDUE_MS = 500
const LOST_MS = 1_000
const RECONCILE_MS = 10_000
/** Commits are told as they happen, or their node was killed. */
const WEBHOOKS_MS = 5_000

/** Starts the work behind the commits. Returns at once; connects in the background and survives the loss of queue and database. */
export function startWorkers({
  queue: connection,
  sql,
  log,
  actors,
  retention = DEFAULT_RETENTION,
  ...parts
}: WorkerParts): Workers {
  const { jobs = { prune: (tx) => prune(tx, retention) } } = parts
  const queue = openQueue(connection, log)
  const outbox = openOutbox(sql, queue, log, actors === undefined)
  const whenReady = [() => outbox.handOverAgain(), () => ensurePruning(sql, SWEEP_MS)]
  const waiting = waitingIn(sql)
  const when = (what: keyof Waiting, run: () => Promise<void>) => async () => {
    if ((await waiting())[what]) await run()
  }
  let closing = false
  const loops: (() => Promise<void>)[] = []
  /** Where the actors live. */
  let reactions: ReactionWorker | undefined
  const drainSoon = () => void (reactions ? reactions.take() : outbox.drain())
  queue.deliver('jobs', 4, jobRunner(sql, jobs, log))
  if (actors) {
    const { schedules, files, webhooks } = actors
    const fire = schedules ? firingOnTime(actors.fire, schedules) : actors.fire
    const { owns = () => true } = actors
    const timers = timerWorker(sql, queue, { fire, owns }, log)
    const react = reactionRunner(sql, actors.react, log)
    reactions = reactionWorker(sql, queue, { react: actors.react, othersWait: outbox.drainSoon }, log)
    const { take, underWay } = reactions
    const autoStream = schedules && autoStreamRunner(sql, schedules, log)
    const sweep = files && fileRunner(sql, files, log)
    const tellRecord = webhooks && webhookRecordRunner(sql, webhooks, log)
    const retry = webhooks && webhookRetryRunner(webhooks)
    const refreshObs = actors.refreshObs && obsRefreshRunner(sql, actors.refreshObs)
    queue.deliver('actors', 50, async (delivery) => {
      if (delivery.name === 'timer') return timers.look(delivery.data)
      if (delivery.name === 'prune-files') return sweep?.(delivery)
      if (delivery.name === 'webhook-record') return tellRecord?.(delivery)
      if (delivery.name === 'webhook') return retry?.(delivery)
      if (delivery.name === 'obs-refresh') return refreshObs?.(delivery)
      return delivery.name === 'auto-stream' ? autoStream?.(delivery) : react(delivery)
    })
    if (schedules) {
      let begun = false
      whenReady.push(async () => {
        await (begun ? ensureAutoStream(sql) : beginAutoStream(sql))
        begun = true
      })
    }
    if (files) whenReady.push(() => ensureFilePruning(sql, SWEEP_MS))
    if (actors.sync) {
      queue.deliver('syncs', 2, providerSyncRunner(sql, actors.sync, log))
      whenReady.push(() => ensureProviderSyncs(sql))
    }
    if (webhooks) {
      queueRetries(queue, webhooks, log)
      loops.push(loop(SWEEP_MS, webhooks.sweepSoon, log), loop(WEBHOOKS_MS, webhooks.sweep, log))
    }
    if (actors.imports) queue.deliver('imports', 2, importRunner(sql, actors.imports, log))
    loops.push(
      loop(OVERDUE_MS, when('timers', timers.fireOverdue), log),
      loop(LOST_MS, when('outbox', reactionsLost(sql, queue, { react: actors.react, owns }, log, underWay)), log),
      loop(SWEEP_MS, when('outbox', take), log),
    )
    whenReady.push(timers.reconcile)
  }
  queue.ready.then(
    () => {
      if (!closing)
        loops.push(loop(SWEEP_MS, when('outbox', outbox.drain), log), loop(RECONCILE_MS, inTurn(whenReady), log))
    },
    // closed before it was ever reached
    () => {},
  )
  return {
    drainSoon,
    outboxAgeSeconds: () => outboxAgeSeconds(sql),
    async close() {
      closing = true
      await Promise.all(loops.map((stop) => stop()))
      await reactions?.close()
      await outbox.close()
      await queue.close()
    },
  }
}

/** Runs one after the other, on one connection instead of one each; throws the first error when all have run. */
const inTurn = (runs: readonly (() => Promise<void>)[]) => async () => {
  const errors: unknown[] = []
  for (const run of runs) await run().catch((error: unknown) => errors.push(error))
  if (errors.length > 0) throw errors[0]
}

/** Runs again and again, the first time now, never twice at once; an error only means that the next round comes. */
function loop(everyMs: number, run: () => Promise<void>, log: Logger): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const complain = complaining(log, 'a round of the workers failed')
  const round = async () => {
    try {
      await run()
    } catch (error) {
      complain(error)
    }
    if (!stopped) timer = setTimeout(next, everyMs)
  }
  const next = () => {
    current = round()
  }
  let current = round()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await current
  }
}
