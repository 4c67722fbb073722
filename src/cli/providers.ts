import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { ActorHost } from '../actors/host.ts'
import { createCatalog } from '../catalog/catalog.ts'
import type { Context } from '../context.ts'
import { mediaOff } from '../media/off.ts'
import { createParsing } from '../parsing/pool.ts'
import { connectorsOf } from '../providers/connectors.ts'
import { createSync, type SyncReport } from '../providers/sync.ts'
import { connectProvider, disconnectProvider, requestSync } from '../resources/providers/commands.ts'
import { feedJsonSchema } from '../resources/providers/feed.schema.ts'
import { findConnection, findReport, listConnections } from '../resources/providers/queries.ts'
import { ConnectedProvider, FeedToken, FeedUrl, SyncInterval } from '../resources/providers/schema.ts'
import { createPostgresJournal } from '../store/journal-postgres.ts'
import { openListener } from '../store/listen.ts'
import { matchProjection } from '../store/match-projection.ts'
import { isNodeRunning } from '../store/node-lock.ts'
import { anyAddress, createOutbound } from '../store/outbound.ts'
import { type ConnectedDatabase, connectDatabase } from '../store/postgres.ts'
import { Id, optional, required, secretFrom, UsageError } from './arguments.ts'
import type { Command, Surroundings } from './commands.ts'

const POLL_MS = 200
/** A feed of the largest size, slowly served. */
const PATIENCE_MS = 900_000

export const providerCommands: readonly Command[] = [
  {
    name: 'providers connect',
    usage: '--org ID --provider custom --url URL [--interval 15m] [--token-stdin]',
    options: { org: 'value', provider: 'value', url: 'value', interval: 'value', 'token-stdin': 'switch' },
    async run(db, values, { stdin }) {
      const organizationId = required(values, 'org', Id)
      const provider = required(values, 'provider', ConnectedProvider)
      const url = required(values, 'url', FeedUrl)
      const intervalSeconds = optional(values, 'interval', SyncInterval) ?? 900
      const token = values['token-stdin'] ? await tokenFrom(stdin) : null
      return connectProvider(db, organizationId, { provider, url, intervalSeconds, token })
    },
  },
  {
    name: 'providers sync',
    usage: '--id ID',
    options: { id: 'value' },
    async run(db, values, surroundings) {
      const id = required(values, 'id', Id)
      const { requestedAt } = await requestSync(db, id)
      return reported(await syncedSince(db, id, requestedAt, surroundings))
    },
  },
  {
    name: 'providers list',
    usage: '[--org ID]',
    options: { org: 'value' },
    run: (db, values) => listConnections(db.sql, optional(values, 'org', Id)),
  },
  {
    name: 'providers disconnect',
    usage: '--id ID',
    options: { id: 'value' },
    run: (db, values) => disconnectProvider(db, required(values, 'id', Id)),
  },
  {
    name: 'providers schema',
    usage: '--provider custom',
    options: { provider: 'value' },
    async run(_db, values) {
      required(values, 'provider', ConnectedProvider)
      return feedJsonSchema()
    },
  },
]

async function tokenFrom(stdin: Readable): Promise<string> {
  const parsed = FeedToken.safeParse(await secretFrom(stdin))
  if (!parsed.success) throw new UsageError(`the token on stdin ${parsed.error.issues[0]?.message ?? 'is invalid'}`)
  return parsed.data
}

function reported(report: SyncReport): SyncReport {
  if ('error' in report) throw new UsageError([report.error, ...report.details].join('\n'))
  return report
}

/** The report of the sync that answers a request: a running server does it, and without one it is done here. */
async function syncedSince(db: ConnectedDatabase, id: number, since: string, at: Surroundings): Promise<SyncReport> {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    const syncing = (await findConnection(db.sql, id))?.syncing
    if (!syncing && !(await isNodeRunning(db.sql))) await syncHere(db, id, at)
    // written by `finishRun` and `failRun` alone
    const report = (await findReport(db.sql, id, since)) as SyncReport | undefined
    if (report) return report
    if (performance.now() > until)
      throw new UsageError('the sync takes very long; `providers list` tells what came of it')
    await pause(POLL_MS)
  }
}

/** Syncs in this process when it is due and no other does. Rows fence its own actors from those of a server that starts meanwhile. */
async function syncHere(
  db: ConnectedDatabase,
  id: number,
  { config, databaseUrl, publicUrl }: Surroundings,
): Promise<void> {
  const log = pino({ level: 'silent' })
  const listener = await openListener(databaseUrl, log)
  const journal = createPostgresJournal({
    connect: (pool) => connectDatabase(databaseUrl, pool).sql,
    sql: db.sql,
    secrets: db.secrets,
    projections: [matchProjection],
  })
  const actors = new ActorHost({ journal, publish: () => {}, log, idleMs: 5_000 })
  try {
    const catalog = await createCatalog(db.sql, listener)
    const systemContext = (organizationId: number, name: string, requestId: string): Context => {
      const ctx: Context = {
        organizationId,
        actor: { type: 'system', name },
        scopes: new Set(),
        requestId,
        commandId: randomUUID(),
        log,
        db,
        actors,
        // this process takes the actors that it needs, as a node that is alone does
        atOwner: (_ref, errand, args) => errand.run(ctx, args),
        catalog,
        parsing: createParsing({ log }),
        media: mediaOff(new URL(publicUrl).hostname, anyAddress),
        publicUrl,
      }
      return ctx
    }
    const outbound = createOutbound(config.outboundPrivate ? { permits: anyAddress } : {})
    await createSync({ db, connectors: connectorsOf(outbound), systemContext, log })(id)
  } finally {
    await actors.close()
    await journal.close()
    await listener.close()
  }
}
