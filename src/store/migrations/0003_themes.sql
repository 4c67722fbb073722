create table theme (
  id integer generated always as identity primary key,
  organization_id integer not null references organization (id) on delete cascade,
  name text not null,
  sports text[] not null,
  active_version integer,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default clock_timestamp()
);

create table theme_variable (
  theme_id integer not null references theme (id) on delete cascade,
  id text not null,
  name text not null,
  type text not null check (type in ('string', 'number', 'boolean', 'enum')),
  default_value text,
  description text,
  enum_options text[],
  is_style boolean not null default false,
  primary key (theme_id, id),
  unique (theme_id, name)
);

-- The immutable file set of a code graphic, named by its content. Served under /bundles/<hash>/.
create table bundle (
  hash text primary key,
  entry text not null,
  -- [{name, mime, size, blob}]
  files jsonb not null
);

create table graphic (
  id text primary key,
  theme_id integer not null references theme (id) on delete cascade,
  kind text not null check (kind in ('code', 'rive')),
  name text not null,
  created_at timestamptz not null default now(),
  -- names key the manual graphic state of an overlay
  unique (theme_id, name)
);

-- The editable working copy; publishing replaces the row, so its id changes.
create table graphic_draft (
  id integer generated always as identity primary key,
  graphic_id text not null unique references graphic (id) on delete cascade,
  version integer not null,
  sports text[] not null,
  state_machine jsonb not null,
  -- [{name, mime, size, hash, version, updatedAt}]
  assets jsonb not null default '[]',
  updated_at timestamptz not null default clock_timestamp()
);

create table graphic_version (
  graphic_id text not null references graphic (id) on delete cascade,
  version integer not null,
  sports text[] not null,
  state_machine jsonb not null,
  bundle_hash text references bundle (hash),
  published_at timestamptz not null default now(),
  primary key (graphic_id, version)
);

create table theme_version (
  theme_id integer not null references theme (id) on delete cascade,
  version integer not null,
  notes text,
  published_at timestamptz not null default now(),
  primary key (theme_id, version)
);

create table theme_version_graphic (
  theme_id integer not null,
  version integer not null,
  graphic_id text not null,
  graphic_version integer not null,
  primary key (theme_id, version, graphic_id),
  foreign key (theme_id, version) references theme_version (theme_id, version) on delete cascade,
  foreign key (graphic_id, graphic_version) references graphic_version (graphic_id, version)
);

create table control_room (
  id integer generated always as identity primary key,
  organization_id integer not null references organization (id) on delete cascade,
  theme_id integer not null references theme (id) on delete cascade,
  name text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default clock_timestamp()
);

create table section (
  id text primary key,
  control_room_id integer not null references control_room (id) on delete cascade,
  name text not null,
  color_key text,
  order_index integer not null
);

create table preset (
  id integer generated always as identity primary key,
  control_room_id integer not null references control_room (id) on delete cascade,
  section_id text not null references section (id) on delete cascade,
  graphic_id text not null,
  name text not null,
  order_index integer not null,
  variable_values jsonb not null default '{}',
  exposed_variables text[] not null default '{}',
  updated_at timestamptz not null default clock_timestamp()
);
create index on preset (control_room_id);

create table theme_profile (
  id integer generated always as identity primary key,
  organization_id integer not null references organization (id) on delete cascade,
  competition_id integer not null references competition (id) on delete cascade,
  theme_id integer not null references theme (id) on delete cascade,
  name text not null,
  default_control_room_id integer not null references control_room (id),
  is_default boolean not null default false,
  archived_at timestamptz,
  created_at timestamptz not null default now()
);

create table theme_variable_value (
  theme_profile_id integer not null references theme_profile (id) on delete cascade,
  variable_id text not null,
  value text not null,
  primary key (theme_profile_id, variable_id)
);
