create table grade (
  id integer generated always as identity primary key,
  name text not null unique
);
insert into grade (name) values
  ('Premier'), ('Division 1'), ('Division 2'), ('Division 3'), ('Reserves'), ('Championship'), ('Cup'),
  ('Friendly'), ('Youth'), ('School'), ('University'), ('Masters'), ('Social'), ('Other');

create table competition (
  id integer generated always as identity primary key,
  organization_id integer not null references organization (id) on delete cascade,
  name text not null,
  gfx_name text,
  sport text not null,
  age text not null default 'Unknown',
  gender text not null default 'Unknown',
  grade_id integer references grade (id),
  provider_name text,
  provider_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (organization_id, provider_name, provider_id)
);

create table venue (
  id integer generated always as identity primary key,
  organization_id integer not null references organization (id) on delete cascade,
  name text not null,
  gfx_name text,
  address text,
  city text,
  state text,
  country text,
  timezone text,
  latitude double precision,
  longitude double precision,
  courts text[] not null default '{}',
  provider_name text,
  provider_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (organization_id, provider_name, provider_id)
);

create table club (
  id integer generated always as identity primary key,
  organization_id integer not null references organization (id) on delete cascade,
  name text not null,
  logo_blob text,
  created_at timestamptz not null default now()
);

create table team (
  id integer generated always as identity primary key,
  organization_id integer not null references organization (id) on delete cascade,
  name text not null,
  gfx_name text,
  gfx_full_name text,
  abbreviation text,
  primary_background_color text,
  primary_text_color text,
  secondary_background_color text,
  secondary_text_color text,
  default_venue_id integer references venue (id),
  sport text not null,
  club_id integer references club (id),
  age text not null default 'Unknown',
  gender text not null default 'Unknown',
  grade_id integer references grade (id),
  logo_blob text,
  non_player_staff jsonb not null default '[]',
  provider_name text,
  provider_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (organization_id, provider_name, provider_id)
);

create table competition_team (
  competition_id integer not null references competition (id) on delete cascade,
  team_id integer not null references team (id) on delete cascade,
  primary key (competition_id, team_id)
);

create table player (
  id integer generated always as identity primary key,
  organization_id integer not null references organization (id) on delete cascade,
  first_name text not null,
  last_name text not null,
  photo_url text,
  provider_name text,
  provider_id text,
  created_at timestamptz not null default now(),
  unique (organization_id, provider_name, provider_id)
);

create table roster_entry (
  team_id integer not null references team (id) on delete cascade,
  player_id integer not null references player (id) on delete cascade,
  gfx_first_name text,
  gfx_last_name text,
  position text,
  position_type text,
  number text,
  starter boolean not null default false,
  bench boolean not null default false,
  captain boolean not null default false,
  primary key (team_id, player_id)
);

create table official (
  id integer generated always as identity primary key,
  organization_id integer not null references organization (id) on delete cascade,
  first_name text not null,
  last_name text not null,
  role text,
  gfx_name text,
  provider_name text,
  provider_id text,
  unique (organization_id, provider_name, provider_id)
);

create table match (
  id integer generated always as identity primary key,
  organization_id integer not null references organization (id) on delete cascade,
  competition_id integer not null references competition (id),
  sport text not null,
  name text,
  competitors_type text not null default 'teams',
  starts_at timestamptz not null,
  timezone text not null default 'UTC',
  venue_id integer references venue (id),
  round text,
  config jsonb not null default '{}',
  pregame_automation_minutes integer,
  postgame_automation_minutes integer,
  provider_name text,
  provider_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (organization_id, provider_name, provider_id)
);
create index on match (organization_id, id);

create table match_competitor (
  match_id integer not null references match (id) on delete cascade,
  position integer not null,
  entity_type text not null check (entity_type in ('team', 'player')),
  team_id integer references team (id),
  player_id integer references player (id),
  is_home boolean not null,
  primary key (match_id, position)
);

create table match_official (
  match_id integer not null references match (id) on delete cascade,
  official_id integer not null references official (id),
  role text not null,
  primary key (match_id, official_id)
);

create table lineup_player (
  match_id integer not null references match (id) on delete cascade,
  team_id integer not null references team (id),
  player_id integer not null references player (id),
  position_order integer not null,
  starting boolean not null,
  captain boolean not null default false,
  number text,
  position text,
  primary key (match_id, team_id, player_id)
);
