-- The plain columns go. The stored column rewrites each table, so that no dead row of it holds them any more.
alter table overlay
  drop column control_token,
  drop column monitoring_token,
  alter column secrets set not null,
  alter column control_digest set not null,
  alter column monitoring_digest set not null,
  add unique (control_digest),
  add unique (monitoring_digest),
  -- no row can be sealed with a key that has been taken out of use
  add column secrets_key_id text not null generated always as (split_part(secrets, ':', 2)) stored references secrets_key (id);

alter table stream_input
  drop column stream_key,
  drop column source_url,
  alter column secrets set not null,
  add unique (stream_key_digest),
  add column secrets_key_id text not null generated always as (split_part(secrets, ':', 2)) stored references secrets_key (id);

alter table stream_destination
  drop column url,
  drop column stream_key,
  drop column pull_token,
  alter column secrets set not null,
  add column secrets_key_id text not null generated always as (split_part(secrets, ':', 2)) stored references secrets_key (id);

-- `url` stays for people, without its query
alter table provider_connection
  drop column token,
  alter column secrets set not null,
  add column secrets_key_id text not null generated always as (split_part(secrets, ':', 2)) stored references secrets_key (id);

alter table provider_page
  drop column url,
  alter column secrets set not null,
  add column secrets_key_id text not null generated always as (split_part(secrets, ':', 2)) stored references secrets_key (id);

alter table sign_in_secret
  drop column secret,
  alter column secrets set not null,
  add column secrets_key_id text not null generated always as (split_part(secrets, ':', 2)) stored references secrets_key (id);

cluster idempotency using idempotency_pkey;
alter table idempotency set without cluster;
