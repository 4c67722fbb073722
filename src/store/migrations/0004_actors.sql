-- One row per live thing. `seq = expected and epoch = mine` on this row is the fence of every write.
create table actor (
  ref text primary key,
  organization_id integer not null,
  seq bigint not null default 0,
  epoch bigint not null default 0,
  machine_version integer not null,
  snapshot json not null,
  updated_at timestamptz not null default clock_timestamp()
) with (fillfactor = 50);

-- Every accepted write: the command as asked, the facts that followed. For an actor `seq` is its own; for a record it is drawn from a sequence.
create table journal (
  ref text not null,
  seq bigint not null,
  at timestamptz not null default clock_timestamp(),
  organization_id integer not null,
  command_id uuid not null,
  request_id text not null,
  principal json not null,
  command json not null,
  events json not null,
  primary key (ref, seq)
);
create sequence journal_record_seq;

-- Deadlines of actors. The row is the truth; a job only says "look at it".
create table timer (
  ref text not null,
  name text not null,
  due_at timestamptz not null,
  event json not null,
  primary key (ref, name)
);
create index on timer (due_at);

-- What must happen after a commit. The row is the truth and goes when it has been done; a job in the queue only says "look at it".
create table outbox (
  id bigint generated always as identity primary key,
  kind text not null,
  payload json not null,
  created_at timestamptz not null default clock_timestamp(),
  -- when it was last given to the queue
  handed_at timestamptz
);
create index on outbox (id) where handed_at is null;

create table idempotency (
  organization_id integer not null,
  key text not null,
  method text not null,
  path text not null,
  body_hash bytea not null,
  status integer not null,
  body text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (organization_id, key)
);
create index on idempotency (created_at);
