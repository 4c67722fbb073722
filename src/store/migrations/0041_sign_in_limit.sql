-- Attempts to sign in, counted for all nodes. The key is a digest; `expire` is in ms since 1970, as the limiter that counts writes it.
create table sign_in_limit (
  key text primary key,
  points integer not null default 0,
  expire bigint
);
create index sign_in_limit_expire on sign_in_limit (expire);
