import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { kinds } from '../../machines/kinds.ts'
import { WORKS_BESIDE } from '../../src/nodes/versions.ts'
import { migrationFiles } from '../../src/store/migrate.ts'
import { faultsOf, nothingAdded } from '../support/migration-rule.ts'
import { release, unpackRelease } from '../support/release.ts'
import { root } from '../support/root.ts'

const own = 'src/store/migrations'
const text = (folder: string, name: string) => readFileSync(join(folder, own, name), 'utf8')

describe('[cluster 9] the last release goes on beside this code', () => {
  test('a migration that is newer takes nothing from it', async () => {
    const added = nothingAdded()
    const newer = (await migrationFiles()).filter((name) => name > release.knows)
    const faults = newer.flatMap((name) =>
      faultsOf(text(root, name), release.version, added).map((fault) => `${name}: ${fault}`),
    )
    expect(faults, 'CONTRIBUTING.md says under "A migration" how to do it in two releases').toEqual([])
  })

  test('its migrations are as they were when they landed, and new ones come after them', async () => {
    const dist = unpackRelease()
    const known = (await migrationFiles()).filter((name) => name <= release.knows)
    expect(known.at(-1)).toBe(release.knows)
    for (const name of known) expect([name, text(root, name)]).toEqual([name, text(dist, name)])
  })

  test('this code lets it serve', () => {
    expect(WORKS_BESIDE <= release.knows).toBe(true)
  })

  test('it can read the snapshots that this code writes', () => {
    const versions = Object.fromEntries(Object.keys(release.machines).map((kind) => [kind, versionOf(kind)]))
    expect(versions, 'an actor moves from node to node, also to one of the release').toEqual(release.machines)
  })
})

const versionOf = (kind: string) => Object.entries(kinds).find(([name]) => name === kind)?.[1].version

const faults = (sql: string) => faultsOf(sql, '1.2.0', nothingAdded())

describe('the rule for migrations', () => {
  test.each([
    'create table one (id integer primary key); create unique index on one (id); create index on two (id)',
    'create table one (id integer primary key, other integer not null references one (id))',
    'create table one (id integer, two_id integer references two (id) on delete cascade, b text, check (b in (1, 2)))',
    'create table one(id integer); insert into one (id) select generate_series(0, 255); delete from one; truncate one',
    'create table one (id int); alter table one drop column id, alter column b set not null, add unique (c); drop table one',
    'CREATE TABLE One (id int); alter table one rename to two;',
    'alter table overlay add column secrets text, add column digest text default $$a,b$$',
    "alter table overlay add column if not exists note text not null default 'a;b' check (note in ('a;b', 'drop table'))",
    'alter table overlay add column id2 integer generated always as identity, add b text unique',
    'alter table overlay add column parent integer references overlay (id) on delete set null',
    'alter table overlay add column note text; update overlay set note = name where note is null',
    'alter table a add b text, add c int; update a as x set b = (select d from e where f = 1), c = 2 from g where g.h = x.h',
    'alter table a add b text, add c int; update a set (b, c) = (select 1, 2)',
    'alter table overlay set (fillfactor = 50)',
    'create index overlay_note on overlay (note) where note is not null',
    'create function f() returns trigger language plpgsql as $$ begin drop table overlay; return null; end $$; create trigger t after update on overlay for each row execute function f()',
    "create view v as select 1; create type t as enum ('a'); create sequence s; comment on table overlay is 'drop; table'",
    '-- drop table overlay;\n/* drop table overlay; */ create table one (id integer)',
    '-- unused since 1.1.0: plain keys\ndrop table overlay',
    '-- unused since 1.2.0: the digest is read instead\nalter table overlay drop column token;\n-- unused since 0.9.10: it too\ndrop index overlay_token',
    '',
  ])('allows %s', (sql) => {
    expect(faults(sql)).toEqual([])
  })

  test.each([
    'drop table overlay',
    'drop index overlay_name_idx',
    'drop function f()',
    'alter table overlay drop column name',
    'alter table only public.overlay drop column name',
    'alter table overlay rename column name to title',
    'alter table overlay rename to overlays',
    'alter table overlay alter column name type varchar(20)',
    'alter table overlay alter column name set not null',
    'alter table overlay alter column name drop not null',
    'alter table overlay alter column name drop default',
    "alter table overlay alter column name set default 'x'",
    'alter table overlay add column note text, drop column name',
    'alter table overlay add column note text not null',
    'alter table overlay add note text not null',
    "alter table overlay add column note text default '' unique",
    'alter table overlay add column id2 integer primary key',
    'alter table overlay add column parent integer references overlay (id)',
    'alter table overlay add constraint short check (length(name) < 10)',
    'alter table overlay add constraint short check (length(name) < 10) not valid',
    'alter table overlay add check (length(name) < 10)',
    'alter table overlay add check(length(name) < 10)',
    'alter table overlay add unique (name)',
    'alter table overlay add foreign key (match_id) references match (id)',
    'alter table overlay add primary key (id)',
    'alter table overlay add exclude using gist (id with =)',
    'alter table overlay drop constraint overlay_check',
    'alter table overlay disable trigger all',
    'create unique index on overlay (name)',
    'create unique index overlay_name on overlay (name)',
    'create index on journal (request_id)',
    'create index if not exists j on public.journal (request_id)',
    'create table one (two_id integer references two (id))',
    'create table one (two_id integer references two (id) on delete restrict, b integer references one on delete cascade)',
    'create or replace function f() returns int language sql as $$ select 1 $$',
    'create or replace view v as select 1',
    "alter type color add value 'red'",
    "update overlay set name = ''",
    'alter table overlay add column note text; update overlay set note = name, name = 1',
    'alter table a add b text; update a set b = (select d from e where f = 1), c = 2',
    'alter table a add b text; update a set (b, c) = (select 1, 2)',
    'with a as (select 1) update overlay set name = 1',
    'insert into overlay (id) values (1)',
    'delete from overlay',
    'truncate overlay',
    'truncate table overlay',
    'create table one (id int); drop table one, overlay',
    "alter table overlay add column note text not null check (note in ('default'))",
    'cluster journal using journal_pkey',
    'do $$ begin drop table overlay; end $$',
    'select drop_everything()',
    'create table one (id int); DROP TABLE "overlay"',
    "-- a; ' quote\ndrop table overlay",
    "comment on table a is 'it''s; '; drop table overlay",
    '-- unused since 1.2.1: a release that is to come\ndrop table overlay',
    '-- unused since 1.10.0: it too\ndrop table overlay',
    '-- unused since the last one: no version\ndrop table overlay',
    '-- unused since 1.1.0: counts for one statement\ndrop table overlay;\ndrop table match',
  ])('refuses %s', (sql) => {
    expect(faults(sql)).toHaveLength(1)
  })
})
