import type { Logger } from 'pino'
import type { Sql } from 'postgres'
import { WEBHOOKS_CHANGED } from '../resources/webhooks/commands.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { Listener } from '../store/listen.ts'

/** integrations: the old secret signs along for so long. */
const SIGNS_ALONG_MS = 86_400_000

/** An enabled webhook, as its attempts need it. */
export type Endpoint = {
  readonly id: number
  readonly organizationId: number
  readonly url: string
  /** Base64 behind `whsec_`; `until`: ms since 1970, by the clock of this process. */
  readonly keys: readonly { readonly secret: string; readonly until: number }[]
  /** No attempt was taken lately. */
  readonly isFailing: boolean
}

type Row = {
  id: number
  organizationId: number
  secrets: string
  rotatedAt: string | null
  rotatedMsAgo: number | null
  isFailing: boolean
}

type Parts = { sql: Sql; secrets: Secrets; listener: Listener; log: Logger }

export type Registry = {
  /** Whether anything of the organization is told to anybody. Costs a look into a map. */
  has(organizationId: number): boolean
  readonly isEmpty: boolean
  find(webhookId: number): Endpoint | undefined
  /** Called with the ids of webhooks that are new here, or were changed; `isFirst`: nobody of an organization was told of anything before. */
  onRead(listener: (ids: readonly number[], isFirst: boolean) => void): void
  /** Reads all of them; for when no notification can be trusted. */
  reread(): Promise<void>
}

/** The enabled webhooks of all organizations in memory, so that a commit of one without any asks nobody. */
export async function openRegistry({ sql, secrets, listener, log }: Parts): Promise<Registry> {
  const endpoints = new Map<number, Endpoint>()
  /** What each was read from: sealed anew with each change of its address or secret. */
  const sources = new Map<number, string>()
  const counts = new Map<number, number>()
  const listeners: ((ids: readonly number[], isFirst: boolean) => void)[] = []

  const drop = (organizationId?: number) => {
    for (const one of endpoints.values())
      if (organizationId === undefined || one.organizationId === organizationId) endpoints.delete(one.id)
  }

  const read = async (organizationId?: number) => {
    const rows = await sql<Row[]>`
      select id, organization_id as "organizationId", secrets, failing_since is not null as "isFailing",
        rotated_at::text as "rotatedAt", extract(epoch from clock_timestamp() - rotated_at)::float8 * 1000 as "rotatedMsAgo"
      from webhook where enabled ${organizationId === undefined ? sql`` : sql`and organization_id = ${organizationId}`}`
    const before = new Map(endpoints)
    drop(organizationId)
    const ids: number[] = []
    for (const { secrets: sealed, rotatedAt, rotatedMsAgo, ...row } of rows) {
      // the others of its organization are not unsealed and looked at for each change of one
      const known = before.get(row.id)
      const source = `${sealed} ${rotatedAt}`
      if (known && sources.get(row.id) === source) {
        endpoints.set(row.id, { ...known, isFailing: row.isFailing })
        continue
      }
      sources.set(row.id, source)
      ids.push(row.id)
      try {
        const { url, secret, before: replaced } = secrets.open('webhook', row.id, sealed)
        const left = rotatedMsAgo === null ? 0 : SIGNS_ALONG_MS - rotatedMsAgo
        const keys = [
          { secret, until: Number.POSITIVE_INFINITY },
          ...(replaced !== null && left > 0 ? [{ secret: replaced, until: Date.now() + left }] : []),
        ]
        endpoints.set(row.id, { ...row, url, keys })
      } catch (error) {
        log.error({ err: error, webhookId: row.id }, 'a webhook cannot be read')
      }
    }
    const isFirst = rows.some((row) => !counts.has(row.organizationId))
    counts.clear()
    for (const one of endpoints.values()) counts.set(one.organizationId, (counts.get(one.organizationId) ?? 0) + 1)
    for (const id of sources.keys()) if (!endpoints.has(id)) sources.delete(id)
    if (ids.length > 0) for (const tell of listeners) tell(ids, isFirst)
  }

  // one after the other: the answer of an older look must not come last
  let reading: Promise<void> = Promise.resolve()
  const readSoon = (organizationId?: number): Promise<void> => {
    reading = reading
      .then(() => read(organizationId))
      .catch((error) => {
        log.warn({ err: error }, 'webhooks could not be read')
      })
    return reading
  }

  await listener.listen(WEBHOOKS_CHANGED, (organizationId) => void readSoon(Number(organizationId)))
  listener.onUp(() => void readSoon())
  await readSoon()
  return {
    has: (organizationId) => counts.has(organizationId),
    get isEmpty() {
      return counts.size === 0
    },
    find: (webhookId) => endpoints.get(webhookId),
    onRead: (tell) => void listeners.push(tell),
    reread: () => readSoon(),
  }
}
