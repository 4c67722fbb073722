alter table theme_profile add column updated_at timestamptz not null default clock_timestamp();

-- one default per competition: the one that overlays got so far
update theme_profile p set is_default = false
where is_default and (archived_at is not null or exists (
  select from theme_profile o
  where o.competition_id = p.competition_id and o.is_default and o.archived_at is null and o.id < p.id));
create unique index theme_profile_default on theme_profile (competition_id) where is_default;

create index on theme_profile (competition_id);
create index on theme_profile (theme_id);
create index on control_room (theme_id);
-- who wears a profile or a theme
create index on overlay (theme_profile_id);
create index on overlay (control_room_id);
