import type { ISql, PendingQuery } from 'postgres'

export type ShownOn = { id: number; organizationId: number }

type Lookup = (sql: ISql, id: number) => PendingQuery<ShownOn[]>

const ofMatches = (sql: ISql, matches: ReturnType<ISql>) => sql<ShownOn[]>`
  select id, organization_id as "organizationId" from overlay where match_id in (${matches})`

const ofProfile: Lookup = (sql, profileId) => sql<ShownOn[]>`
  select id, organization_id as "organizationId" from overlay where theme_profile_id = ${profileId}`

const itself: Lookup = (sql, id) => sql<ShownOn[]>`
  select id, organization_id as "organizationId" from overlay where id = ${id}`

/** By the kind in a record's ref. A kind that is not here concerns no overlay. */
const lookups: Readonly<Record<string, Lookup>> = {
  match: (sql, id) => ofMatches(sql, sql`select ${id}::int`),
  lineup: (sql, matchId) => ofMatches(sql, sql`select ${matchId}::int`),
  statistics: (sql, matchId) => ofMatches(sql, sql`select ${matchId}::int`),
  competition: (sql, id) => ofMatches(sql, sql`select id from match where competition_id = ${id}`),
  // only where something is on air, on preview or in rehearsal: a season has thousands of overlays that show nothing any more
  standings: (sql, competitionId) => sql<ShownOn[]>`
    select o.id, o.organization_id as "organizationId" from competition c
    join match m on m.organization_id = c.organization_id and m.competition_id = c.id
    join overlay o on o.match_id = m.id
    join actor a on a.ref = 'overlay/' || o.id
    where c.id = ${competitionId} and (a.snapshot->'context'->>'graphics' <> '{}'
      or a.snapshot->'context'->>'preview' <> '{}' or a.snapshot->'context'->'rehearsal'->>'graphics' <> '{}')`,
  venue: (sql, id) => ofMatches(sql, sql`select id from match where venue_id = ${id}`),
  official: (sql, id) =>
    ofMatches(
      sql,
      sql`select m.id from official f join match m on m.organization_id = f.organization_id
        and m.officials @> jsonb_build_array(jsonb_build_object('id', f.id)) where f.id = ${id}`,
    ),
  team: (sql, id) => ofMatches(sql, sql`select match_id from match_competitor where team_id = ${id}`),
  club: (sql, id) =>
    ofMatches(
      sql,
      sql`select c.match_id from match_competitor c join team t on t.id = c.team_id where t.club_id = ${id}`,
    ),
  player: (sql, id) =>
    ofMatches(
      sql,
      sql`select match_id from match_competitor where player_id = ${id}
        union select match_id from lineup_player where player_id = ${id}
        union select match_id from match_competitor c join roster_entry r using (team_id) where r.player_id = ${id}`,
    ),
  // where a graphic on air or on preview has one
  brand: (sql, id) => sql<ShownOn[]>`
    select o.id, o.organization_id as "organizationId" from brand b
    join overlay o on o.organization_id = b.organization_id
    join actor a on a.ref = 'overlay/' || o.id
    where b.id = ${id} and concat(a.snapshot->'context'->'graphics', a.snapshot->'context'->'preview',
      a.snapshot->'context'->'rehearsal') like '%"ads":{%'`,
  overlay: itself,
  'overlay-settings': itself,
  // the variables of a theme, by its id
  'theme-style': (sql, id) => sql<ShownOn[]>`
    select id, organization_id as "organizationId" from overlay
    where control_room_id in (select id from control_room where theme_id = ${id})
      or theme_profile_id in (select id from theme_profile where theme_id = ${id})`,
  'theme-profile': ofProfile,
  'data-source': ofProfile,
}

/** Kinds that tell one overlay of its own settings, or that it is behind; all others are data that graphics show. */
const OWN = new Set(['overlay', 'overlay-settings'])

/** The overlays that show something of a record, by its ref (`team/5`); undefined when no overlay shows such records. */
export function overlaysThatShow(sql: ISql, ref: string): PendingQuery<ShownOn[]> | undefined {
  const [kind = '', id = ''] = ref.split('/')
  return Object.hasOwn(lookups, kind) && /^\d+$/.test(id) ? lookups[kind]?.(sql, Number(id)) : undefined
}

/** Whether graphics show such records, so that each change of one is announced to the overlays that do. live-path 14 */
export function isShown(ref: string): boolean {
  const kind = ref.slice(0, ref.indexOf('/'))
  return Object.hasOwn(lookups, kind) && !OWN.has(kind)
}
