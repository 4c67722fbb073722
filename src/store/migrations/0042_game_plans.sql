-- The game plan of a theme profile: its rules in order, as JSON. A profile without a row has none.
create table game_plan (
  theme_profile_id integer primary key references theme_profile (id) on delete cascade,
  rules json not null,
  updated_at timestamptz not null default clock_timestamp()
);
