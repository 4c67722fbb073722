-- Pictures of presets, by the hash of what they show. Their files are neither kept from being swept nor backed up: one that is gone is made anew.
create table still (
  key text primary key,
  organization_id integer not null references organization (id) on delete cascade,
  blob text not null,
  used_at timestamptz not null default now()
);
create index on still (organization_id, used_at);
create index on still (used_at);
