-- Values of a match that somebody or a provider told, beside what its facts count: {"<id>": {"possession": 54}}.
create table match_statistics (
  match_id integer primary key references match on delete cascade,
  teams jsonb not null default '{}',
  players jsonb not null default '{}',
  updated_at timestamptz not null default clock_timestamp()
);
