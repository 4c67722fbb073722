-- The address of the page of whoever is at the pitch, of one match each. show-control: Match desk
create table match_desk (
  -- of the match
  id integer primary key references match (id) on delete cascade,
  -- its token, sealed
  secrets text not null,
  digest text not null unique,
  -- no row can be sealed with a key that has been taken out of use: the release before, which does not seal this table anew, takes what it could not read
  secrets_key_id text not null generated always as (split_part(secrets, ':', 2)) stored references secrets_key (id) on delete cascade
);
