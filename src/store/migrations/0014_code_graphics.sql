-- A deleted graphic keeps its row: versions that a theme version pins still play, and presets still name it.
alter table graphic add column deleted_at timestamptz;
alter table graphic drop constraint graphic_theme_id_name_key;
create unique index graphic_name_idx on graphic (theme_id, name) where deleted_at is null;

-- The file set of the working copy under its own address; null while it is empty.
alter table graphic_draft add column bundle_hash text references bundle (hash);
-- no working copy could be changed after its publication until now
update graphic_draft d set bundle_hash = v.bundle_hash from graphic_version v
where v.graphic_id = d.graphic_id and v.version = d.version - 1;

-- Several uploads for one owner, taken together; it goes, with them, when they are.
create table upload_session (
  id uuid primary key,
  organization_id integer not null references organization (id) on delete cascade,
  -- what the files are for, as a ref: graphic/<id>
  owner text not null,
  -- who asked for it, and the digest of what was asked, by which asking again finds it
  principal text not null,
  digest text not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);
create index upload_session_owner_idx on upload_session (owner);
create index upload_session_expires_at_idx on upload_session (expires_at);

alter table upload
  add column session_id uuid references upload_session (id) on delete cascade,
  add column name text,
  add constraint upload_of_session unique (session_id, name);
