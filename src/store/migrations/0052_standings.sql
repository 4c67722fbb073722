-- Standings of a competition: rules and adjustments that somebody set. Without a row those that are usual in its sport hold.
create table competition_standings (
  competition_id integer primary key references competition on delete cascade,
  -- {points, bonus, tieBreakers, groups, betweenGroups}; null: the usual ones of the sport
  rules jsonb,
  adjustments jsonb not null default '[]',
  updated_at timestamptz not null default clock_timestamp()
);

-- When the result of a match last came, changed or went; null as long as it never had one.
alter table match add column result_changed_at timestamptz;
update match set result_changed_at = updated_at where state = 'finished';

-- Whoever writes a match that is finished, or was: standings on air follow, by whichever way it came to pass.
create function match_result_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    new.result_changed_at := clock_timestamp();
  end if;
  insert into outbox (kind, payload) values ('reaction', json_build_object(
    'event', 'standings.changed', 'ref', 'standings/' || old.competition_id));
  -- nodes that hold the table drop it, and look into the outbox
  perform pg_notify('standings', json_build_object('competition', old.competition_id)::text);
  return case when tg_op = 'DELETE' then old else new end;
end $$;

create trigger result_changed before update of state, play, competition_id on match
  for each row when (old.state = 'finished' or new.state = 'finished') execute function match_result_changed();

create trigger result_gone after delete on match
  for each row when (old.state = 'finished') execute function match_result_changed();
