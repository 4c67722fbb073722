import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { freePort } from '../bench/free-port.ts'
import { readConfig } from '../src/config.ts'
import { isAlive } from '../src/store/embedded/postmaster.ts'
import { browserOf } from './accounts/support.ts'
import { usedDataDirectory } from './support/data-dir.ts'
import { testDatabaseOfOneTest } from './support/database.ts'
import { temporaryDirectory } from './support/directory.ts'
import { ALONE, built, type Running, start } from './support/process.ts'

/** Starting a whole server may take this long on a busy machine. */
const PATIENCE = { timeout: 120_000 }

const serve = (environment: Record<string, string>) =>
  start([built('run/server.js')], { HOST: '127.0.0.1', LOG_LEVEL: 'info', DEMO: 'off', ...environment })

/** The port, from the line that a server logs when it serves. */
const servingOn = (server: Running) =>
  server.line((line) => {
    const { msg, port } = JSON.parse(line)
    return msg === 'serving' ? Number(port) : undefined
  })

const postmasterOf = (dataDir: string) =>
  Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])

test('the newcomer: start, one curl, kill -9, start again with what was on air, SIGTERM', async () => {
  const dataDir = temporaryDirectory()
  const environment = { DATA_DIR: dataDir, PORT: String(await freePort()), DEMO: 'on' }
  const first = serve(environment)
  const origin = `http://127.0.0.1:${await servingOn(first)}`
  expect((await fetch(`${origin}/readyz`)).status).toBe(200)
  await expect.poll(first.stderr, PATIENCE).toContain('curl')

  const told = (pattern: RegExp) => pattern.exec(first.stderr())?.[1] ?? ''
  const key = told(/(service_\S+)/)
  const overlayKey = told(/\/overlay\/(\S+)/)
  expect((await fetch(`${origin}/overlay/${overlayKey}`)).status).toBe(200)
  expect((await fetch(`${origin}${new URL(told(/control room +(\S+)/)).pathname}`)).status).toBe(200)
  expect((await fetch(`${origin}/docs`)).status).toBe(200)

  const owner = { email: told(/sign in as +(\S+)/), password: told(/password +(\S+)/) }
  expect(await browserOf({ origin }).signIn(owner.email, owner.password)).toMatchObject({ status: 204 })

  const path = new URL(told(/curl -X POST (\S+)/)).pathname
  const { presetId } = JSON.parse(told(/-d '(.*)'/))
  const command = async (action: string) => {
    const answer = await fetch(origin + path, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ action, presetId }),
    })
    return answer.status
  }
  expect(await command('update')).toBe(400)
  expect(await command('show')).toBe(200)

  const second = serve({ ...environment, PORT: '0' })
  expect(await second.ended).toBe(1)
  expect(second.stderr()).toMatch(/^Another Tally server runs on this database: [^\n]+\n$/)

  first.kill('SIGKILL')
  expect(await first.ended).toBe('SIGKILL')
  const again = serve(environment)
  await servingOn(again)
  expect(await command('update')).toBe(200)
  await expect.poll(again.stderr, PATIENCE).toContain(`/overlay/${overlayKey}`)
  expect(again.stderr()).not.toContain(key)
  expect(again.stderr()).not.toMatch(/password/)

  const admin = async (...args: string[]) => {
    const running = start([built('run/admin.js'), ...args, '--json'], environment)
    expect(await running.ended).toBe(0)
    return JSON.parse(running.stdout())
  }
  const [{ id }] = await admin('keys', 'list', '--org', '1')
  expect(await admin('keys', 'delete', '--id', String(id))).toEqual({ deleted: true })
  expect(await command('update')).toBe(401)

  const socket = new WebSocket(`${origin.replace('http', 'ws')}/overlay/${overlayKey}/socket`)
  await new Promise((resolve) => socket.once('message', resolve))
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  const postmaster = postmasterOf(dataDir)
  again.kill('SIGTERM')
  const before = performance.now()
  expect(await closed).toBe(1012)
  expect(await again.ended).toBe(0)
  expect(performance.now() - before).toBeLessThan(10_000)
  expect(isAlive(postmaster)).toBe(false)
})

test('[P8] while PostgreSQL is away the node lives, is not ready and answers 503; then it goes on', async () => {
  const dataDir = usedDataDirectory()
  const server = serve({ DATA_DIR: dataDir, PORT: '0', MEDIA_ENGINE: 'off' })
  const origin = `http://127.0.0.1:${await servingOn(server)}`
  const ask = async (path: string) => {
    const answer = await fetch(origin + path, { headers: { 'x-service-api-key': 'service_unknown' } })
    await answer.arrayBuffer()
    return answer.status
  }
  // a first start that loses its database while it makes the demo ends
  await expect.poll(() => ask('/readyz'), PATIENCE).toBe(200)
  expect(await ask('/rest/v1/teams')).toBe(401)
  const postmaster = postmasterOf(dataDir)
  // stopped, it neither answers nor lets anybody start another
  process.kill(postmaster, 'SIGSTOP')
  const workers = execFileSync('ps', ['-o', 'pid=', '--ppid', String(postmaster)], { encoding: 'utf8' })
    .trim()
    .split(/\s+/)
    .map(Number)
  for (const pid of workers) process.kill(pid, 'SIGKILL')
  await expect.poll(() => ask('/readyz'), PATIENCE).toBe(503)
  // that the key is unknown may be remembered until the loss is noticed
  const askInTime = async () => {
    const before = performance.now()
    const status = await ask('/rest/v1/teams')
    expect(performance.now() - before).toBeLessThan(2_500)
    return status
  }
  await expect.poll(askInTime, PATIENCE).toBe(503)
  expect(await ask('/healthz')).toBe(200)
  process.kill(postmaster, 'SIGKILL')
  await expect.poll(() => ask('/readyz'), PATIENCE).toBe(200)
  await expect.poll(() => ask('/rest/v1/teams'), PATIENCE).toBe(401)
  expect(postmasterOf(dataDir)).not.toBe(postmaster)
  server.kill('SIGINT')
  expect(await server.ended).toBe(0)
})

test(
  'a database that does not give the addresses for the banner costs the banner, not the node that serves already',
  PATIENCE,
  async () => {
    const { sql, url } = await testDatabaseOfOneTest()
    // nothing else asks for inputs while there is no stream
    await sql`alter table stream_input rename to elsewhere`
    const server = serve({ DATABASE_URL: url, DATA_DIR: temporaryDirectory(), PORT: '0', MEDIA_ENGINE: 'off' })
    const origin = `http://127.0.0.1:${await servingOn(server)}`
    await expect.poll(server.stderr, PATIENCE).toContain('Tally serves')
    expect((await fetch(`${origin}/readyz`)).status).toBe(200)
  },
)

test('a port that is taken stops the start with one line, and PostgreSQL with it', async () => {
  const squatter = createServer()
  await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void squatter.close())
  const address = squatter.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const dataDir = usedDataDirectory()
  const server = serve({ DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'silent' })
  expect(await server.ended).toBe(1)
  expect(server.stderr()).toBe(`HOST, PORT: cannot listen on 127.0.0.1:${port}: the address is taken\n`)
  expect(() => postmasterOf(dataDir)).toThrow('ENOENT')
})

test('a signal during the start stops it cleanly, also when it comes twice, as Ctrl-C does under npm', async () => {
  const dataDir = temporaryDirectory()
  const server = serve({ DATA_DIR: dataDir, PORT: '0' })
  await server.line((line) => (JSON.parse(line).msg === 'migrated' ? true : undefined))
  server.kill('SIGTERM')
  server.kill('SIGINT')
  expect(await server.ended).toBe(0)
  expect(() => postmasterOf(dataDir)).toThrow('ENOENT')
})

test.each([
  ['PORT', '65536'],
  ['DATA_DIR', '/dev/null/data'],
  ['DATA_DIR', '/proc/data'],
])('%s=%s stops the start with one line that names it', async (name, value) => {
  const server = serve({ [name]: value })
  expect(await server.ended).toBe(1)
  expect(server.stdout()).toBe('')
  expect(server.stderr()).toMatch(new RegExp(`^${name}: [^\\n]+\\n$`))
})

// what reads it throws the line that the start stops with
test.each([
  ['PORT', 'http'],
  ['PORT', ' '],
  ['PORT', '0x50'],
  ['PORT', '080'],
  ['HOST', 'not a host'],
  ['DATA_DIR', ' '],
  ['DATABASE_URL', 'mysql://localhost/x'],
  ['DATABASE_URL', 'nonsense'],
  ['DATABASE_URL', 'postgres://tally:50%pw@localhost/tally'],
  ['REDIS_URL', 'http://localhost'],
  ['REDIS_URL', 'redis://:50%pw@localhost'],
  ['REDIS_URL', 'redis://localhost/queue'],
  ['PUBLIC_URL', 'localhost:8080'],
  ['PUBLIC_URL', 'http://localhost/?page=1'],
  ['RATE_LIMIT', 'maybe'],
  ['RATE_LIMIT_PER_SECOND', '0'],
  ['TRUSTED_PROXIES', '11'],
  ['RATE_LIMIT_BURST', '99'],
  ['LOG_LEVEL', 'loud'],
  ['BLOBS_S3_URL', 'minio:9000'],
  ['BLOBS_S3_URL', 'http://localhost:9000/?x=1'],
  ['DATABASE_CONNECTIONS', '1'],
  ['RETENTION_JOURNAL_DAYS', '0'],
  ['RETENTION_FILES_DAYS', 'never'],
  ['MEDIAMTX_URL', 'mediamtx:9997'],
  ['MEDIAMTX_SECRET', 'short'],
])('%s=%s is refused with one line that names it', (name, value) => {
  expect(() => readConfig({ ...ALONE, [name]: value })).toThrow(new RegExp(`^${name}: [^\\n]+$`))
})

test.each([
  [{ BLOBS_S3_URL: 'http://localhost:9000' }, 'BLOBS_S3_BUCKET'],
  [{ BLOBS_S3_BUCKET: 'tally', BLOBS_S3_KEY_ID: 'me', BLOBS_S3_SECRET: 'secret' }, 'BLOBS_S3_URL'],
  [{ BLOBS_S3_URL: 'http://localhost:9000', BLOBS_S3_BUCKET: 'tally', BLOBS_S3_KEY_ID: 'me' }, 'BLOBS_S3_SECRET'],
  [{ MEDIA_ENGINE: 'mediamtx' }, 'MEDIAMTX_URL'],
  [{ MEDIA_ENGINE: 'mediamtx', MEDIAMTX_URL: 'http://localhost:9997' }, 'MEDIAMTX_SECRET'],
])('%j is refused with one line that names %s', (environment, name) => {
  const line = new RegExp(`^${name}: needed with (BLOBS_S3_[A-Z]+|MEDIA_ENGINE=mediamtx)$`)
  expect(() => readConfig({ ...ALONE, ...environment })).toThrow(line)
})

test('a password in a bad address is not printed', async () => {
  const server = serve({ DATABASE_URL: 'mysql://tally:secret@localhost/x' })
  expect(await server.ended).toBe(1)
  expect(server.stderr()).toMatch(/^DATABASE_URL: (?!.*secret)[^\n]+\n$/)
})

test('a database that cannot be reached stops the start with one line without its password', async () => {
  const server = serve({ DATABASE_URL: 'postgres://tally:secret@127.0.0.1:9/tally', DATA_DIR: temporaryDirectory() })
  expect(await server.ended).toBe(1)
  expect(server.stderr()).toMatch(
    /^DATABASE_URL: cannot connect to postgres:\/\/tally@127\.0\.0\.1:9\/tally: [^\n]+\n$/,
  )
})
