-- What the file of a motion graphic holds, and where each of its files came from: {file, sources}. Null for a code graphic.
alter table graphic_draft add column motion jsonb;
alter table graphic_version add column motion jsonb;

-- Files that we write ourselves, by the SHA-256 of their text, for bundles to name like any other.
create table generated_file (
  hash text primary key,
  text text not null
);

-- A file on its way into the working copy of a motion graphic. How far it is says its actor, upload/<job_id>.
create table motion_import (
  job_id uuid primary key,
  candidate_id uuid not null,
  organization_id integer not null references organization (id) on delete cascade,
  graphic_id text not null references graphic (id) on delete cascade,
  -- which file it replaces; null for the first one
  asset_id text,
  filename text not null,
  sha256 text not null,
  retain_source boolean not null,
  -- which motion file of an archive is meant; null when there is only one
  selected_entry text,
  -- what was made of it, to be applied: null until it was looked at
  candidate jsonb,
  applied_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);
create index on motion_import (graphic_id);
create index on motion_import (expires_at);
