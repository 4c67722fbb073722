-- The rundown of an overlay: its items in order, as JSON. An overlay without a row has none. How far it has come is state of the
-- overlay's actor.
create table rundown (
  overlay_id integer primary key references overlay (id) on delete cascade,
  items json not null,
  updated_at timestamptz not null default clock_timestamp()
);
