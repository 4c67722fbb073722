import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { migrate } from '../../src/store/migrate.ts'
import { testDatabaseOfOneTest } from '../support/database.ts'

const folder = new URL('../../src/store/migrations/', import.meta.url)

test('0014 gives the working copy of each published graphic the address of its files, and empty ones none', async () => {
  const { sql, url } = await testDatabaseOfOneTest()
  await sql`drop schema public cascade`
  await sql`create schema public`
  await sql`create table migration (name text primary key, applied_at timestamptz not null default clock_timestamp())`
  for (const name of readdirSync(folder)
    .sort()
    .filter((name) => name < '0014')) {
    await sql.unsafe(readFileSync(new URL(name, folder), 'utf8'))
    await sql`insert into migration (name) values (${name})`
  }
  await sql`insert into organization (name) values ('Studio')`
  await sql`insert into theme (organization_id, name, sports) values (1, 'Theme', '{football}')`
  await sql`insert into bundle (hash, entry, files) values ('old', 'index.html', '[]'), ('new', 'index.html', '[]')`
  await sql`
    insert into graphic (id, theme_id, kind, name) values ('twice', 1, 'code', 'Twice'), ('never', 1, 'code', 'Never')`
  await sql`
    insert into graphic_version (graphic_id, version, sports, state_machine, bundle_hash)
    values ('twice', 1, '{}', '{}', 'old'), ('twice', 2, '{}', '{}', 'new')`
  await sql`
    insert into graphic_draft (graphic_id, version, sports, state_machine)
    values ('twice', 3, '{}', '{}'), ('never', 1, '{}', '{}')`
  await migrate(url)
  const drafts = await sql`
    select graphic_id, bundle_hash, deleted_at from graphic_draft join graphic g on g.id = graphic_id order by 1`
  expect([...drafts]).toEqual([
    { graphic_id: 'never', bundle_hash: null, deleted_at: null },
    { graphic_id: 'twice', bundle_hash: 'new', deleted_at: null },
  ])
  await expect(sql`insert into graphic (id, theme_id, kind, name) values ('x', 1, 'code', 'Never')`).rejects.toThrow()
  await sql`update graphic set deleted_at = now() where id = 'never'`
  await sql`insert into graphic (id, theme_id, kind, name) values ('x', 1, 'code', 'Never')`
})
