import type { Sql } from 'postgres'
import type { Card } from '../realtime/ports.ts'

/** The settings that a channel needs of its overlay; undefined once it is deleted. */
export async function findChannelCard(sql: Sql, overlayId: number): Promise<Card | undefined> {
  const [row] = await sql<Card[]>`
    select o.id, o.organization_id as "organizationId", o.name, o.match_id as "matchId", m.sport,
      o.encoding_delay_seconds as "encodingDelaySeconds", o.control_room_id as "controlRoomId",
      coalesce(r.theme_id, p.theme_id) as "themeId", o.theme_profile_id as "profileId",
      o.auto_mode as "autoMode", o.ad_type as "adType",
      json_build_object('key', o.key, 'monitoring', o.monitoring_digest, 'control', o.control_digest) as tokens
    from overlay o
    join match m on m.id = o.match_id
    left join control_room r on r.id = o.control_room_id
    left join theme_profile p on p.id = o.theme_profile_id
    where o.id = ${overlayId}`
  return row
}
