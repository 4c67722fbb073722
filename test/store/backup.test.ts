import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { expect, it, vi } from 'vitest'
import { createArchive } from '../../src/store/backup/archive.ts'
import { backUp } from '../../src/store/backup/backup.ts'
import { restore } from '../../src/store/backup/restore.ts'
import { tarFile } from '../../src/store/backup/tar.ts'
import { blobReferences } from '../../src/store/blob-references.ts'
import { createFolderBlobs } from '../../src/store/blobs-folder.ts'
import { migrationFiles } from '../../src/store/migrate.ts'
import { takeNodeLock } from '../../src/store/node-lock.ts'
import { startApp } from '../support/app.ts'
import { type TestDatabase, testDatabaseOfOneTest } from '../support/database.ts'
import { seedDemo } from '../support/demo.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { toSchemaBefore } from '../support/older-schema.ts'
import { testKeys } from '../support/secrets.ts'

vi.setConfig({ testTimeout: 60_000 })

const log = pino({ level: 'silent' })

/** A target with a database and a folder for files, and what asks it for things. */
async function place() {
  const database = await testDatabaseOfOneTest()
  const folder = temporaryDirectory()
  const blobs = createFolderBlobs(join(folder, 'blobs'))
  const path = join(folder, 'tally.tar')
  return {
    ...database,
    folder,
    blobs,
    path,
    backUp: (to = path) => backUp({ url: database.url, blobs, path: to, keys: testKeys() }),
    restore: (from: string, force = false) =>
      restore({ url: database.url, blobs, path: from, force, keys: testKeys(), log }),
  }
}

/** Every table with the digest of its rows. */
async function rowsOf({ sql }: Pick<TestDatabase, 'sql'>) {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`
  const digests: Record<string, string> = {}
  for (const { name } of tables) {
    if (name === 'migration') continue
    const [row] = await sql<{ digest: string }[]>`
      select count(*) || ' ' || coalesce(md5(string_agg(t::text, ' ' order by t::text)), '') as digest from ${sql(name)} t`
    digests[name] = row?.digest ?? ''
  }
  return digests
}

const organization = ({ sql }: Pick<TestDatabase, 'sql'>, name: string) =>
  sql`insert into organization (name) values (${name})`
const names = async ({ sql }: Pick<TestDatabase, 'sql'>) =>
  (await sql<{ name: string }[]>`select name from organization order by id`).map(({ name }) => name)

it('[issue 6.7] every row, sequence and uploaded file of a production comes back, and no file is forgotten', async () => {
  const app = await startApp()
  const target = await place()
  try {
    const demo = await seedDemo(app)
    const show = { action: 'show', presetId: demo.presets[0]?.id }
    await app.call('POST', `/v2/overlays/${demo.overlay.id}/graphics/commands`, { key: demo.apiKey, body: show })
    const { sql } = app.database
    await sql`insert into club (organization_id, name) values (${demo.organizationId}, ${'a\ttab, a \\ and\na line'})`
    await sql`insert into person (organization_id, email, role, password_hash) values (${demo.organizationId}, 'b@tally.example', 'user', 'x')`
    await sql`insert into person_session (person_id, token_hash, expires_at) select max(id), 'any', 'infinity' from person`
    await sql`insert into service (link_secret) values ('known')`
    const source = createFolderBlobs(join(app.dataDir, 'blobs'))
    const path = join(app.dataDir, 'tally.tar')
    const before = await rowsOf(app.database)
    const made = await backUp({ url: app.database.url, blobs: source, path, keys: testKeys() })
    expect(made).toMatchObject({ file: path, missing: [], schema: (await migrationFiles()).at(-1) })
    expect(made.bytes).toBe((await stat(path)).size)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    // nobody learns from it what the nodes of the original know each other by
    const archive = await readFile(path)
    expect([archive.includes('tables/organization/'), archive.includes('tables/service/')]).toEqual([true, false])

    const report = await target.restore(path)
    expect(report).toMatchObject({ rows: made.rows, files: made.files, migrated: [] })
    // of these a server that runs writes on its own
    const { outbox: _, api_key: __, person_session: sessions, service, ...rows } = await rowsOf(target)
    const { outbox: ___, api_key: ____, person_session: _____, service: ______, ...expected } = before
    expect(rows).toEqual(expected)
    const keys = (of: TestDatabase['sql']) => of`select id, hash, scopes, expires_at from api_key`
    expect(await keys(target.sql)).toEqual(await keys(sql))
    // who signed out since must not be in again
    expect(sessions).toMatch(/^0 /)
    // the copy does not speak to the nodes of the original
    expect(service).toMatch(/^0 /)
    // the queue of the old server is gone
    expect(await target.sql`select from outbox where handed_at is not null`).toEqual([])
    const [next] = await target.sql<{ id: number }[]>`insert into organization (name) values ('Next') returning id`
    expect(next?.id).toBe(demo.organizationId + 1)

    // whatever looks like a hash in any row is the name of a file, or no file has that name
    const kept = new Set((await blobReferences(sql)).map(({ hash }) => hash))
    for (const table of Object.keys(before)) {
      const found = await sql<{ hash: string }[]>`
        select distinct m[1] as hash from ${sql(table)} t, regexp_matches(t::text, '[0-9a-f]{64}', 'g') m`
      for (const { hash } of found) if (!kept.has(hash)) expect(await source.has(hash), `${table}: ${hash}`).toBe(false)
    }
    for (const { hash, expected } of await blobReferences(target.sql))
      if (expected) expect(await target.blobs.read(hash)).toEqual(await source.read(hash))
    expect(made.files).toBeGreaterThan(0)
  } finally {
    await app.close()
  }
})

it('[issue 6.7] a backup of an older version is migrated, one of a newer version is refused by name', async () => {
  const source = await place()
  const target = await place()
  await toSchemaBefore(source, '0030')
  await organization(source, 'Old house')
  await source.backUp()
  const { migrated } = await target.restore(source.path)
  expect(migrated).toContain('0030_upload_owner.sql')
  expect(await names(target)).toEqual(['Old house'])

  await target.sql`insert into migration (name) values ('9999_of_tomorrow.sql')`
  await target.backUp()
  await expect(source.restore(target.path, true)).rejects.toThrow(
    /^The backup was made by a newer version of Tally: it has 9999_of_tomorrow\.sql/,
  )
  expect(await names(source)).toEqual(['Old house'])

  const tomorrow = join(source.folder, 'tomorrow.tar')
  await writeFile(tomorrow, tarFile('manifest.json', Buffer.from('{"format":2}'), new Date()))
  await expect(source.restore(tomorrow, true)).rejects.toThrow(
    'The backup was made by a newer version of Tally: restore it with that version.',
  )
})

it('[issue 6.7] a full database is refused without --force or under a running server, and is replaced as a whole with it', async () => {
  const source = await place()
  const target = await place()
  await organization(source, 'Restored')
  await source.backUp()
  await organization(target, 'In use')
  await organization(target, 'And another')
  await target.sql`create table left_over (id integer)`
  await expect(target.restore(source.path)).rejects.toThrow(/^There is a production in this database already: --force/)
  expect(await names(target)).toEqual(['In use', 'And another'])
  const lock = await takeNodeLock(target.url, log, () => {})
  await expect(target.restore(source.path, true)).rejects.toThrow(/^Another Tally server runs on this database/)
  expect(await names(target)).toEqual(['In use', 'And another'])
  await lock.release()
  await target.restore(source.path, true)
  expect(await names(target)).toEqual(['Restored'])
  expect(await target.sql`select to_regclass('left_over') as table`).toEqual([{ table: null }])
})

it('[issue 6.7] an archive with any byte damaged, or cut off, is refused before anything is changed', async () => {
  const source = await place()
  const target = await place()
  await organization(source, 'Source')
  const { hash } = await source.blobs.put(Buffer.from('a crest'))
  await source.sql`insert into image (hash, content_type, width, height) values (${hash}, 'image/png', 1, 1)`
  await source.backUp()
  await organization(target, 'In use')
  const whole = await readFile(source.path)
  const damaged = join(source.folder, 'damaged.tar')
  const refused = async (bytes: Buffer) => {
    await writeFile(damaged, bytes)
    await expect(target.restore(damaged, true)).rejects.toThrow(/is no usable backup/)
  }
  const file = whole.indexOf('a crest')
  const manifest = whole.indexOf('createdAt')
  for (const at of [file, file + 6, manifest, whole.indexOf('"checksums"'), 0, 300]) {
    const bytes = Buffer.from(whole)
    bytes[at] = (bytes[at] ?? 0) ^ 1
    await refused(bytes)
  }
  for (const length of [0, 100, 512, 3_000, whole.length - 1_600]) await refused(whole.subarray(0, length))
  await refused(Buffer.from('not an archive at all'.repeat(100)))
  expect(await names(target)).toEqual(['In use'])
})

it('[issue 6.7] rows that the database refuses leave everything as it was', async () => {
  const target = await place()
  await organization(target, 'In use')
  const before = await rowsOf(target)
  const path = join(target.folder, 'wrong.tar')
  const archive = await createArchive(path, { createdAt: new Date().toISOString(), migrations: await migrationFiles() })
  await archive.add('tables/grade/000001.gz', gzipSync('1\tPremier\n1\tPremier\n'))
  await archive.finish({
    tables: [{ name: 'grade', columns: ['id', 'name'], rows: 2, parts: 1 }],
    sequences: [],
    files: [],
    secretsKeys: [],
  })
  await archive.close()
  await expect(target.restore(path, true)).rejects.toThrow(/duplicate key/)
  expect(await rowsOf(target)).toEqual(before)
})

it('[issue 6.7] a backup never takes the place of another file, tells what is missing, and needs a database of ours', async () => {
  const source = await place()
  const hash = 'f'.repeat(64)
  await source.sql`insert into image (hash, content_type, width, height) values (${hash}, 'image/png', 1, 1)`
  expect(await source.backUp()).toMatchObject({ files: 0, missing: [hash] })
  await expect(source.backUp()).rejects.toThrow(`${source.path} exists already`)
  await mkdir(join(source.folder, 'folder'))
  await expect(source.backUp(join(source.folder, 'nowhere', 'x.tar'))).rejects.toThrow(/^cannot write /)
  await source.sql`drop table migration`
  const empty = join(source.folder, 'empty.tar')
  await expect(source.backUp(empty)).rejects.toThrow(/^There is nothing to back up/)
  await expect(stat(empty)).rejects.toThrow('ENOENT')
})
