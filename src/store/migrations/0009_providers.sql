create table provider_connection (
  id integer generated always as identity primary key,
  organization_id integer not null references organization (id) on delete cascade,
  provider_name text not null,
  url text not null,
  -- sent to the provider as a bearer token; read by the sync alone, never listed, journaled or logged
  token text,
  interval_seconds integer not null,
  created_at timestamptz not null default clock_timestamp(),
  -- when the initial load was complete
  loaded_at timestamptz,
  -- when to sync next: the truth behind every job of the queue
  due_at timestamptz not null default clock_timestamp(),
  -- who syncs now; a lease that is not renewed ends by itself
  run_id uuid,
  run_until timestamptz,
  failures integer not null default 0,
  last_started_at timestamptz,
  last_finished_at timestamptz,
  last_success_at timestamptz,
  last_error text,
  last_result json,
  unique (organization_id, provider_name)
);

-- The pages of the last complete sync, gzipped: what a provider may answer 304 for, and what an edit by hand is told apart by.
create table provider_page (
  connection_id integer not null references provider_connection (id) on delete cascade,
  position integer not null,
  url text not null,
  etag text,
  last_modified text,
  body bytea not null,
  primary key (connection_id, position)
);
