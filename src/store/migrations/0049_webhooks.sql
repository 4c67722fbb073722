-- What organizations have told to their own servers, and how that went. integrations: Webhooks
create table webhook (
  id integer generated always as identity primary key,
  organization_id integer not null references organization (id) on delete cascade,
  -- the address, which may be a secret by itself, and what is signed with
  secrets text not null,
  events text[] not null,
  description text,
  enabled boolean not null default true,
  -- events from then on are delivered
  enabled_at timestamptz not null default clock_timestamp(),
  -- when the secret before the present one was replaced: it signs along for a day
  rotated_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  last_success_at timestamptz,
  failing_since timestamptz
);
create index on webhook (organization_id, id);

-- What happened, as it is told: every event of an organization that has webhooks, whether one of them wants it or not.
create table webhook_event (
  -- the order in which they became known
  place bigint generated always as identity primary key,
  -- the `webhook-id`, the same on every attempt to every endpoint
  id text not null unique,
  organization_id integer not null references organization (id) on delete cascade,
  type text not null,
  -- what `sequence` counts for: match/3, overlay/1
  subject text not null,
  -- where in the journal it comes from, once
  ref text not null,
  seq bigint not null,
  nth integer not null,
  at timestamptz not null,
  body text not null,
  unique (ref, seq, nth)
);
create index on webhook_event (organization_id, at);
create index on webhook_event (at);

create table webhook_subject (
  organization_id integer not null references organization (id) on delete cascade,
  subject text not null,
  sequence bigint not null,
  primary key (organization_id, subject)
);

-- How far the journal of each actor has been told.
create table webhook_position (
  ref text primary key,
  organization_id integer not null references organization (id) on delete cascade,
  seq bigint not null,
  -- of a game plan: nothing of a rehearsal is told
  rehearsing boolean
);

create table webhook_delivery (
  webhook_id integer not null references webhook (id) on delete cascade,
  place bigint not null references webhook_event (place) on delete cascade,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  -- of the row of attempts that is under way
  tries integer not null default 0,
  -- the latest, as they are shown
  attempts jsonb not null default '[]',
  -- infinity: its webhook is disabled
  next_at timestamptz not null default clock_timestamp(),
  primary key (webhook_id, place)
);
create index on webhook_delivery (place);
create index on webhook_delivery (webhook_id, next_at) where state = 'pending';
create index on webhook_delivery (next_at) where state = 'pending';

-- Graphics that were put on air, to be looked at: whether a renderer has painted them.
create table webhook_paint_check (
  overlay_id integer not null,
  graphic_id text not null,
  organization_id integer not null references organization (id) on delete cascade,
  graphic_name text not null,
  preset_id integer not null,
  seq bigint not null,
  due_at timestamptz not null,
  primary key (overlay_id, graphic_id)
);
create index on webhook_paint_check (due_at);
