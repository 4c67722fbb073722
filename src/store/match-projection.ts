import type { Projection } from './commit-statement.ts'

/**
 * The row of a match and its competitors, from the projection of its actor (`projectMatch`). Competitors keep their place;
 * places beyond the last go, and with a team that no longer competes its line-up.
 */
export const matchProjection: Projection = [
  `match_row as (
      update match set
        name = r.name, competitors_type = r."competitorsType", starts_at = r.date, timezone = r.timezone,
        venue_id = r."venueId", round = r.round, officials = r.officials, config = r.config,
        pregame_automation_minutes = r."pregameAutomationTime",
        postgame_automation_minutes = r."postgameAutomationTime",
        state = r.state, play = r.play, score_override = r."scoreOverride",
        updated_at = coalesce(r."updatedAt", now())
      from projected p, jsonb_to_record(p.record) as r(
        name text, "competitorsType" text, date timestamptz, timezone text, "venueId" int, round text, officials jsonb,
        config jsonb, "pregameAutomationTime" int, "postgameAutomationTime" int, state text, play jsonb,
        "scoreOverride" jsonb, "updatedAt" timestamptz)
      where p.kind = 'match' and match.id = p.id
    )`,
  `match_sides as (
      insert into match_competitor as c (match_id, position, entity_type, team_id, player_id, is_home)
      select p.id, s.position, s."entityType", s."teamId", s."playerId", s."isHome"
      from projected p, jsonb_to_recordset(p.record->'competitors') as s(
        position int, "entityType" text, "teamId" int, "playerId" int, "isHome" boolean)
      where p.kind = 'match' and exists (select from match m where m.id = p.id)
      on conflict (match_id, position) do update set
        entity_type = excluded.entity_type, team_id = excluded.team_id, player_id = excluded.player_id,
        is_home = excluded.is_home
      where (c.entity_type, c.team_id, c.player_id, c.is_home)
        is distinct from (excluded.entity_type, excluded.team_id, excluded.player_id, excluded.is_home)
    )`,
  `match_sides_gone as (
      delete from match_competitor c using projected p
      where p.kind = 'match' and c.match_id = p.id and c.position >= jsonb_array_length(p.record->'competitors')
    )`,
  `match_lineups_gone as (
      delete from lineup l using projected p
      where p.kind = 'match' and l.match_id = p.id and not exists (
        select from jsonb_array_elements(p.record->'competitors') s where (s->>'teamId')::int = l.team_id)
    )`,
]
