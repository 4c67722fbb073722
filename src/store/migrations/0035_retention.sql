-- When a file set or a file of ours was last stored: it is given time before nothing naming it means that it may go.
alter table bundle add column stored_at timestamptz not null default clock_timestamp();
alter table generated_file add column stored_at timestamptz not null default clock_timestamp();

-- Old rows are found without reading the young ones, at next to no cost for who writes.
create index journal_at_idx on journal using brin (at);

-- Up to which seq the journal of an actor was looked through; of the rows before only those are left that its state needs.
create table journal_pruned (
  ref text primary key,
  seq bigint not null
);

-- What retention deleted so far, by what it was.
create table retention (
  what text primary key,
  deleted bigint not null default 0,
  looked_at timestamptz not null default clock_timestamp()
);
