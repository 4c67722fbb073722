import type { Sql } from 'postgres'
import type { Context } from '../../context.ts'
import { SCOPE_RESOURCES } from '../../secrets/api-key.ts'
import type { ApiKeyRow } from './schema.ts'

export async function findOrganization(sql: Sql, id: number): Promise<{ id: number; name: string } | undefined> {
  const [row] = await sql<{ id: number; name: string }[]>`select id, name from organization where id = ${id}`
  return row
}

/** Whether there is no organization but demos that were cut off while they were made: the start makes the demo. */
export async function hasNoOrganization(sql: Sql): Promise<boolean> {
  return (await sql`select from organization where complete limit 1`).length === 0
}

/** The name that the first start gives the organization of its demo. */
export const DEMO_NAME = 'Demo'

/** The demo of the first start, as long as the database has no person who could sign in. */
export async function findDemoWithoutPeople(sql: Sql): Promise<number | undefined> {
  const [row] = await sql<{ id: number }[]>`
    select id from organization
    where complete and name = ${DEMO_NAME} and not exists (select from person) order by id limit 1`
  return row?.id
}

/** A legacy key stands for every resource. spec: Authentication 9 */
export const scopesShown = ({ scopes, legacy_access }: { scopes: string[]; legacy_access: string | null }): string[] =>
  legacy_access ? SCOPE_RESOURCES.map((name) => `${name}:${legacy_access}`) : scopes

/** Every key of the organization, oldest first; a legacy key shows the scopes that it stands for. */
export async function listKeys(sql: Sql, organizationId: number): Promise<ApiKeyRow[]> {
  const rows = await sql<
    {
      id: number
      name: string
      preview: string
      scopes: string[]
      legacy_access: string | null
      expires_at: Date | null
      created_at: Date
      last_used_at: Date | null
    }[]
  >`
    select id, name, preview, scopes, legacy_access, expires_at, created_at, last_used_at
    from api_key where organization_id = ${organizationId} order by id`
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    preview: row.preview,
    scopes: scopesShown(row),
    expiresAt: row.expires_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  }))
}

/**
 * The first overlay on a match of the demo's competition, and who has it; undefined when there is none. A match of another name is never
 * taken for the demo's.
 */
export async function findDemoMatch({ sql, secrets }: Pick<Context['db'], 'sql' | 'secrets'>, competitionName: string) {
  const [row] = await sql<
    { organizationId: number; overlayId: number; matchId: number; key: string; secrets: string }[]
  >`
    select o.organization_id as "organizationId", o.id as "overlayId", o.match_id as "matchId", o.key, o.secrets
    from overlay o join match m on m.id = o.match_id join competition c on c.id = m.competition_id
    where c.name = ${competitionName} and o.organization_id in (select id from organization where complete)
    order by o.id limit 1`
  if (!row) return undefined
  const { secrets: sealed, ...found } = row
  return { ...found, controlToken: secrets.open('overlay', found.overlayId, sealed).control }
}

/** The oldest overlay, a preset of its room (a lower third first) and the input of its stream, to show to a newcomer. */
export async function findFirstProduction({ sql, secrets }: Pick<Context['db'], 'sql' | 'secrets'>) {
  const [row] = await sql<
    {
      id: number
      key: string
      secrets: string
      preset_id: number | null
      graphic_name: string | null
      input_id: number | null
      input_secrets: string | null
      latency_ms: number
    }[]
  >`
    select overlay.id, overlay.key, overlay.secrets, shown.preset_id, shown.graphic_name,
      fed.input_id, fed.input_secrets, fed.latency_ms
    from overlay
    left join lateral (
      select preset.id as preset_id, graphic.name as graphic_name
      from preset join graphic on graphic.id = preset.graphic_id
      where preset.control_room_id = overlay.control_room_id
      order by graphic.name not ilike '%lower%third%', preset.id limit 1
    ) as shown on true
    left join lateral (
      select input.id as input_id, input.secrets as input_secrets, input.latency_ms
      from stream_settings join stream_input input on input.id = stream_settings.input_id
      where stream_settings.match_id = overlay.match_id and input.type = 'default'
      order by stream_settings.id limit 1
    ) as fed on true
    where overlay.organization_id in (select id from organization where complete)
    order by overlay.id limit 1`
  if (!row) return undefined
  return {
    overlay: { id: row.id, key: row.key, controlToken: secrets.open('overlay', row.id, row.secrets).control },
    ...(row.preset_id !== null && { preset: { id: row.preset_id, graphicName: row.graphic_name ?? '' } }),
    ...(row.input_id !== null &&
      row.input_secrets !== null && {
        input: {
          inputId: row.input_id,
          streamKey: secrets.open('stream_input', row.input_id, row.input_secrets).streamKey,
          latencyMs: row.latency_ms,
        },
      }),
  }
}
