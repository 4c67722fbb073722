import type { Sql, TransactionSql } from 'postgres'
import { arrayTypes } from '../array-types.ts'
import { postgres } from '../driver.ts'

/** One connection without the limits of the pool: copying may take minutes. */
export const longSession = (url: string, applicationName: string): Sql =>
  postgres(url, {
    max: 1,
    onnotice: () => {},
    fetch_types: false,
    types: { ...arrayTypes },
    connection: { application_name: applicationName, TimeZone: 'UTC' },
  })

type Table = { name: string; columns: string[] }

/** The tables of a database and their columns, in the order of their names; which migrations it has is no row of these. */
export const tablesOf = (sql: Sql | TransactionSql) => sql<Table[]>`
  select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'migration'
    and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  group by c.relname order by c.relname`

/** How far the sequences are that were used: read after the rows, so that they are never behind them. */
export const sequencesOf = (sql: Sql | TransactionSql) => sql<{ name: string; last: number }[]>`
  select sequencename as name, last_value::float8 as last
  from pg_sequences where schemaname = 'public' and last_value is not null order by 1`

/** Takes away everything that migrations make, and the jobs of the queue, which are made again from the rows. */
export async function dropEverything(tx: TransactionSql): Promise<void> {
  await tx`drop schema if exists bullmq cascade`
  await tx`do $$
    declare thing record;
    begin
      for thing in select oid::regclass as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' loop
        execute format('drop table %s cascade', thing.name);
      end loop;
      for thing in select oid::regclass as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S' loop
        execute format('drop sequence %s cascade', thing.name);
      end loop;
      for thing in
        select oid::regprocedure as name from pg_proc p where pronamespace = 'public'::regnamespace
          and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      loop
        execute format('drop routine %s cascade', thing.name);
      end loop;
    end $$`
}

/** Runs `load` while no row is looked at by triggers and foreign keys, then checks every foreign key. */
export async function withoutConstraints(tx: TransactionSql, load: () => Promise<void>): Promise<void> {
  await tx`create temporary table foreign_key on commit drop as
    select conrelid::regclass::text as owner, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`
  await tx`do $$
    declare key record;
    begin
      for key in select * from foreign_key loop
        execute format('alter table %s drop constraint %I', key.owner, key.name);
      end loop;
    end $$`
  await triggers(tx, 'disable')
  await load()
  // rows that a deferred constraint still has to check would keep their table from being altered
  await tx`set constraints all immediate`
  await triggers(tx, 'enable')
  await tx`do $$
    declare key record;
    begin
      for key in select * from foreign_key loop
        execute format('alter table %s add constraint %I %s', key.owner, key.name, key.definition);
      end loop;
    end $$`
}

async function triggers(tx: TransactionSql, action: 'enable' | 'disable'): Promise<void> {
  const tables = await tx<{ name: string }[]>`
    select distinct tgrelid::regclass::text as name from pg_trigger t join pg_class c on c.oid = tgrelid
    where not tgisinternal and c.relnamespace = 'public'::regnamespace`
  for (const { name } of tables)
    await (action === 'enable'
      ? tx`alter table ${tx(name)} enable trigger user`
      : tx`alter table ${tx(name)} disable trigger user`)
}
