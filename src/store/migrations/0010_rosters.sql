-- The photo of a player in the colours of one team; without it the player's own is shown.
alter table roster_entry add column photo_url text;

-- Says that the line-up of a team was set for a match, be it empty; before that the roster's defaults hold.
create table lineup (
  match_id integer not null references match (id) on delete cascade,
  team_id integer not null references team (id) on delete cascade,
  formation text,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (match_id, team_id)
);
insert into lineup (match_id, team_id) select distinct match_id, team_id from lineup_player;
alter table lineup_player add foreign key (match_id, team_id) references lineup (match_id, team_id) on delete cascade;

create index player_organization_id_id_idx on player (organization_id, id);
create index official_organization_id_id_idx on official (organization_id, id);
create index venue_organization_id_id_idx on venue (organization_id, id);
create index roster_entry_player_id_idx on roster_entry (player_id);
create index lineup_player_player_id_idx on lineup_player (player_id);
