create table stream_input (
  id integer generated always as identity primary key,
  organization_id integer not null references organization (id) on delete cascade,
  name text not null,
  type text not null default 'default',
  stream_key text not null default '',
  source_url text not null default '',
  latency_ms integer not null default 2000,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default clock_timestamp()
);

create table stream_settings (
  id integer generated always as identity primary key,
  organization_id integer not null references organization (id) on delete cascade,
  match_id integer not null references match (id) on delete cascade,
  name text not null,
  input_id integer references stream_input (id),
  overlay_id integer references overlay (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default clock_timestamp()
);

create table stream_destination (
  id integer generated always as identity primary key,
  organization_id integer not null references organization (id) on delete cascade,
  stream_settings_id integer not null references stream_settings (id) on delete cascade,
  name text not null,
  type text not null,
  url text not null default '',
  created_at timestamptz not null default now()
);
