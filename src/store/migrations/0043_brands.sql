-- The brands of sponsors. One that was deleted stays, so that what it had on air can still be told by its name.
create table brand (
  id integer generated always as identity primary key,
  organization_id integer not null references organization (id) on delete cascade,
  name text not null,
  logo_blob text references image (hash) on delete set null,
  primary_color text not null,
  text_color text not null,
  tagline text,
  valid_from timestamptz,
  valid_to timestamptz,
  active boolean not null,
  house boolean not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz
);
create index on brand (organization_id, id);

-- The sponsor slots of a theme profile in order, as JSON. A profile without a row has none.
create table sponsor_slots (
  theme_profile_id integer primary key references theme_profile (id) on delete cascade,
  slots json not null,
  updated_at timestamptz not null default clock_timestamp()
);

-- How long the brands of sponsor slots were seen on an overlay, as far as that was worked out: what is in `sums` is over, `plays` are not, and
-- commands after `up_to` were not looked at. Made from journal and reports of renderers, which it only spares reading again.
create table sponsor_ledger (
  overlay_id integer primary key,
  competition_id integer not null references competition (id) on delete cascade,
  up_to bigint not null,
  plays json not null,
  sums json not null
);
create index on sponsor_ledger (competition_id);
