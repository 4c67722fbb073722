-- Several nodes as one service. Only new tables: a node of the version before goes on beside them. All times are the database's.

-- One row, made by the first node that joins.
create table service (
  one boolean primary key default true check (one),
  id uuid not null default gen_random_uuid(),
  -- what nodes know each other by
  link_secret bytea,
  -- the newest migration that the code of a node must know to serve here; null: any
  needs text
);

create table node (
  id text primary key,
  url text not null,
  version text not null,
  -- the newest migration that its code knows
  knows text not null,
  started_at timestamptz not null default clock_timestamp(),
  beat_at timestamptz not null default clock_timestamp(),
  -- asked for by people, until they take it back
  draining_at timestamptz,
  -- said by the node itself while it stops
  leaving_at timestamptz,
  -- nodes that it cannot reach although they beat
  cut_off_from text[] not null default '{}',
  actors integer not null default 0,
  renderers integer not null default 0,
  followers integer not null default 0
) with (fillfactor = 50);

-- Who commands the actors of a slot: `node` until `until`. `term` rises with each owner.
create table slot (
  id smallint primary key check (id between 0 and 255),
  node text,
  term bigint not null default 0,
  until timestamptz not null default '-infinity',
  -- who had it before, and why not any more
  previous text,
  reason text
) with (fillfactor = 25);
insert into slot (id) select generate_series(0, 255);

create table takeover (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  slots integer not null,
  from_node text not null,
  to_node text not null,
  reason text not null
);
create index takeover_at on takeover (at);
