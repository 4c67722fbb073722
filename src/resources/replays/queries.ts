import { createHash } from 'node:crypto'
import type { ISql } from 'postgres'
import type { RecordedOverlay } from '../overlays/recorded.queries.ts'
import type { ReplayCreation } from './schema.ts'

/** The token of a replay's address, as it is stored. */
export const hashReplayToken = (token: string) => createHash('sha256').update(token).digest()

export type FoundReplay = { overlay: RecordedOverlay; settings: ReplayCreation; expiresAt: Date }

/** Undefined when nobody was given this token, or when it has expired. */
export async function findReplay(sql: ISql, token: string): Promise<FoundReplay | undefined> {
  const [row] = await sql<(RecordedOverlay & Omit<FoundReplay, 'overlay'>)[]>`
    select r.overlay_id as id, r.match_id as "matchId", coalesce(o.name, gone.name, '') as name, o.id is null as removed,
      r.settings, r.expires_at as "expiresAt"
    from replay r
    left join overlay o on o.id = r.overlay_id
    left join removed_overlay gone on gone.id = r.overlay_id
    where r.token_hash = ${hashReplayToken(token)} and r.expires_at > clock_timestamp()`
  if (!row) return undefined
  const { settings, expiresAt, ...overlay } = row
  return { overlay, settings, expiresAt }
}
