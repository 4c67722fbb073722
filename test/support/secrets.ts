import { randomUUID } from 'node:crypto'
import type { Sql } from 'postgres'
import { digestOf } from '../../src/secrets/digest.ts'
import { type KeySource, openKeys } from '../../src/secrets/open.ts'
import type { RowSecrets, SealedTable } from '../../src/secrets/secrets.ts'

/** What every database of the tests is sealed with, unless a test makes a key of its own. */
export const TEST_KEY = 'dGVzdHMgaGF2ZSBhIGtleSBvZiB0aGVpciBvd24sIDE='

/** The keys of a process with `SECRETS_KEY`, those of the tests unless given; the first one is used. */
export function testKeys(secretsKey = TEST_KEY): KeySource {
  const keys = openKeys({ secretsKey, dataDir: '/nowhere' })
  keys.ring.use(keys.ring.preferred?.id ?? '')
  return keys
}

const { ring } = testKeys()

/** What a row that a test inserts itself has for an id and its secrets. */
export async function sealedRow<Table extends SealedTable>(sql: Sql, table: Table, secrets: RowSecrets[Table]) {
  const [row] = await sql<{ id: number }[]>`select nextval(pg_get_serial_sequence(${table}, 'id'))::int as id`
  const id = row?.id ?? 0
  return { id, secrets: ring.seal(table, id, secrets) }
}

type OverlayRow = {
  organizationId: number
  matchId: number
  name?: string
  profileId?: number | null
  delaySeconds?: number
  key?: string
  control?: string
  monitoring?: string
}

/** A bare overlay; answers its id. */
export async function addOverlay(sql: Sql, row: OverlayRow): Promise<number> {
  const { organizationId, matchId, name = 'Overlay', key = randomUUID() } = row
  const { control = randomUUID(), monitoring = randomUUID() } = row
  const { id, secrets } = await sealedRow(sql, 'overlay', { control, monitoring })
  await sql`
    insert into overlay (id, organization_id, match_id, key, secrets, control_digest, monitoring_digest, name,
      encoding_delay_seconds, theme_profile_id)
    overriding system value
    values (${id}, ${organizationId}, ${matchId}, ${key}, ${secrets}, ${digestOf(control)}, ${digestOf(monitoring)}, ${name},
      ${row.delaySeconds ?? 0}, ${row.profileId ?? null})`
  return id
}
