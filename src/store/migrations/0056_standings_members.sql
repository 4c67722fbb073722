-- A team that leaves a competition, or is deleted, leaves its table as well: its place in groups and its adjustments. Standings on air follow.
create function competition_teams_left() returns trigger language plpgsql as $$
begin
  with left_by as (
    select g.competition_id, array_agg(g.team_id) as teams from gone g join competition c on c.id = g.competition_id
    group by g.competition_id
  )
  update competition_standings s set
    updated_at = greatest(clock_timestamp(), s.updated_at + interval '1 millisecond'),
    adjustments = coalesce((
      select jsonb_agg(one.value order by one.place)
      from jsonb_array_elements(s.adjustments) with ordinality as one(value, place)
      where not (one.value->>'teamId')::int = any(l.teams)), '[]'),
    rules = case when s.rules ? 'groups' then jsonb_set(s.rules, '{groups}', coalesce((
      select jsonb_agg(jsonb_set(named.value, '{teamIds}', coalesce((
        select jsonb_agg(member.value order by member.place)
        from jsonb_array_elements(named.value->'teamIds') with ordinality as member(value, place)
        where not (member.value)::int = any(l.teams)), '[]')) order by named.place)
      from jsonb_array_elements(s.rules->'groups') with ordinality as named(value, place)), '[]')) else s.rules end
  from left_by l where s.competition_id = l.competition_id;
  insert into outbox (kind, payload)
    select 'reaction', json_build_object('event', 'standings.changed', 'ref', 'standings/' || c.id)
    from competition c where c.id in (select competition_id from gone);
  perform pg_notify('standings', json_build_object('competition', c.id)::text)
    from competition c where c.id in (select competition_id from gone);
  return null;
end $$;

create trigger teams_left after delete on competition_team referencing old table as gone
  for each statement execute function competition_teams_left();

-- A match that is abandoned may count, too: each side has points for no result.
create trigger no_result_changed before update of state, play, competition_id on match
  for each row when ((old.state = 'abandoned' or new.state = 'abandoned') and old.state <> 'finished' and new.state <> 'finished')
  execute function match_result_changed();

create trigger no_result_gone after delete on match
  for each row when (old.state = 'abandoned') execute function match_result_changed();

-- Those that were settled before a table knew them.
update match set result_changed_at = updated_at where state = 'abandoned' and result_changed_at is null;
update competition_standings s set adjustments = coalesce((
  select jsonb_agg(one) from jsonb_array_elements(s.adjustments) as one where exists (
    select from competition_team x where x.competition_id = s.competition_id and x.team_id = (one->>'teamId')::int)), '[]')
  where s.adjustments <> '[]';
