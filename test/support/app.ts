import { randomBytes, randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import { freePort } from '../../bench/free-port.ts'
import { type App, createApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import type { Media } from '../../src/media/ports.ts'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { nodeUrl } from '../../src/node-url.ts'
import { openNode } from '../../src/nodes/open.ts'
import { createParsing, type Parsing } from '../../src/parsing/pool.ts'
import { hashApiKey, KEY_RESOURCES, keyPreview, newApiKey } from '../../src/secrets/api-key.ts'
import { openKeys } from '../../src/secrets/open.ts'
import { type Listener, openListener } from '../../src/store/listen.ts'
import { takeNodeLock } from '../../src/store/node-lock.ts'
import { connectDatabase } from '../../src/store/postgres.ts'
import { settleKeys } from '../../src/store/secrets/settle.ts'
import { checkAnswer } from './answers.ts'
import { CONNECT_WITHIN_SECONDS, type TestDatabase, testDatabase } from './database.ts'
import { quickPlace } from './quick-place.ts'
import { TEST_KEY } from './secrets.ts'

export type TestApp = {
  readonly app: App
  readonly database: TestDatabase
  readonly port: number
  /** `http://127.0.0.1:<port>` */
  readonly origin: string
  readonly dataDir: string
  /** A REST call with JSON; `path` below `/rest`. */
  call(
    method: string,
    path: string,
    options?: { key?: string; body?: unknown; headers?: Record<string, string> },
  ): Promise<Answer>
  /** Stops the server and starts another on the same database and port; `meanwhile` is done while there is none. */
  restart(meanwhile?: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

/**
 * Of this process: the threads keep nothing of a job, and to start one takes longer than to start the rest of a server. What a busy
 * machine is slow to read is no fault of the file: the answer is the 503 of the deadline, and its test is tried again.
 */
const threads = createParsing({ log: pino({ level: 'error' }, process.stderr), jobMs: 10_000 })
const parsing: Parsing = { ...threads, close: async () => {} }

export type Answer = { status: number; headers: Headers; body: Record<string, unknown> & { details?: unknown } }

/**
 * The whole server on port 0, on a database of its own. Environment values may be given; the limiter is off unless asked for,
 * and so is media: a test may give a plane of its own, and a database that is not empty, which is dropped with the rest. With
 * `REDIS_URL` it is a node beside others on the given database.
 */
export async function startApp(
  environment: Record<string, string> = {},
  media?: Media,
  log: Logger = pino({ level: environment.LOG_LEVEL ?? 'silent' }),
  given?: TestDatabase,
): Promise<TestApp> {
  const database = given ?? (await testDatabase())
  const dataDir = mkdtempSync(join(quickPlace(), 'tally-app-'))
  if (database.files) cpSync(database.files, dataDir, { recursive: true })
  // a port that the server picked itself could not be taken again by the next one
  const port = await freePort()
  let running = await start()

  async function start() {
    const config = readConfig({
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      RATE_LIMIT: 'off',
      MEDIA_ENGINE: 'off',
      DRAIN_MS: '0',
      SECRETS_KEY: TEST_KEY,
      ...environment,
    })
    const metrics = createMetrics()
    const [listener, nodeLock] = await Promise.all([
      openListener(database.url, log),
      environment.REDIS_URL
        ? { isHeld: () => true, release: async () => {} }
        : takeNodeLock(database.url, log, (message) => {
            throw new Error(message)
          }),
    ])
    const node = environment.REDIS_URL ? await joining(environment.REDIS_URL, listener) : undefined
    const keys = openKeys(config)
    const db = connectDatabase(database.url, {
      connections: 4,
      connectWithinSeconds: CONNECT_WITHIN_SECONDS,
      log,
      secrets: keys.ring,
    })
    await settleKeys(db.sql, keys)
    const store = { url: database.url, db, keys, embedded: undefined, close: () => db.close(1) }
    const app = await createApp(config, {
      store,
      listener,
      nodeLock,
      metrics,
      log,
      parsing,
      ...(media && { media }),
      ...(node && { node }),
    })
    await app.listen()
    const stop = async () => {
      await app.close()
      await node?.close()
      await Promise.all([listener.close(), nodeLock.release()])
      await store.close()
    }
    return { app, stop }
  }

  async function joining(redisUrl: string, listener: Listener) {
    const nodePort = await freePort()
    return openNode({
      id: randomBytes(5).toString('hex'),
      databaseUrl: database.url,
      redisUrl,
      listener,
      url: nodeUrl({ host: '127.0.0.1', port: nodePort }),
      host: '127.0.0.1',
      port: nodePort,
      version: '1.0.0',
      log,
      onMustLeave(message) {
        throw new Error(message)
      },
    })
  }

  return {
    get app() {
      return running.app
    },
    database,
    dataDir,
    get port() {
      return port
    },
    get origin() {
      return `http://127.0.0.1:${port}`
    },
    async call(method, path, { key, body, headers } = {}) {
      const response = await fetch(`http://127.0.0.1:${port}/rest${path}`, {
        method,
        headers: {
          ...(key && { Authorization: `Bearer ${key}` }),
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      checkAnswer(method, path, response.status, response.headers.get('content-type') ?? '', text)
      return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
    },
    async restart(meanwhile) {
      await running.stop()
      try {
        await meanwhile?.()
      } finally {
        running = await start()
      }
    },
    async close() {
      await running.stop()
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export type TestOrganization = { id: number; key: string; keyId: number }

/** A new organization with a key; every write scope unless scopes are given. */
export async function newOrganization(
  { sql }: TestDatabase,
  scopes: readonly string[] = KEY_RESOURCES.map((resource) => `${resource}:write`),
): Promise<TestOrganization> {
  const [organization] = await sql<{ id: number }[]>`
    insert into organization (name) values (${`Test ${randomUUID()}`}) returning id`
  if (!organization) throw new Error('no organization was made')
  return { id: organization.id, ...(await newKey({ sql }, organization.id, scopes)) }
}

/** Another key of an organization. */
export async function newKey({ sql }: Pick<TestDatabase, 'sql'>, organizationId: number, scopes: readonly string[]) {
  const key = newApiKey()
  const [row] = await sql<{ id: number }[]>`
    insert into api_key (organization_id, name, hash, preview, scopes)
    values (${organizationId}, 'test', ${hashApiKey(key)}, ${keyPreview(key)}, ${[...scopes]}) returning id`
  if (!row) throw new Error('no key was made')
  return { key, keyId: row.id }
}
