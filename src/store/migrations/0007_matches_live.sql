-- A match is live: its actor holds configuration, competitors, facts and what they come to. The columns here are what its
-- commits show of that, for lists and joins. Provider, competition and creation belong to the row alone.
alter table match
  add column state text not null default 'scheduled',
  -- what the facts come to: period, clock, score, statistics; null until the first commit of a match that is older than this
  add column play jsonb,
  add column score_override jsonb,
  add column officials jsonb not null default '[]';
alter table match set (fillfactor = 70);

update match set officials = (
  select coalesce(jsonb_agg(jsonb_build_object('id', o.official_id, 'role', o.role) order by o.official_id), '[]')
  from match_official o where o.match_id = match.id);
drop table match_official;

create index on match (organization_id, competition_id, id);
create index on match (organization_id, starts_at, id);
create index on match_competitor (team_id, match_id);
create index on match_competitor (player_id, match_id);

-- Ids of facts are never used twice, so that the fact of another match is never mistaken for one of this.
create sequence match_fact_id as integer;

-- The journal of a match begins with the record it was made from, under seq 0, which the fold starts with.
update journal set ref = 'match-record/' || split_part(ref, '/', 2) where ref like 'match/%';
with made as (
  select m.id, m.organization_id, m.created_at, json_build_object(
    'sport', m.sport,
    'config', m.config,
    'settings', json_build_object(
      'name', m.name, 'competitorsType', m.competitors_type,
      'date', to_char(m.starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'timezone', m.timezone, 'venueId', m.venue_id, 'round', m.round, 'officials', m.officials,
      'pregameAutomationTime', m.pregame_automation_minutes,
      'postgameAutomationTime', m.postgame_automation_minutes),
    'competitors', (
      select coalesce(json_agg(json_build_object('entityType', c.entity_type, 'teamId', c.team_id,
        'playerId', c.player_id, 'isHome', c.is_home) order by c.position), '[]')
      from match_competitor c where c.match_id = m.id),
    'at', to_char(m.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) as match
  from match m
), journaled as (
  insert into journal (ref, seq, at, organization_id, command_id, request_id, principal, command, events)
  select 'match/' || id, 0, created_at, organization_id, gen_random_uuid(), 'migration',
    '{"type":"system","name":"migration"}', '{"type":"create"}',
    json_build_array(json_build_object('type', 'match.created', 'match', match))
  from made
)
insert into actor (ref, organization_id, machine_version, snapshot)
select 'match/' || id, organization_id, 0, json_build_object('value', 'scheduled', 'context', match) from made;
