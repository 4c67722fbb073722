-- What the database must not hold in plain: sealed with a key that is not in it, or a digest. This migration makes the places,
-- fills them (src/store/secrets/seal-plain.ts, in the same transaction: SQL cannot know the key), and the next drops the rest.

-- Fingerprints of the keys that rows are sealed with now.
create table secrets_key (
  id text primary key,
  current boolean not null default true,
  made_at timestamptz not null default clock_timestamp()
);
create unique index secrets_key_current on secrets_key (current) where current;

alter table overlay add column secrets text, add column control_digest text, add column monitoring_digest text;
alter table stream_input add column secrets text, add column stream_key_digest text;
alter table stream_destination add column secrets text;
alter table provider_connection add column secrets text, add column has_token boolean not null default false;
alter table provider_page add column secrets text;
alter table sign_in_secret add column secrets text, alter column secret drop not null;

-- nobody can be signed in by what it signed: another one is made
delete from sign_in_secret where not exists (select from person);
-- what no longer counts need not be sealed
delete from idempotency where created_at < now() - interval '24 hours';

update overlay set
  control_digest = encode(sha256(convert_to(control_token, 'UTF8')), 'hex'),
  monitoring_digest = encode(sha256(convert_to(monitoring_token, 'UTF8')), 'hex');
update stream_input set stream_key_digest = encode(sha256(convert_to(stream_key, 'UTF8')), 'hex') where stream_key <> '';
