-- Somebody who is signed in at a browser. The cookie holds the token, the row its SHA-256.
create table person_session (
  id integer generated always as identity primary key,
  person_id integer not null references person (id) on delete cascade,
  token_hash text not null unique,
  created_at timestamptz not null default now(),
  -- of the last request, to the minute
  seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  address text,
  user_agent text
);
create index on person_session (person_id);
create index on person_session (expires_at);

-- The password of a person, as the authentication library looks for it.
create view person_account as
  select id, id as person_id, id::text as account_id, 'credential'::text as provider_id, password_hash from person;

-- Whoever changes what a person is let in with or may do, every session of theirs ends with the same commit.
create function end_sessions() returns trigger language plpgsql as $$
begin
  delete from person_session where person_id = new.id;
  return null;
end $$;
create trigger end_sessions after update of organization_id, email, role, password_hash on person
  for each row when ((old.organization_id, old.email, old.role, old.password_hash)
    is distinct from (new.organization_id, new.email, new.role, new.password_hash))
  execute function end_sessions();

-- What signs the cookies of this installation.
create table sign_in_secret (
  secret text not null,
  only_one boolean primary key default true check (only_one)
);
insert into sign_in_secret (secret)
  values (encode(sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')), 'hex'));
