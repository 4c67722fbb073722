import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type App, createApp } from './app.ts'
import { apiVersion, changelog } from './changelog.ts'
import { banner } from './cli/banner.ts'
import type { Config } from './config.ts'
import { createDemo } from './demo/seed.ts'
import { createMetrics } from './metrics/metrics.ts'
import { isLoopback, parseNodeUrl } from './node-url.ts'
import { mayJoin } from './nodes/may-join.ts'
import { openNode } from './nodes/open.ts'
import { createUser } from './resources/organizations/commands.ts'
import {
  DEMO_NAME,
  findDemoWithoutPeople,
  findFirstProduction,
  hasNoOrganization,
} from './resources/organizations/queries.ts'
import { newPassword } from './secrets/passwords.ts'
import { type Listener, openListener } from './store/listen.ts'
import { openOwnStore, openSharedStore, type Store } from './store/open.ts'
import { announceServer } from './store/server-file.ts'

/** Held by the node that makes the demo. */
const DEMO_LOCK = 7_225_006
const INGEST_WITHIN_MS = 5_000
/** A banner that waits longer for the database is shown without the production. */
const BANNER_WITHIN_MS = 3_000

type Close = () => Promise<void> | void

/** The opened parts, to be closed in the opposite order; `app` once it takes requests. */
export type Opened = { closes: Close[]; app?: App }

/** The id that the process has as a node, and who is given the lines for people. */
type As = { id: string; tell(banner: string): void }

/**
 * Starts everything and serves; each opened part is added to `opened`. Throws one clear line for people.
 */
export async function serve(config: Config, log: Logger, opened: Opened, { id, tell }: As): Promise<void> {
  const { closes } = opened
  // others own the actors already: not one more write
  const end = (message: string) => {
    log.fatal(message)
    process.exit(1)
  }
  const { redisUrl } = config
  const store = redisUrl
    ? await openSharedStore(config, log, { mayJoin, onTaken: end })
    : await openOwnStore(config, log, end)
  closes.push(() => store.close())
  const listener = await openListener(store.url, log)
  closes.push(() => listener.close())
  listener.onUp(() => store.db.refresh())
  const node = redisUrl ? await joining(config, store, { id, redisUrl, listener, log, onMustLeave: end }) : undefined
  if (node) closes.push(() => node.close())
  let started = false
  const app = await createApp(config, {
    store,
    listener,
    nodeLock: store.nodeLock,
    metrics: createMetrics(),
    log,
    ...(node && { node }),
    started: () => started,
  })
  closes.push(() => app.close())
  opened.app = app
  const port = await app.listen()
  const publicUrl = config.publicUrl ?? `http://localhost:${port}`
  closes.push(announceServer(config.dataDir, publicUrl))
  // after the port is ours: the key is shown once, and a start that fails shows nothing
  const once = config.demo ? await madeOnce(app, store, publicUrl) : NOTHING_MADE
  started = true
  log.info({ port, publicUrl, ms: Math.round(performance.now()) }, 'serving')
  tell(banner(publicUrl, await announced(app, store, once, log)))
}

type Joining = { id: string; redisUrl: string; listener: Listener; log: Logger; onMustLeave(message: string): void }

const joining = ({ host, node }: Config, { url }: Store, { id, redisUrl, listener, log, onMustLeave }: Joining) =>
  openNode({
    id,
    databaseUrl: url,
    redisUrl,
    listener,
    url: node.url,
    // whose address others of this machine alone can reach listens for them alone
    host: node.url && isLoopback(node.url) ? parseNodeUrl(node.url).host : host,
    port: node.port,
    version: apiVersion(changelog),
    log,
    onMustLeave,
  })

type FirstProduction = NonNullable<Awaited<ReturnType<typeof findFirstProduction>>>

type ShownOnce = { apiKey: string | undefined; owner: { email: string; password: string } | undefined }

const NOTHING_MADE: ShownOnce = { apiKey: undefined, owner: undefined }

async function shown({ media }: App, { input, ...production }: FirstProduction, { apiKey, owner }: ShownOnce) {
  // its ports are known once it listens, which nobody waits for when it does not
  await Promise.race([media.start(), pause(INGEST_WITHIN_MS, undefined, { ref: false })])
  const lacks = media.lacks('ingest')
  return {
    ...production,
    ...(apiKey && { apiKey }),
    ...(owner && { owner }),
    ...(input && { input: { ...media.address(input), ...(lacks && { lacks }) } }),
  }
}

/** The banner's lines about the production. The node serves already: a slow database costs a few lines, not the node. */
async function announced(app: App, { db }: Store, once: ShownOnce, log: Logger) {
  const until = performance.now() + BANNER_WITHIN_MS
  for (;;) {
    try {
      const production = await findFirstProduction(db)
      return production && (await shown(app, production, once))
    } catch (error) {
      if (performance.now() < until) {
        await pause(250)
        continue
      }
      log.warn({ err: error }, 'the addresses of the production could not be read')
      return undefined
    }
  }
}

/** Of several nodes that start on an empty database, one makes it; the others serve meanwhile. */
async function madeOnce(app: App, store: Store, publicUrl: string): Promise<ShownOnce> {
  const held = await store.db.sql.reserve()
  try {
    const [lock] = await held<[{ taken: boolean }]>`select pg_try_advisory_lock(${DEMO_LOCK}) as taken`
    if (!lock.taken) return NOTHING_MADE
    try {
      return { apiKey: await firstDemo(app, store, publicUrl), owner: await firstOwner(store) }
    } finally {
      // a connection that was lost has let go of it
      await held`select pg_advisory_unlock(${DEMO_LOCK})`.catch(() => {})
    }
  } finally {
    held.release()
  }
}

/** On an empty database, a production to play with; its API key, which is shown only now. */
async function firstDemo({ request }: App, { db }: Store, publicUrl: string): Promise<string | undefined> {
  if (!(await hasNoOrganization(db.sql))) return undefined
  const { apiKey } = await createDemo({ db, request, publicUrl }, DEMO_NAME)
  return apiKey
}

/** While nobody can sign in anywhere, an owner of the demo, with a password that is shown only now. */
async function firstOwner({ db }: Store): Promise<{ email: string; password: string } | undefined> {
  const organizationId = await findDemoWithoutPeople(db.sql)
  if (organizationId === undefined) return undefined
  const owner = { email: 'owner@tally.example', password: newPassword() }
  await createUser(db, organizationId, { ...owner, role: 'owner' })
  return owner
}
