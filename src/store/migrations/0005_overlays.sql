create table overlay (
  id integer generated always as identity primary key,
  organization_id integer not null references organization (id) on delete cascade,
  match_id integer not null references match (id) on delete cascade,
  key uuid not null unique default gen_random_uuid(),
  control_token text not null unique,
  monitoring_token text not null unique,
  name text not null,
  auto_mode boolean not null default true,
  ad_type text check (ad_type in ('free', 'brands', 'noBrands')),
  encoding_delay_seconds integer not null default 0 check (encoding_delay_seconds between 0 and 60),
  -- raising the delay freezes the view here; it never goes back before this seq
  delay_floor_seq bigint not null default 0,
  theme_profile_id integer references theme_profile (id),
  control_room_id integer references control_room (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default clock_timestamp()
);
create index on overlay (organization_id, id);
create index on overlay (match_id);

-- When a renderer said that a graphic was on screen as of a seq.
create table paint (
  overlay_id integer not null,
  graphic_id text not null,
  seq bigint not null,
  renderer text not null,
  reported_at timestamptz not null
);
-- the first reports of a graphic at or after a seq
create index on paint (overlay_id, graphic_id, seq) include (renderer, reported_at);
create index on paint using brin (reported_at);
