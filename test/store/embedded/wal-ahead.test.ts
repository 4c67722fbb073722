import { chownSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { PostgresServer } from '../../../src/store/embedded/postgres-server.ts'
import { keepWalAhead, nextSegment } from '../../../src/store/embedded/wal-ahead.ts'
import { temporaryDirectory } from '../../support/directory.ts'

const SEGMENT_BYTES = 4 * 1_048_576
const AT_ONCE = { files: 16, afterMs: 0, pauseMs: 0, freeBytes: 0 }

/** The folder of a cluster that nobody runs, with one segment. */
function cluster() {
  const dir = temporaryDirectory()
  mkdirSync(join(dir, 'pg_wal/summaries'), { recursive: true })
  writeFileSync(join(dir, 'pg_wal/000000010000000000000001'), Buffer.alloc(SEGMENT_BYTES), { mode: 0o600 })
  return { dir, files: () => readdirSync(join(dir, 'pg_wal')).filter((name) => name !== 'summaries') }
}

test('PostgreSQL goes on in the files that were made ahead of need, makes none itself, and recovers from them', async () => {
  const dataDir = temporaryDirectory()
  const server = new PostgresServer(dataDir)
  await server.initialize()
  await server.start({ deadlineMs: 30_000, mayMove: true })
  onTestFinished(() => server.stop())
  const folder = join(server.dir, 'pg_wal')
  await keepWalAhead(server.dir, AT_ONCE).done
  const made = readdirSync(folder).filter((name) => /^[0-9A-F]{24}$/.test(name))
  expect(made).toHaveLength(16)
  const inodes = () => made.map((name) => statSync(join(folder, name)).ino)
  const before = inodes()
  const current = await server.use(async (client) => {
    for (let nth = 0; nth < 10; nth++)
      await client.query(`select pg_logical_emit_message(true, 'tally', ''), pg_switch_wal()`)
    await client.query('create table kept as select 1 as row')
    const { rows } = await client.query<{ name: string }>('select pg_walfile_name(pg_current_wal_insert_lsn()) as name')
    return rows[0]?.name ?? ''
  })
  expect(made.indexOf(current)).toBeGreaterThanOrEqual(10)
  expect(inodes()).toEqual(before)
  process.kill(server.pid() ?? 0, 'SIGKILL')
  await expect.poll(() => server.pid()).toBeUndefined()
  await server.start({ deadlineMs: 30_000, mayMove: true })
  const { rows } = await server.use((client) => client.query('select row from kept'))
  expect(rows).toEqual([{ row: 1 }])
})

test('they are whole, of the owner of the cluster, and made once', async () => {
  const { dir, files } = cluster()
  const owner = process.getuid?.() === 0 ? 65_534 : (process.getuid?.() ?? 0)
  const group = process.getuid?.() === 0 ? 65_534 : (process.getgid?.() ?? 0)
  chownSync(join(dir, 'pg_wal', files()[0] ?? ''), owner, group)
  await keepWalAhead(dir, AT_ONCE).done
  const made = files()
  expect(made).toHaveLength(16)
  expect(made.at(-1)).toBe('000000010000000000000010')
  for (const name of made)
    expect(statSync(join(dir, 'pg_wal', name))).toMatchObject({ size: SEGMENT_BYTES, uid: owner, mode: 0o100600 })
  await keepWalAhead(dir, AT_ONCE).done
  expect(files()).toEqual(made)
})

test('none is made where room is short, nor by a server that stops early', async () => {
  const { dir, files } = cluster()
  await keepWalAhead(dir, { ...AT_ONCE, freeBytes: Number.MAX_SAFE_INTEGER }).done
  expect(files()).toHaveLength(1)
  await keepWalAhead(dir, { files: 16, freeBytes: 0 }).stop()
  expect(files()).toHaveLength(1)
  const inTheMiddle = keepWalAhead(dir, { ...AT_ONCE, pauseMs: 60_000 })
  await expect.poll(files).toHaveLength(2)
  await inTheMiddle.stop()
  expect(files()).toHaveLength(1)
})

test('a cluster that is gone is nothing to fail about', async () => {
  await expect(keepWalAhead(join(temporaryDirectory(), 'gone'), AT_ONCE).done).resolves.toBeUndefined()
})

test('the last segment of a log is followed by the first of the next', () => {
  expect(nextSegment('000000010000000000000001', SEGMENT_BYTES)).toBe('000000010000000000000002')
  expect(nextSegment('0000000100000000000003FF', SEGMENT_BYTES)).toBe('000000010000000100000000')
  expect(nextSegment('00000002FFFFFFFE000003FF', SEGMENT_BYTES)).toBe('00000002FFFFFFFF00000000')
})
