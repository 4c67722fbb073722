create table organization (
  id integer generated always as identity primary key,
  name text not null,
  -- a demo that was cut off while it was made stays false, and counts as no production
  complete boolean not null default true,
  created_at timestamptz not null default now()
);

create table api_key (
  id integer generated always as identity primary key,
  organization_id integer not null references organization (id) on delete cascade,
  name text not null,
  hash bytea not null unique,
  preview text not null,
  scopes text[] not null default '{}',
  -- 'read' or 'write' for a key made before scopes existed; those never expire
  legacy_access text check (legacy_access in ('read', 'write')),
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index on api_key (organization_id);

create table person (
  id integer generated always as identity primary key,
  organization_id integer not null references organization (id) on delete cascade,
  email text not null unique,
  role text not null check (role in ('owner', 'admin', 'user', 'operator')),
  password_hash text not null,
  created_at timestamptz not null default now()
);

-- Whoever changes a key, running servers forget it with the same commit.
create function announce_api_key() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform pg_notify('api_key', encode(old.hash, 'hex')); end if;
  if tg_op <> 'DELETE' then perform pg_notify('api_key', encode(new.hash, 'hex')); end if;
  return null;
end $$;
-- last_used_at is left out on purpose
create trigger announce after insert or delete or update of organization_id, name, hash, scopes, legacy_access, expires_at
  on api_key for each row execute function announce_api_key();
