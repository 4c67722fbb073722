-- Officials that a match names are held until its commit, as a foreign key holds a venue: one that is deleted meanwhile refuses it.
create function hold_match_officials() returns trigger language plpgsql as $$
declare
  named integer[] := array(select distinct (one ->> 'id')::int from jsonb_array_elements(new.officials) one);
  held integer;
begin
  select count(*) into held from (select from official where id = any(named) for key share) o;
  if held < cardinality(named) then
    raise foreign_key_violation using message = 'a match names an official who is not there';
  end if;
  return new;
end $$;
create trigger hold_officials before insert on match
  for each row when (new.officials <> '[]') execute function hold_match_officials();
create trigger hold_other_officials before update of officials on match
  for each row when (new.officials <> '[]' and new.officials <> old.officials) execute function hold_match_officials();

-- what a deletion looks for
create index on match (venue_id);
create index on match using gin (officials jsonb_path_ops);
create index on team (default_venue_id);
create index on club (default_venue_id);
