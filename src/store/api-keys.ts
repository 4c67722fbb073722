import type { Logger } from 'pino'
import type { Sql } from 'postgres'
import { unavailable } from '../errors.ts'
import type { ApiKey, KeyStore } from '../http/auth.ts'
import { serviceTime } from '../waiting/service-time.ts'
import type { Listener } from './listen.ts'

const MAX_UNKNOWN = 10_000
const MAX_WAITING = 1_000
const USED_EVERY_MS = 60_000
const FLUSH_MS = 1_000

export type ApiKeyStore = KeyStore & {
  /** Writes the last uses that are still in memory. */
  close(): Promise<void>
}

type Row = {
  id: number
  organization_id: number
  name: string
  hash: string
  scopes: string[]
  legacy_access: 'read' | 'write' | null
  expires_at: Date | null
}

type Lookup = {
  found: Promise<ApiKey | undefined>
  settle(key: ApiKey | undefined): void
  fail(error: unknown): void
}

/**
 * Keys by hash in hex, cached while the channel `api_key` (payload: the hash in hex) is heard and read each time while it is not.
 * Lookups of unknown keys gather into one query at a time, so a flood of them costs the database next to nothing.
 * live-path 26
 */
export async function createApiKeyStore(options: { sql: Sql; listener: Listener; log: Logger }): Promise<ApiKeyStore> {
  const { sql, listener, log } = options
  const known = new Map<string, ApiKey>()
  const unknown = new Set<string>()
  // raised by everything that makes a row read before it doubtful
  let generation = 0
  let waiting = new Map<string, Lookup>()
  let reading = false

  const forgetAll = () => {
    generation++
    known.clear()
    unknown.clear()
  }
  listener.onDown(forgetAll)
  listener.onUp(forgetAll)
  await listener.listen('api_key', (hex) => {
    generation++
    known.delete(hex)
    unknown.delete(hex)
  })

  const remember = (hash: string, key: ApiKey | undefined) => {
    if (key) {
      known.set(hash, key)
      return
    }
    unknown.add(hash)
    const [oldest] = unknown
    if (unknown.size > MAX_UNKNOWN && oldest !== undefined) unknown.delete(oldest)
  }

  const readBatch = async () => {
    const batch = waiting
    const before = generation
    waiting = new Map()
    try {
      const rows = await sql<Row[]>`
        select id, organization_id, name, encode(hash, 'hex') as hash, scopes, legacy_access, expires_at
        from api_key where hash in (select decode(given, 'hex') from unnest(${[...batch.keys()]}::text[]) as given)`
      const found = new Map(rows.map((row) => [row.hash, fromRow(row)]))
      for (const [hash, lookup] of batch) {
        if (generation === before && listener.isUp()) remember(hash, found.get(hash))
        lookup.settle(found.get(hash))
      }
    } catch (error) {
      for (const lookup of batch.values()) lookup.fail(error)
    }
  }

  const readAll = async () => {
    reading = true
    while (waiting.size > 0) await readBatch()
    reading = false
  }

  const lookup = (hash: string): Promise<ApiKey | undefined> => {
    const joined = waiting.get(hash)
    if (joined) return joined.found
    if (waiting.size >= MAX_WAITING) return Promise.reject(unavailable())
    const added = newLookup()
    waiting.set(hash, added)
    if (!reading) void readAll()
    return added.found
  }

  const uses = createUses(sql, log)
  return {
    find(hash) {
      if (listener.isUp()) {
        const key = known.get(hash)
        if (key) return key
        if (unknown.has(hash)) return undefined
      }
      return lookup(hash)
    },
    used: uses.note,
    close: uses.close,
  }
}

const fromRow = (row: Row): ApiKey => ({
  id: row.id,
  organizationId: row.organization_id,
  name: row.name,
  hash: row.hash,
  scopes: row.scopes,
  legacyAccess: row.legacy_access,
  expiresAt: row.expires_at,
})

function newLookup(): Lookup {
  let settle: Lookup['settle'] = () => {}
  let fail: Lookup['fail'] = () => {}
  const found = new Promise<ApiKey | undefined>((resolve, reject) => {
    settle = resolve
    fail = reject
  })
  return { found, settle, fail }
}

/** Last uses, kept in memory and written together, each key at most once a minute. */
function createUses(sql: Sql, log: Logger) {
  const notedAt = new Map<number, number>()
  let unwritten = new Map<number, number>()
  let timer: NodeJS.Timeout | undefined

  const write = async () => {
    const uses = unwritten
    unwritten = new Map()
    timer = undefined
    if (uses.size === 0) return
    try {
      await sql`
        update api_key set last_used_at = greatest(last_used_at, to_timestamp(given.at / 1000))
        from unnest(${[...uses.keys()]}::int[], ${[...uses.values()]}::float8[]) as given(id, at)
        where api_key.id = given.id`
    } catch (error) {
      log.warn({ err: error, keys: uses.size }, 'last use of keys not recorded')
      // noted again at the next request
      for (const id of uses.keys()) notedAt.delete(id)
    }
  }

  return {
    note(id: number): void {
      const now = serviceTime()
      if (now - (notedAt.get(id) ?? 0) < USED_EVERY_MS) return
      notedAt.set(id, now)
      unwritten.set(id, now)
      timer ??= setTimeout(() => void write(), FLUSH_MS).unref()
    },
    async close(): Promise<void> {
      clearTimeout(timer)
      await write()
    },
  }
}
