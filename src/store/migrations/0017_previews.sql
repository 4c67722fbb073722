-- An address under which one graphic is looked at without a key, for a while.
create table preview (
  token_hash bytea primary key,
  graphic_id text not null references graphic (id) on delete cascade,
  -- what the page begins with: {version, scenarioId, variableValues, themeVariableValues, profileId}
  settings json not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);
create index on preview (graphic_id);
create index on preview (expires_at);
