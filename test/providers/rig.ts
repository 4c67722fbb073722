import { pino } from 'pino'
import { onTestFinished, type TestContext } from 'vitest'
import { ActorHost } from '../../src/actors/host.ts'
import type { ProviderConnector } from '../../src/providers/connector.ts'
import { customConnector, type FeedLimits } from '../../src/providers/custom.ts'
import { createSync, type SyncReport } from '../../src/providers/sync.ts'
import { connectProvider, requestSync } from '../../src/resources/providers/commands.ts'
import { createPostgresJournal } from '../../src/store/journal-postgres.ts'
import { matchProjection } from '../../src/store/match-projection.ts'
import { anyAddress, createOutbound } from '../../src/store/outbound.ts'
import { connectDatabase } from '../../src/store/postgres.ts'
import { newOrganization } from '../support/app.ts'
import { testContext } from '../support/context.ts'
import type { TestDatabase } from '../support/database.ts'

/** Waits little between attempts. */
export const HASTE = { attempts: 4, backoffMs: 5, longestWaitMs: 2_000 }

/** The connector of custom feeds, which may reach this machine. */
export const localConnector = (limits?: FeedLimits): ProviderConnector =>
  customConnector(createOutbound({ permits: anyAddress }), HASTE, limits)

export type Done = Extract<SyncReport, { counts: unknown }>
export type Failed = Extract<SyncReport, { error: string }>

/** Syncs the connections of a database, each when asked, with actors of its own until the test finishes. */
export function syncing(
  { db, url }: TestDatabase,
  connector = localConnector(),
  signal?: AbortSignal,
  test: Pick<TestContext, 'onTestFinished'> = { onTestFinished },
) {
  const connect = () => connectDatabase(url, { connections: 1 }).sql
  const journal = createPostgresJournal({ connect, sql: db.sql, secrets: db.secrets, projections: [matchProjection] })
  const log = pino({ level: 'silent' })
  const actors = new ActorHost({ journal, publish: () => {}, log, idleMs: 60_000 })
  test.onTestFinished(async () => {
    await actors.close()
    await journal.close()
  })
  const context = (organizationId: number, name = 'test', requestId = 'test') =>
    testContext(organizationId, { db, actors, actor: { type: 'system', name }, requestId })
  const failures: unknown[] = []
  const sync = createSync({
    db,
    connectors: new Map([[connector.name, connector]]),
    systemContext: context,
    ...(signal && { signal }),
    log: Object.assign(log, { warn: (fields: { err?: unknown }) => void failures.push(fields.err) }),
  })
  const report = async (id: number): Promise<SyncReport> => {
    await requestSync(db, id)
    const outcome = await sync(id)
    if (!('report' in outcome)) throw new Error(`there was no sync: ${JSON.stringify(outcome)}`)
    return outcome.report
  }
  return {
    sync,
    context,
    async done(id: number): Promise<Done> {
      const one = await report(id)
      if ('error' in one) throw new Error([one.error, ...one.details].join('\n'), { cause: failures.at(-1) })
      return one
    },
    async failed(id: number): Promise<Failed> {
      const one = await report(id)
      if (!('error' in one)) throw new Error('the sync succeeded')
      return one
    },
  }
}

/** A new organization that is connected to a feed. */
export async function connected(database: TestDatabase, url: string, token: string | null = null) {
  const organization = await newOrganization(database)
  const { id } = await connectProvider(database.db, organization.id, {
    provider: 'custom',
    url,
    intervalSeconds: 900,
    token,
  })
  return { organization, id }
}
