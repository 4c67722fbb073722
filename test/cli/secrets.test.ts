import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { SCOPE_RESOURCES } from '../../src/secrets/api-key.ts'
import { adminProgram, admin as inProcess } from '../support/admin.ts'
import { newKey } from '../support/app.ts'
import { testDatabaseOfOneTest } from '../support/database.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { built, type Running, start } from '../support/process.ts'

vi.setConfig({ testTimeout: 120_000 })

const servingOn = (server: Running) =>
  server.line((line) => {
    const { msg, port } = JSON.parse(line)
    return msg === 'serving' ? Number(port) : undefined
  })

test('[issue 15.10] the key is made beside DATA_DIR, turned under a running server, kept with an encrypted backup, and missed when it is gone', async () => {
  const { sql, url } = await testDatabaseOfOneTest()
  // as a database that was never used
  await sql`delete from secrets_key`
  const folder = temporaryDirectory()
  const file = join(folder, 'data.secrets-key')
  const environment = { DATABASE_URL: url, DATA_DIR: join(folder, 'data'), SECRETS_KEY: '' }
  const serve = () =>
    start([built('run/server.js')], {
      ...environment,
      ...{ HOST: '127.0.0.1', PORT: '0', DEMO: 'off', MEDIA_ENGINE: 'off', LOG_LEVEL: 'info' },
    })
  const admin = (args: readonly string[], input = '', more = {}, way = inProcess) =>
    way(args, { environment: { ...environment, ...more }, input })
  const json = async (args: readonly string[], input = '', way = inProcess) => {
    const { code, stdout, stderr } = await admin(args, input, {}, way)
    expect([code, stderr]).toEqual([0, ''])
    return JSON.parse(stdout)
  }

  const server = serve()
  const origin = `http://127.0.0.1:${await servingOn(server)}`
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const organization = await json(['orgs', 'create', '--name', 'House'])
  const { key } = await newKey(
    { sql },
    organization.id,
    SCOPE_RESOURCES.map((resource) => `${resource}:write`),
  )
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${origin}/rest${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const camera = (await ask('POST', '/v1/streams/inputs', { name: 'Camera' })).body
  expect(camera.streamKey).toMatch(/^[0-9a-f]{32}$/)

  const before = await json(['secrets', 'list'])
  expect(before).toMatchObject({ from: file, keys: [{ state: 'current', here: true }] })
  const turned = await json(['secrets', 'rotate'])
  expect(turned).toMatchObject({ from: file, sealed: { stream_input: 1 }, retired: [before.keys[0].id] })
  // the server has heard of it: what it seals now is sealed with the new key, what it reads is read with it
  expect((await ask('GET', `/v1/streams/inputs/${camera.id}`)).body).toEqual(camera)
  expect((await ask('POST', '/v1/streams/inputs', { name: 'Second' })).status).toBe(201)
  expect(await sql`select distinct secrets_key_id as id from stream_input`).toEqual([{ id: turned.key }])
  expect((await json(['secrets', 'list'])).keys.map(({ state }: { state: string }) => state)).toEqual([
    'current',
    'retired',
  ])
  const again = await json(['secrets', 'rotate', '--forget-old'])
  expect((await json(['secrets', 'list'])).keys).toMatchObject([{ id: again.key, state: 'current' }])
  expect((await ask('GET', `/v1/streams/inputs/${camera.id}`)).body).toEqual(camera)

  const sealed = join(folder, 'backup.age')
  const backup = ['backup', '--to', sealed, '--encrypt']
  expect(await admin(backup)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^--encrypt needs a passphrase/),
  })
  expect(await admin([...backup, '--passphrase-stdin'], 'short')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('at least 12'),
  })
  const made = await json([...backup, '--passphrase-stdin'], 'correct horse battery\n', adminProgram)
  expect(made).toMatchObject({ encrypted: true, secretsKeys: { ids: [again.key], in: sealed } })
  expect(readFileSync(sealed, 'latin1')).toMatch(/^age-encryption\.org\/v1\n-> scrypt [A-Za-z0-9+/]{22} 18\n/)
  expect(await json(['backup', '--to', join(folder, 'plain.tar')])).toMatchObject({
    encrypted: false,
    secretsKeys: { in: file },
  })
  server.kill('SIGTERM')
  expect(await server.ended).toBe(0)

  renameSync(file, `${file}.away`)
  const without = serve()
  expect(await without.ended).toBe(1)
  expect(without.stderr()).toMatch(
    /^SECRETS_KEY: the secrets of this database are sealed with key [0-9a-f]{16}; [^\n]+ is not there[^\n]+\n$/,
  )
  expect(without.stdout()).not.toContain(String(camera.streamKey))
  // what touches no secret still works
  expect((await admin(['orgs', 'create', '--name', 'Second house'])).code).toBe(0)
  expect((await admin(['orgs', 'create', '--name', 'x'], '', { SECRETS_KEY: 'not a key' })).stderr).toMatch(
    /^SECRETS_KEY: expected 32 bytes in base64[^\n]+\n$/,
  )

  // the passphrase alone brings everything back
  const passphrase = join(folder, 'passphrase')
  writeFileSync(passphrase, 'correct horse battery\n')
  const restored = await json(
    ['restore', '--from', sealed, '--force', '--passphrase-file', passphrase],
    '',
    adminProgram,
  )
  expect(restored).toMatchObject({ secretsKey: { id: again.key, in: file } })
  rmSync(`${file}.away`)
  const [row] = await sql<{ id: string }[]>`select distinct secrets_key_id as id from stream_input`
  expect([row?.id, statSync(file).mode & 0o777]).toEqual([again.key, 0o600])
})
