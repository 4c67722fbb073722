import type { HttpReply, HttpRequest, Page } from '../http/message.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { inTime } from '../waiting/in-time.ts'
import { lately } from '../waiting/lately.ts'
import { metricsRefusal } from './metrics-access.ts'

/** The checks of readiness, each named in the answer. */
export type Readiness = {
  /** Resolves, when the database answers, whether its schema is the one of this code and whether it takes writes. */
  database(): Promise<{ migrated: boolean; writable: boolean }>
  /** Whether notifications arrive. */
  listening(): boolean
  /** Whether this node holds its database. */
  owner(): boolean
  /** False until the start is complete, and from the first signal to stop. */
  accepting(): boolean
  /** Actors that cannot be loaded: told, but they make no node unready. */
  quarantined(): readonly string[]
  /** Actors whose last commit is not settled because they cannot be claimed: told, but they make no node unready. */
  unsettled(): readonly string[]
  /** Programs that the media plane lacks: told, but they make no node unready. */
  media(): readonly string[]
  /** Nodes whose files cannot be read here: told, but it is no node more than another. Left out where there are no others. */
  unreadFilesOf?(): readonly string[]
}

const json = (status: number, body: unknown): HttpReply => ({
  status,
  headers: {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    ...(status === 503 ? { 'Retry-After': '1' } : {}),
  },
  body: JSON.stringify(body),
})

const ALIVE = json(200, { status: 'ok' })

/** Both are asked without a key: a question costs nothing when one was answered so lately. */
const RENDERED_EVERY_MS = 500
const PROBED_EVERY_MS = 250

/** The metrics as an answer to a client that was let in. */
export function metricsReply(metrics: Pick<Metrics, 'render'>, now?: () => number): () => Promise<HttpReply> {
  const rendered = lately(
    RENDERED_EVERY_MS,
    async () => {
      const { contentType, body } = await metrics.render()
      return { contentType, body: Buffer.from(body) }
    },
    now,
  )
  return async () => {
    const { contentType, body } = await rendered()
    return { status: 200, headers: { 'Content-Type': contentType, 'Cache-Control': 'no-store' }, body }
  }
}

/** How metrics on the public port are guarded; undefined: they have a port of their own. */
export type MetricsAccess = { token: string | undefined } | undefined

/** `/healthz` while the process lives, `/readyz` only while it can serve, `/metrics` for Prometheus. */
export function healthPages(readiness: Readiness, metrics: () => Promise<HttpReply>, access: MetricsAccess): Page[] {
  const probed = lately(PROBED_EVERY_MS, () => inTime(readiness.database()))
  return [
    { path: '/healthz', handle: () => ALIVE },
    {
      path: '/readyz',
      async handle() {
        const database = await probed()
        const checks = {
          database: database !== undefined,
          writable: database?.writable === true,
          migrations: database?.migrated === true,
          listen: readiness.listening(),
          owner: readiness.owner(),
          accepting: readiness.accepting(),
        }
        const ready = Object.values(checks).every(Boolean)
        const media = { problems: readiness.media() }
        const actors = { quarantined: readiness.quarantined(), unsettled: readiness.unsettled() }
        const files = readiness.unreadFilesOf && { files: { unreadOf: readiness.unreadFilesOf() } }
        return json(ready ? 200 : 503, { ready, checks, ...actors, media, ...files })
      },
    },
    ...(access
      ? [{ path: '/metrics', handle: (request: HttpRequest) => metricsRefusal(access.token, request) ?? metrics() }]
      : []),
  ]
}
