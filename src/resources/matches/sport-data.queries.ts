import type { Sql } from 'postgres'
import type { SportKey } from '../../schema/sport.ts'
import type { SportPlayer } from './sport-data.schema.ts'

export type Person = { firstName: string; lastName: string; gfxFirstName?: string | null; gfxLastName?: string | null }

export type CompetitorRow = {
  order: number
  entityType: 'team' | 'player'
  teamId: number | null
  playerId: number | null
  isHome: boolean
  player: Person | null
}

export type MatchRow = {
  id: number
  organizationId: number
  name: string | null
  sport: SportKey
  competitorsType: 'singles' | 'doubles' | 'teams' | 'group'
  startsAt: Date
  timezone: string
  round: string | null
  competition: { id: number; name: string; gfxName: string | null }
  venue: {
    id: number
    name: string
    fullName: string
    city: string | null
    country: string | null
    courts: string[]
  } | null
  officials: { id: number; role: string; firstName: string; lastName: string; gfxName: string | null }[]
  competitors: CompetitorRow[]
}

/** The row of a match with the names around it. */
export async function findMatchRow(sql: Sql, matchId: number): Promise<MatchRow | undefined> {
  const [row] = await sql<MatchRow[]>`
    select m.id, m.organization_id as "organizationId", m.name, m.sport, m.competitors_type as "competitorsType",
      m.starts_at as "startsAt", m.timezone, m.round,
      json_build_object('id', c.id, 'name', c.name, 'gfxName', c.gfx_name) as competition,
      case when v.id is not null then json_build_object('id', v.id, 'name', coalesce(v.gfx_name, v.name),
        'fullName', v.name, 'city', v.city, 'country', v.country, 'courts', v.courts) end as venue,
      (select coalesce(json_agg(json_build_object('id', o.id, 'role', said.role, 'firstName', o.first_name,
          'lastName', o.last_name, 'gfxName', o.gfx_name) order by said.place), '[]')
        from jsonb_array_elements(m.officials) with ordinality as one (official, place)
        cross join lateral (select (one.official->>'id')::int as id, one.official->>'role' as role, one.place) said
        join official o on o.id = said.id) as officials,
      (select coalesce(json_agg(json_build_object('order', x.position, 'entityType', x.entity_type, 'teamId', x.team_id,
          'playerId', x.player_id, 'isHome', x.is_home, 'player', case when p.id is not null then json_build_object(
            'firstName', p.first_name, 'lastName', p.last_name, 'gfxFirstName', r.gfx_first_name,
            'gfxLastName', r.gfx_last_name) end) order by x.position), '[]')
        from match_competitor x
        left join player p on p.id = x.player_id
        left join roster_entry r on r.team_id = x.team_id and r.player_id = x.player_id
        where x.match_id = m.id) as competitors
    from match m
    join competition c on c.id = m.competition_id
    left join venue v on v.id = m.venue_id
    where m.id = ${matchId}`
  return row
}

/** Everyone on the rosters of these teams, and these players; a player on a roster has the entry of that team. */
export const findPlayers = (sql: Sql, teamIds: readonly number[], playerIds: readonly number[]) => sql<
  Omit<SportPlayer, 'starting' | 'inLineup'>[]
>`
  select p.id, r.team_id as "teamId", p.first_name as "firstName", p.last_name as "lastName",
    r.gfx_first_name as "gfxFirstName", r.gfx_last_name as "gfxLastName", r.number, r.position,
    r.position_type as "positionType", coalesce(r.captain, false) as captain, coalesce(r.photo_url, p.photo_url) as "photoUrl"
  from player p
  left join roster_entry r on r.player_id = p.id and r.team_id = any(${[...teamIds]})
  where r.team_id is not null or p.id = any(${[...playerIds]})
  order by p.id, r.team_id`
