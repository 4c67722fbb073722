alter table club
  add column primary_background_color text,
  add column primary_text_color text,
  add column secondary_background_color text,
  add column secondary_text_color text,
  add column default_venue_id integer references venue (id),
  add column updated_at timestamptz not null default clock_timestamp();

-- files that were decoded and found to be images; only these are served as such
create table image (
  hash text primary key,
  content_type text not null check (content_type in ('image/png', 'image/jpeg')),
  width integer not null,
  height integer not null,
  created_at timestamptz not null default clock_timestamp()
);
alter table club add foreign key (logo_blob) references image (hash);
alter table team add foreign key (logo_blob) references image (hash);

-- one file that its sender may put at a secret address; owner says for what, as a ref: team/5
create table upload (
  id integer generated always as identity primary key,
  organization_id integer not null references organization (id) on delete cascade,
  owner text not null,
  token_hash bytea not null unique,
  content_type text not null,
  size integer not null,
  sha256 text not null,
  state text not null default 'opened' check (state in ('opened', 'received', 'used')),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);
create index upload_created_at_idx on upload (created_at);

create index team_organization_idx on team (organization_id, id);
create index team_club_idx on team (club_id);
create index club_organization_idx on club (organization_id, id);
create index competition_organization_idx on competition (organization_id, id);
create index competition_team_team_idx on competition_team (team_id, competition_id);
create index if not exists match_competitor_team_idx on match_competitor (team_id);
