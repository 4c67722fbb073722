import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { repairLinks, runAs } from '../../../src/store/embedded/binaries.ts'
import { type EmbeddedPostgres, startEmbedded } from '../../../src/store/embedded/open.ts'
import { isAlive } from '../../../src/store/embedded/postmaster.ts'
import { type ConnectedDatabase, connectDatabase } from '../../../src/store/postgres.ts'
import { usedDataDirectory } from '../../support/data-dir.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { built, start } from '../../support/process.ts'

const log = pino({ level: 'silent' })

const begin = async (dataDir: string): Promise<EmbeddedPostgres> => {
  const postgres = await startEmbedded(dataDir, log)
  onTestFinished(async () => {
    await postgres.leave()
  })
  return postgres
}

const poolOf = (postgres: EmbeddedPostgres) => {
  const pool = connectDatabase(postgres.url, { connections: 1 })
  onTestFinished(() => pool.close(0))
  return pool
}

/** Another process that starts the cluster, says its pid and stays. */
const foreign = async (dataDir: string) => {
  const script = `
    import { startEmbedded } from ${JSON.stringify(built('src/store/embedded/open.js'))}
    import { pino } from 'pino'
    const postgres = await startEmbedded(${JSON.stringify(dataDir)}, pino({ level: 'silent' }))
    console.log(postgres.pid())
    process.stdin.resume()
    setInterval(() => {}, 1000)`
  const running = start(['--input-type=module', '-e', script])
  const pid = await running.line((line) => (/^\d+$/.test(line) ? Number(line) : undefined))
  return { running, pid }
}

const pidOf = (postgres: EmbeddedPostgres) => {
  const pid = postgres.pid()
  if (pid === undefined) throw new Error('it does not run')
  return pid
}

describe('a new cluster, in a folder where making one was cut short', () => {
  let dataDir: string
  let postgres: EmbeddedPostgres
  let pool: ConnectedDatabase

  beforeAll(async () => {
    // private to this user; as root, PostgreSQL runs as another one that cannot go through it
    const parent = mkdtempSync(join(tmpdir(), 'tally-'))
    dataDir = join(parent, 'deep', 'data')
    mkdirSync(join(dataDir, 'postgres.new-1'), { recursive: true, mode: 0o700 })
    postgres = await startEmbedded(dataDir, log)
    pool = connectDatabase(postgres.url, { connections: 1 })
    return async () => {
      await pool.close(0)
      await postgres.leave()
      rmSync(parent, { recursive: true, force: true })
    }
  })

  const settings = async (names: string[]) => {
    const rows = await pool.sql`select name, setting from pg_settings where name = any(${names}) order by name`
    return rows.map(({ name, setting }) => `${name}=${setting}`)
  }

  test('is made and runs', () => {
    expect(postgres.adopted).toBe(false)
  })

  test('[P1] has durable commits: fsync, synchronous_commit, full_page_writes and data checksums are on', async () => {
    expect(await settings(['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums'])).toEqual([
      'data_checksums=on',
      'fsync=on',
      'full_page_writes=on',
      'synchronous_commit=on',
    ])
  })

  test('listens on the loopback only, and keeps its password from other users', async () => {
    expect(await settings(['listen_addresses', 'unix_socket_directories'])).toEqual([
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
    ])
    expect(statSync(join(dataDir, 'postgres/tally.password')).mode & 0o777).toBe(0o600)
  })
})

test('a process killed with SIGKILL leaves PostgreSQL running, and the next start adopts it', async () => {
  const dataDir = usedDataDirectory()
  const { running, pid } = await foreign(dataDir)
  running.kill('SIGKILL')
  expect(await running.ended).toBe('SIGKILL')
  expect(isAlive(pid)).toBe(true)
  const postgres = await begin(dataDir)
  expect(postgres.adopted).toBe(true)
  expect(postgres.pid()).toBe(pid)
  expect(await poolOf(postgres).sql`select 1 as one`).toEqual([{ one: 1 }])
})

test('after everything was killed the next start recovers, with what was committed', async () => {
  const dataDir = usedDataDirectory()
  const { running, pid } = await foreign(dataDir)
  const url = (await begin(dataDir)).url
  const pool = connectDatabase(url, { connections: 1 })
  await pool.sql`create table kept as select 42 as answer`
  await pool.close(0)
  running.kill('SIGKILL')
  await running.ended
  process.kill(pid, 'SIGKILL')
  const postgres = await begin(dataDir)
  expect(pidOf(postgres)).not.toBe(pid)
  expect(await poolOf(postgres).sql`select answer from kept`).toEqual([{ answer: 42 }])
})

test('a postmaster killed under a living node is started again on the same port, as soon as that is possible', async () => {
  const dataDir = usedDataDirectory()
  const postgres = await begin(dataDir)
  const pool = poolOf(postgres)
  await pool.sql`create table kept as select 42 as answer`
  const { url } = postgres
  const pid = pidOf(postgres)
  // no file can be opened for its log
  rmSync(join(dataDir, 'postgres.log'))
  mkdirSync(join(dataDir, 'postgres.log'))
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => pool.sql`select`.catch(() => 'away')).toBe('away')
  // and it dies again before anybody else is back
  let deaths = 0
  const told = vi.spyOn(log, 'warn').mockImplementation(() => {
    const again = postgres.pid()
    if (again !== undefined && again !== pid && deaths++ < 3) process.kill(again, 'SIGKILL')
  })
  onTestFinished(() => told.mockRestore())
  rmdirSync(join(dataDir, 'postgres.log'))
  await expect.poll(() => deaths).toBeGreaterThanOrEqual(3)
  // its children answer for a moment longer
  await expect.poll(() => [undefined, pid].includes(postgres.pid())).toBe(false)
  await expect.poll(() => pool.sql`select answer from kept`.catch(() => 'away')).toEqual([{ answer: 42 }])
  expect(postgres.url).toBe(url)
})

test('a stale postmaster.pid whose number went to another program does not stop the start', async () => {
  const dataDir = usedDataDirectory()
  const first = await startEmbedded(dataDir, log)
  expect(await first.leave()).toBe(true)
  const stranger = runAs([]).spawn('sleep', ['60'], { stdio: 'ignore', cwd: '/' })
  onTestFinished(() => void stranger.kill('SIGKILL'))
  const lines = [stranger.pid, join(dataDir, 'postgres'), 1, 5432, '', '127.0.0.1', '', 'ready   ', '']
  writeFileSync(join(dataDir, 'postgres/postmaster.pid'), lines.join('\n'))
  const postgres = await begin(dataDir)
  expect(postgres.adopted).toBe(false)
  expect(isAlive(stranger.pid ?? 0)).toBe(true)
})

test('two data directories run side by side', async () => {
  const [one, two] = await Promise.all([begin(usedDataDirectory()), begin(usedDataDirectory())])
  expect(new URL(one.url).port).not.toBe(new URL(two.url).port)
  expect(await poolOf(one).sql`select 1 as n`).toEqual(await poolOf(two).sql`select 1 as n`)
})

test('two starts on one empty directory at the same moment share one cluster', async () => {
  const dataDir = temporaryDirectory()
  const [{ pid, running }, postgres] = await Promise.all([foreign(dataDir), begin(dataDir)])
  expect(postgres.pid()).toBe(pid)
  running.kill('SIGKILL')
  await running.ended
})

test('[25] who leaves stops PostgreSQL only when nobody else is connected', async () => {
  const dataDir = usedDataDirectory()
  const one = await begin(dataDir)
  const two = await begin(dataDir)
  const pid = pidOf(one)
  expect(await one.leave()).toBe(false)
  expect(isAlive(pid)).toBe(true)
  const client = poolOf(two)
  await client.sql`select 1`
  expect(await two.leave()).toBe(false)
  await client.close(0)
  const three = await begin(dataDir)
  expect(three.adopted).toBe(true)
  expect(await three.leave()).toBe(true)
  expect(isAlive(pid)).toBe(false)
})

test('[25] who leaves does not stop a PostgreSQL that is too busy to say who is connected', async () => {
  const dataDir = usedDataDirectory()
  const [leaving, staying] = [await begin(dataDir), await begin(dataDir)]
  const pid = pidOf(leaving)
  process.kill(pid, 'SIGSTOP')
  onTestFinished(() => void (isAlive(pid) && process.kill(pid, 'SIGCONT')))
  expect(await leaving.leave()).toBe(false)
  process.kill(pid, 'SIGCONT')
  expect(isAlive(pid)).toBe(true)
  expect(await poolOf(staying).sql`select 1 as one`).toEqual([{ one: 1 }])
})

test('a port that was taken in the meantime is changed for another', async () => {
  const dataDir = usedDataDirectory()
  const first = await startEmbedded(dataDir, log)
  const port = Number(new URL(first.url).port)
  await first.leave()
  const squatter = createServer()
  await new Promise<void>((resolve) => squatter.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => void squatter.close())
  const postgres = await begin(dataDir)
  expect(new URL(postgres.url).port).not.toBe(String(port))
  expect(readFileSync(join(dataDir, 'postgres/tally.port'), 'utf8')).toBe(new URL(postgres.url).port)
})

test('programs and data in a folder that only its owner can enter are reached by the user that runs PostgreSQL', async () => {
  const file = join(temporaryDirectory(), 'program')
  writeFileSync(file, '', { mode: 0o755 })
  const script = `fs.accessSync(${JSON.stringify(file)}, fs.constants.X_OK); fs.readFileSync(${JSON.stringify(file)})`
  const child = runAs([file]).spawn(process.execPath, ['-e', script], { stdio: 'inherit', cwd: '/' })
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0)
})

test('library links that npm was not allowed to make are made at the start', () => {
  const root = temporaryDirectory()
  mkdirSync(join(root, 'native/lib'), { recursive: true })
  writeFileSync(join(root, 'native/lib/libx.so.1.2'), '')
  writeFileSync(
    join(root, 'native/pg-symlinks.json'),
    JSON.stringify([{ source: 'native/lib/libx.so.1.2', target: 'native/lib/libx.so.1' }]),
  )
  expect(repairLinks(root)).toBe(1)
  expect(readlinkSync(join(root, 'native/lib/libx.so.1'))).toBe('libx.so.1.2')
  expect(repairLinks(root)).toBe(0)
})

test('a folder that holds something else in the place of the database is named in one line, and left as it is', async () => {
  const withPostgres = (make: (dir: string) => void) => {
    const dataDir = temporaryDirectory()
    chmodSync(dataDir, 0o755)
    make(join(dataDir, 'postgres'))
    return dataDir
  }
  const someFiles = withPostgres((dir) => {
    mkdirSync(dir)
    writeFileSync(join(dir, 'notes.txt'), 'mine')
  })
  const anothersCluster = withPostgres((dir) => {
    mkdirSync(dir)
    writeFileSync(join(dir, 'PG_VERSION'), '15\n')
  })
  const aFile = withPostgres((dir) => writeFileSync(dir, 'mine'))
  for (const dataDir of [someFiles, anothersCluster, aFile])
    await expect(startEmbedded(dataDir, log)).rejects.toThrow(
      `DATA_DIR: ${join(dataDir, 'postgres')} holds something else than a database of Tally`,
    )
  expect(readFileSync(join(someFiles, 'postgres/notes.txt'), 'utf8')).toBe('mine')
  expect(readFileSync(join(aFile, 'postgres'), 'utf8')).toBe('mine')
})
