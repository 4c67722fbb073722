import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { resetSecrets } from '../../src/cli/reset-secrets.ts'
import { openKeys } from '../../src/secrets/open.ts'
import { newSecretKey } from '../../src/secrets/sealing.ts'
import { backUp, KEYS } from '../../src/store/backup/backup.ts'
import { openPlain } from '../../src/store/backup/plain-file.ts'
import { restore } from '../../src/store/backup/restore.ts'
import { readTar } from '../../src/store/backup/tar.ts'
import { createFolderBlobs } from '../../src/store/blobs-folder.ts'
import { openOwnStore, openStore } from '../../src/store/open.ts'
import { rotateKeys } from '../../src/store/secrets/rotate.ts'
import { SEALED } from '../../src/store/secrets/tables.ts'
import { type Production, produce } from '../resources/support.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { testDatabaseOfOneTest } from '../support/database.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { testMedia } from '../support/media-plane.ts'
import { foundIn, type Planted, plantSecrets } from '../support/planted.ts'
import { TEST_KEY, testKeys } from '../support/secrets.ts'
import { textOf } from '../support/text-of.ts'

vi.setConfig({ testTimeout: 60_000 })

const NEW_KEY = newSecretKey()
const NEW = NEW_KEY.bytes.toString('base64')
const PASSPHRASE = 'correct horse battery'
const log = pino({ level: 'silent' })

let server: TestApp
let production: Omit<Production, 'close'>
let planted: Planted
let blobs: ReturnType<typeof createFolderBlobs>

beforeAll(async () => {
  server = await startApp({ SECRETS_KEY: `${NEW}, ${TEST_KEY}` }, testMedia())
  production = await produce(server)
  planted = await plantSecrets(production)
  blobs = createFolderBlobs(join(server.dataDir, 'blobs'))
})
afterAll(() => server?.close())

/** Whatever is sealed, by table and key. */
async function keysInUse() {
  const { sql } = server.database
  const used: Record<string, string[]> = {}
  for (const { table, column } of SEALED) {
    const rows = await sql<{ id: string }[]>`
      select distinct split_part(${sql(column)}, ':', 2) as id from ${sql(table)}
      where starts_with(${sql(column)}, 's1:') order by 1`
    used[table] = rows.map(({ id }) => id)
  }
  return used
}

/** What is needed to send and fetch video and to open pages is told as it was planted. */
async function expectReadable(at: Omit<Production, 'close'>, using = at.server) {
  const read = async (path: string) => JSON.stringify((await using.call('GET', path, { key: at.apiKey })).body)
  const text = [
    await read('/v1/streams/inputs'),
    await read(`/v1/streams/${at.streamSettingsId}/destinations`),
    await read('/v1/overlays'),
  ].join()
  const told = 'sourceQuery destinationPath destinationKey passphrase streamId streamKeyNow pullToken'
  const links = 'controlToken monitoringToken controlTokenNow monitoringTokenNow'
  expect(foundIn(text, planted).sort()).toEqual(`${told} ${links}`.split(' ').sort())
}

async function partsOf(path: string, passphrase?: string): Promise<Map<string, string>> {
  const file = await openPlain(path, passphrase)
  const parts = new Map<string, string>()
  for await (const { name, bytes } of readTar(file))
    parts.set(name, (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1'))
  await file.close()
  return parts
}

// the work of a passphrase is looked at with the archives; each of these would take a second of it
const backupTo = (path: string, passphrase?: string) =>
  backUp({
    url: server.database.url,
    blobs,
    path,
    keys: testKeys(`${NEW},${TEST_KEY}`),
    passphrase,
    workFactor: 10,
  })

describe('[issue 15.10] secrets at rest', () => {
  it('no column of any table has one in plain, in text or bytes, the queue and kept answers included', async () => {
    const text = await textOf(server.database.sql)
    expect(text.length).toBeGreaterThan(100_000)
    expect(foundIn(text, planted)).toEqual([])
    // and each is there, sealed
    const used = await keysInUse()
    for (const table of [
      'overlay',
      'match_desk',
      'stream_input',
      'stream_destination',
      'provider_connection',
      'idempotency',
      'sign_in_secret',
    ])
      expect([table, used[table]]).toEqual([table, [testKeys().ring.preferred?.id]])
    await expectReadable(production)
  })

  it('a backup has none in plain and not the key, and tells where that is', async () => {
    const path = join(temporaryDirectory(), 'plain.tar')
    const report = await backupTo(path)
    expect(report).toMatchObject({ encrypted: false, secretsKeys: { in: 'SECRETS_KEY' } })
    const parts = await partsOf(path)
    expect(parts.size).toBeGreaterThan(20)
    const text = [...parts.values()].join('\n')
    expect(foundIn(text, { ...planted, key: TEST_KEY, hex: Buffer.from(TEST_KEY, 'base64').toString('hex') })).toEqual(
      [],
    )
    expect(text).toContain(report.secretsKeys.ids[0])
  })

  it('an encrypted backup shows nothing but its size, and brings its keys', async () => {
    const path = join(temporaryDirectory(), 'sealed.age')
    const report = await backupTo(path, PASSPHRASE)
    expect(report).toMatchObject({ encrypted: true, secretsKeys: { in: path } })
    const bytes = (await readFile(path)).toString('latin1')
    for (const plain of ['ustar', 'tables/', 'manifest', production.overlay.key]) expect(bytes).not.toContain(plain)
    const parts = await partsOf(path, PASSPHRASE)
    expect(parts.get(KEYS)).toBe(TEST_KEY)
    expect(foundIn([...parts.values()].join('\n'), planted)).toEqual([])
  })
})

describe('[issue 15.10] a database without its key', () => {
  const config = (secretsKey: string | undefined, dataDir = join(temporaryDirectory(), 'data')) => ({
    databaseUrl: server.database.url,
    dataDir,
    databaseConnections: 3,
    secretsKey,
  })

  it('gives a command what touches no secret, one clear line for what does, and never another key', async () => {
    const where = config(undefined)
    const store = await openStore(where, log)
    onTestFinished(() => store.close())
    expect(await store.db.sql`select name from organization`).not.toHaveLength(0)
    const [overlay] = await store.db.sql<{ id: number; secrets: string }[]>`select id, secrets from overlay`
    const line =
      /^SECRETS_KEY: the secrets of this database are sealed with key [0-9a-f]{16}; .*\.secrets-key is not there\. Put back/
    expect(() => store.db.secrets.open('overlay', overlay?.id ?? 0, overlay?.secrets ?? '')).toThrow(line)
    expect(() => store.db.secrets.seal('overlay', 1, { control: '', monitoring: '' })).toThrow(line)
    expect(existsSync(`${where.dataDir}.secrets-key`)).toBe(false)
  })

  it('stops a server with that line, whichever other key it has', async () => {
    const { url } = await testDatabaseOfOneTest()
    const other = newSecretKey()
    for (const [key, has] of [
      [undefined, 'is not there'],
      [other.bytes.toString('base64'), `SECRETS_KEY has ${other.id}`],
    ] as const) {
      const dataDir = join(temporaryDirectory(), 'data')
      const starting = openOwnStore(
        { databaseUrl: url, dataDir, databaseConnections: 3, secretsKey: key },
        log,
        () => {},
      )
      await expect(starting).rejects.toThrow(/^SECRETS_KEY: the secrets of this database are sealed with key/)
      await expect(starting).rejects.toThrow(has)
      expect(existsSync(`${dataDir}.secrets-key`)).toBe(false)
    }
  })

  it('takes the key of whoever comes first while it has none', async () => {
    const { sql, url } = await testDatabaseOfOneTest()
    await sql`delete from secrets_key`
    const dataDir = join(temporaryDirectory(), 'data')
    const store = await openOwnStore(
      { databaseUrl: url, dataDir, databaseConnections: 3, secretsKey: undefined },
      log,
      () => {},
    )
    await store.close()
    const made = openKeys({ secretsKey: undefined, dataDir }).ring.preferred?.id
    expect(await sql`select id from secrets_key`).toEqual([{ id: made }])
  })
})

describe('[issue 15.10] a key that is lost', () => {
  it('is given up by hand: what can be made anew is, what others gave is empty, and the server starts', async () => {
    const other = await startApp({}, testMedia())
    onTestFinished(() => other.close())
    const lost = await produce(other)
    const secrets = await plantSecrets(lost)
    const { sql } = other.database
    const keys = testKeys(NEW)
    const config = { databaseUrl: other.database.url, dataDir: other.dataDir, databaseConnections: 3, secretsKey: NEW }
    const store = await openStore(config, log)
    onTestFinished(() => store.close())
    await expect(resetSecrets(store.db, store.keys)).rejects.toThrow('stop it first')
    await sql`update match_desk set opened_at = clock_timestamp()`
    await other.restart(async () => {
      const report = await resetSecrets(store.db, store.keys)
      expect(report).toMatchObject({ key: NEW_KEY.id, lost: [testKeys().ring.preferred?.id] })
      expect([report.overlayIds.length, report.inputIds.length, report.destinationIds.length]).toEqual([2, 3, 5])
      await expect(resetSecrets(store.db, store.keys)).rejects.toThrow('nothing to reset')
      expect(await sql`select id, current from secrets_key`).toEqual([{ id: NEW_KEY.id, current: true }])
      // no telephone has been at the address of now
      expect(await sql`select distinct opened_at from match_desk`).toEqual([{ opened_at: null }])
      const inputs = await sql<
        { id: number; type: string; secrets: string }[]
      >`select id, type, secrets from stream_input`
      for (const { id, type, secrets } of inputs)
        expect(keys.ring.open('stream_input', id, secrets)).toEqual({
          streamKey: type === 'pull' ? '' : expect.stringMatching(/^[0-9a-f]{32}$/),
          sourceUrl: '',
        })
      // the server that starts now has the key of the tests and the new one
      await rotateKeys(sql, testKeys(`${TEST_KEY},${NEW}`))
    })
    const text = JSON.stringify((await other.call('GET', '/v1/streams/inputs', { key: lost.apiKey })).body)
    expect(foundIn(text, secrets)).toEqual([])
    expect((await other.call('GET', '/v1/overlays', { key: lost.apiKey })).status).toBe(200)
    expect((await fetch(lost.overlay.controlRoomUrl)).status).toBe(404)
  })
})

describe('[issue 15.10] a backup on another machine', () => {
  async function elsewhere() {
    const { url, sql } = await testDatabaseOfOneTest()
    const folder = temporaryDirectory()
    const keys = openKeys({ secretsKey: undefined, dataDir: join(folder, 'data') })
    const into = (path: string, passphrase?: string) =>
      restore({ url, blobs: createFolderBlobs(join(folder, 'blobs')), path, force: true, keys, passphrase, log })
    const control = async () => {
      const [row] = await sql<{ id: number; secrets: string }[]>`
        select id, secrets from overlay where id = ${production.overlay.id}`
      return keys.ring.open('overlay', row?.id ?? 0, row?.secrets ?? '').control
    }
    return { url, sql, folder, keys, into, control }
  }

  it('without its key is refused before anything changes; with it beside it is restored', async () => {
    const { into, sql, keys, control } = await elsewhere()
    const path = join(temporaryDirectory(), 'plain.tar')
    await backupTo(path)
    await sql`insert into organization (name) values ('Kept')`
    await expect(into(path)).rejects.toThrow(
      /^SECRETS_KEY: the secrets of this backup are sealed with key [0-9a-f]{16}, which .* does not hold/,
    )
    expect(await sql`select name from organization`).toEqual([{ name: 'Kept' }])
    keys.file?.make(testKeys().ring.preferred)
    expect(await into(path)).toMatchObject({ secretsKey: { id: testKeys().ring.preferred?.id, in: keys.from } })
    expect(await control()).toBe(planted.controlToken)
  })

  it('encrypted needs its passphrase alone: a machine without a key gets its key', async () => {
    const { into, keys, control } = await elsewhere()
    const path = join(temporaryDirectory(), 'sealed.age')
    await backupTo(path, PASSPHRASE)
    await expect(into(path)).rejects.toThrow('is encrypted: give its passphrase')
    await expect(into(path, 'another passphrase')).rejects.toThrow('the passphrase is wrong')
    await into(path, PASSPHRASE)
    expect(await control()).toBe(planted.controlToken)
    expect(keys.file?.read().map(({ id }) => id)).toEqual([testKeys().ring.preferred?.id])
  })

  it('encrypted is sealed with the key that the machine has', async () => {
    const { into, sql, keys, control } = await elsewhere()
    keys.file?.make()
    const own = keys.ring.preferred?.id
    const path = join(temporaryDirectory(), 'sealed.age')
    await backupTo(path, PASSPHRASE)
    expect(await into(path, PASSPHRASE)).toMatchObject({ secretsKey: { id: own } })
    expect(await sql`select id, current from secrets_key`).toEqual([{ id: own, current: true }])
    expect(await sql`select distinct secrets_key_id as id from overlay`).toEqual([{ id: own }])
    expect(await control()).toBe(planted.controlToken)
  })
})

describe('[issue 15.10] rotation', () => {
  it('under a running server: cut off in the middle all is read, and done again it ends with one key', async () => {
    const keys = () => testKeys(`${NEW},${TEST_KEY}`)
    const { sql } = server.database
    const old = testKeys().ring.preferred?.id
    let batches = 0
    const cut = rotateKeys(sql, keys(), {
      each() {
        if (++batches === 2) throw new Error('cut off')
      },
    })
    await expect(cut).rejects.toThrow('cut off')
    expect(await sql`select id, current from secrets_key order by current desc`).toEqual([
      { id: NEW_KEY.id, current: true },
      { id: old, current: false },
    ])
    await expectReadable(production)

    // people go on working meanwhile
    let done = 0
    let over = false
    const work = async (nth: number) => {
      for (let times = 0; !over || times < 3; times++) {
        const { apiKey: key } = production
        const once = (what: string) => ({ 'Idempotency-Key': `${what}-${nth}-${times}` })
        const made = await server.call('POST', '/v1/streams/inputs', {
          key,
          headers: once('make'),
          body: { name: 'Meanwhile' },
        })
        const headers = once('turn')
        const turned = await server.call('POST', `/v1/streams/inputs/${made.body.id}/key`, { key, headers })
        const again = await server.call('POST', `/v1/streams/inputs/${made.body.id}/key`, { key, headers })
        // the kept answer of the first is opened, whichever key sealed it
        expect([made.status, turned.status, again.status]).toEqual([201, 200, 200])
        expect(again.body).toEqual(turned.body)
        done++
      }
    }
    const working = Promise.all([work(1), work(2)])
    // what an actor answered is kept in plain, and stays so
    const plain = '{"overlayId":1,"manualGraphicState":{}}'
    await sql`
      insert into idempotency (organization_id, key, method, path, body_hash, status, body)
      values (${production.organizationId}, 'plain-answer', 'POST', '/plain', ${Buffer.alloc(32)}, 200, ${plain})`
    // a server that had not heard of the new key keeps an answer when the table has been done
    let tables = 0
    const lateKey = 'late-answer'
    const lateBody = testKeys().ring.seal('idempotency', `${production.organizationId}/${lateKey}`, { body: '{}' })
    const each = async () => {
      if (++tables !== SEALED.length) return
      await sql`
        insert into idempotency (organization_id, key, method, path, body_hash, status, body)
        values (${production.organizationId}, ${lateKey}, 'POST', '/late', ${Buffer.alloc(32)}, 200, ${lateBody})`
    }
    const report = await rotateKeys(sql, keys(), { each })
    over = true
    await working
    expect(done).toBeGreaterThanOrEqual(6)
    expect(report).toMatchObject({ key: NEW_KEY.id, from: 'SECRETS_KEY', retired: [old] })
    expect(await sql`select id, current from secrets_key`).toEqual([{ id: NEW_KEY.id, current: true }])
    await expectReadable(production)
    expect(await sql`select body from idempotency where key = 'plain-answer'`).toEqual([{ body: plain }])
    for (const [table, used] of Object.entries(await keysInUse()))
      expect([table, used.filter((id) => id !== NEW_KEY.id)]).toEqual([table, []])
    // nothing to rotate to: nothing is done
    await expect(rotateKeys(sql, keys())).rejects.toThrow(/^SECRETS_KEY: put a new key before the one in use/)
    // the old key is not needed any more, and nothing can be sealed with it
    await server.restart()
    await expectReadable(production)
    const late = testKeys().ring.seal('overlay', production.overlay.id, { control: 'a', monitoring: 'b' })
    await expect(sql`update overlay set secrets = ${late} where id = ${production.overlay.id}`).rejects.toThrow(
      /foreign key/,
    )
  })
})
