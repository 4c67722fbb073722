-- What is left of an overlay that was deleted, so that what it had on air can still be told.
create table removed_overlay (
  id integer primary key,
  organization_id integer not null references organization (id) on delete cascade,
  match_id integer not null references match (id) on delete cascade,
  name text not null,
  ad_type text,
  encoding_delay_seconds integer not null,
  created_at timestamptz not null,
  removed_at timestamptz not null default clock_timestamp()
);
create index on removed_overlay (match_id);

insert into removed_overlay (id, organization_id, match_id, name, encoding_delay_seconds, created_at, removed_at)
select made.id, made.organization_id, made.match_id, made.name, 0, made.at, gone.at
from (
  select split_part(ref, '/', 2)::int as id, organization_id, at, (events->0->>'matchId')::int as match_id,
    events->0->>'name' as name
  from journal where ref like 'overlay-settings/%' and events->0->>'type' = 'overlay.created'
) made
join match on match.id = made.match_id
join lateral (
  select at from journal where ref = 'overlay-settings/' || made.id and events->0->>'type' = 'overlay.deleted' limit 1
) gone on true;

-- One row per start of a server; `alive_at` is when it last said so: sockets that it left open ended then.
create table server_run (
  id uuid primary key,
  started_at timestamptz not null default clock_timestamp(),
  alive_at timestamptz not null default clock_timestamp()
);

-- When each renderer of an overlay was connected, and what it said to have on screen when it came.
create table renderer_session (
  id uuid primary key,
  overlay_id integer not null,
  run_id uuid not null,
  renderer text not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  showing json
);
create index on renderer_session (overlay_id, opened_at);
create index on renderer_session (opened_at);

-- An address under which what an overlay had on air is played again without a key.
create table replay (
  token_hash bytea primary key,
  overlay_id integer not null,
  match_id integer not null references match (id) on delete cascade,
  settings json not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);
create index on replay (expires_at);
