-- What a theme takes from outside under an alias. The sample itself is not kept, only its first rows, converted.
create table data_source_template (
  id integer generated always as identity primary key,
  theme_id integer not null references theme (id) on delete cascade,
  alias text not null,
  source_type text not null check (source_type in ('csv', 'xlsx')),
  shape text not null check (shape in ('cell', 'kv', 'rows')),
  -- json, not jsonb: the order of keys is that of the columns
  config json,
  schema json not null,
  sample json not null,
  description text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (theme_id, alias)
);

-- What was pushed last for a template, per theme profile; absent before any push.
create table data_source (
  theme_profile_id integer not null references theme_profile (id) on delete cascade,
  template_id integer not null references data_source_template (id) on delete cascade,
  value json not null,
  row_count integer not null,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (theme_profile_id, template_id)
);
create index on data_source (template_id);
