import type { HttpReply, Page } from './http/message.ts'
import type { Metrics } from './metrics.ts'

/** What readiness asks. Each check is named in the answer. */
export type Readiness = {
  /** Resolves when the database answers a query. */
  database(): Promise<unknown>
  /** Whether notifications arrive. */
  listening(): boolean
  /** Whether this node holds its database. */
  owner(): boolean
  /** True from the first signal to stop. */
  draining(): boolean
  /** Actors that cannot be loaded: told, but they make no node unready. */
  quarantined(): readonly string[]
}

const DATABASE_DEADLINE_MS = 1_000

const json = (status: number, body: unknown): HttpReply => ({
  status,
  headers: {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    ...(status === 503 ? { 'Retry-After': '1' } : {}),
  },
  body: JSON.stringify(body),
})

const inTime = async (work: Promise<unknown>): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, DATABASE_DEADLINE_MS, false)
  })
  const done = work.then(
    () => true,
    () => false,
  )
  const answered = await Promise.race([done, late])
  clearTimeout(timer)
  return answered
}

/** `/healthz` while the process lives, `/readyz` only while it can serve, `/metrics` for Prometheus. */
export function healthPages(readiness: Readiness, metrics: Metrics): Page[] {
  return [
    { path: '/healthz', handle: () => json(200, { status: 'ok' }) },
    {
      path: '/readyz',
      async handle() {
        const checks = {
          database: await inTime(readiness.database()),
          listen: readiness.listening(),
          // the start does not get here before the schema is right
          migrations: true,
          owner: readiness.owner(),
          accepting: !readiness.draining(),
        }
        const ready = Object.values(checks).every(Boolean)
        return json(ready ? 200 : 503, { ready, checks, quarantined: readiness.quarantined() })
      },
    },
    {
      path: '/metrics',
      async handle() {
        const { contentType, body } = await metrics.render()
        return { status: 200, headers: { 'Content-Type': contentType, 'Cache-Control': 'no-store' }, body }
      },
    },
  ]
}
