import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Context } from '../context.ts'
import type { Database } from '../database.ts'
import type { Feed } from '../resources/providers/feed.schema.ts'
import type { ProviderName } from '../schema/provider.ts'
import { serviceMoment } from '../waiting/service-time.ts'
import { type ProviderConnector, SyncError } from './connector.ts'
import { localIds } from './local.ts'
import { type MatchCounts, takeMatches } from './matches.ts'
import { type CountsByKind, type Records, takeRecords } from './records.ts'
import { checkReferences } from './references.ts'
import {
  claimRun,
  failRun,
  fence,
  finishRun,
  markLoaded,
  RENEW_MS,
  type Run,
  RunLost,
  releaseRun,
  renewRun,
  storedPages,
  storedTold,
} from './runs.ts'
import { toldBy } from './told.ts'

/** The result of a sync, or why there was none. Times are ISO 8601. */
export type SyncReport = {
  connectionId: number
  provider: ProviderName
  startedAt: string
  finishedAt: string
  /** Matches of which not everything could be taken, by the provider's id; the next sync tries them again. */
  unfinished: readonly string[]
} & (
  | { counts: CountsByKind & MatchCounts; problems: readonly string[] }
  | { error: string; details: readonly string[] }
)

export type SyncParts = {
  db: Database
  connectors: ReadonlyMap<ProviderName, ProviderConnector>
  /** The context of a command that no client asked for; `requestId` names its cause. */
  systemContext(organizationId: number, name: string, requestId: string): Context
  log: Logger
  /** Aborted when the process stops: syncs under way end soon and are done anew by the next. */
  signal?: AbortSignal
  finished?(report: SyncReport): void
}

/** The result of asking for a sync: its report, or when to ask again (undefined: the connection is gone, or it was cut off). */
export type SyncOutcome = { report: SyncReport } | { waitMs: number | undefined; busy: boolean }

export type Sync = (connectionId: number) => Promise<SyncOutcome>

/**
 * Syncs connections, each when it is due and never twice at once. A sync that was cut off anywhere is made good by the next:
 * everything is found again by the provider's ids, and equal rows are not written.
 */
export function createSync({ db, connectors, systemContext, log, signal, finished }: SyncParts): Sync {
  const { sql } = db

  return async (connectionId) => {
    const claim = await claimRun(db, connectionId)
    if (!('run' in claim)) return claim
    const { run } = claim
    const startedAt = serviceMoment()
    const about = () => ({ connectionId, provider: run.provider, startedAt, finishedAt: serviceMoment() })
    let lost = false
    const renewing = setInterval(async () => {
      try {
        lost ||= !(await renewRun(sql, run))
      } catch (error) {
        // a lease that cannot be renewed ends, and the fence keeps this run from writing
        log.warn({ err: error, connectionId }, 'a sync could not renew its lease')
      }
    }, RENEW_MS)
    const going = () => {
      if (signal?.aborted || lost) throw new RunLost()
    }
    try {
      const { read, ...done } = await carryOut(run, going)
      const report: SyncReport = { ...about(), ...done }
      await finishRun(db, run, report, read)
      log.info({ connectionId, provider: run.provider, counts: done.counts }, 'provider synced')
      finished?.(report)
      return { report }
    } catch (error) {
      if (signal?.aborted) {
        await releaseRun(sql, run)
        return { waitMs: 0, busy: true }
      }
      if (error instanceof RunLost) {
        log.warn({ connectionId }, 'a sync was given up: its lease was lost')
        return { waitMs: undefined, busy: false }
      }
      const { message, details, retryAfterMs } = error instanceof SyncError ? error : unexpectedFailure()
      const report = { ...about(), unfinished: run.unfinished, error: message, details }
      await failRun(sql, run, report, retryAfterMs)
      log.warn(
        {
          connectionId,
          provider: run.provider,
          reason: message,
          details,
          ...(!(error instanceof SyncError) && { err: error }),
        },
        'a provider could not be synced',
      )
      finished?.(report)
      return { report }
    } finally {
      clearInterval(renewing)
    }
  }

  async function carryOut(run: Run, going: () => void) {
    const connector = connectors.get(run.provider)
    if (!connector) throw new SyncError(`there is no connector for ${run.provider}`)
    const known = await storedPages(db, run.connectionId)
    const pages = await connector.fetch(run.source, known, signal)
    const unchanged = pages.length === known.length && pages.every((page, index) => page === known[index])
    const feed = await connector.read(pages)
    const before = await storedTold(sql, run.connectionId)
    const requestId = `sync-${randomUUID()}`
    const context = () => systemContext(run.organizationId, `provider ${run.provider}`, requestId)
    const records = await take(context(), run, feed, before)
    const { counts, problems } = await takeMatches({
      copy: { organizationId: run.organizationId, provider: run.provider },
      feed,
      before,
      again: new Set(run.unfinished),
      local: records.local,
      context,
      going,
    })
    return {
      counts: { ...records.counts, ...counts },
      problems: problems.lines,
      unfinished: [...problems.matches],
      read: unchanged && before ? undefined : { pages, told: toldBy(before, feed) },
    }
  }

  /** All records in one transaction. */
  async function take(ctx: Context, run: Run, feed: Feed, before: Feed | undefined): Promise<Records> {
    const copy = { organizationId: run.organizationId, provider: run.provider }
    return db.write(ctx, { ref: `provider-connection/${run.connectionId}`, type: 'sync' }, async (tx) => {
      await fence(tx, run)
      const known = await localIds(tx, copy)
      const grades = new Map(
        (await tx<{ id: number; name: string }[]>`select id, name from grade`).map(({ id, name }) => [name, id]),
      )
      checkReferences(feed, known, grades)
      const records = await takeRecords(tx, copy, { feed, before, known, grades, initial: !run.loaded })
      if (!run.loaded) await markLoaded(tx, run)
      await fence(tx, run)
      return { result: records, events: records.events, outbox: records.outbox }
    })
  }
}

const unexpectedFailure = () => new SyncError('an unexpected error; the log of the server says more')
