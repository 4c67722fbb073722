import { expect, onTestFinished, test } from 'vitest'
import { PostgresServer } from '../../../src/store/embedded/postgres-server.ts'
import { keepWalAhead } from '../../../src/store/embedded/wal-ahead.ts'
import { temporaryDirectory } from '../../support/directory.ts'

async function begin() {
  const dataDir = temporaryDirectory()
  const cluster = new PostgresServer(dataDir)
  await cluster.initialize()
  await cluster.start({ deadlineMs: 30_000, mayMove: true })
  onTestFinished(() => cluster.stop())
  const count = async (of: string) => {
    const { rows } = await cluster.use((client) =>
      client.query<{ n: number }>(`select count(*)::int as n from pg_ls_waldir() where ${of}`),
    )
    return rows[0]?.n ?? 0
  }
  return {
    dataDir,
    cluster,
    files: () => count(`name ~ '^[0-9A-F]{24}$'`),
    ahead: () => count(`name ~ '^[0-9A-F]{24}$' and name > pg_walfile_name(pg_current_wal_lsn())`),
  }
}

test('a new cluster gets its WAL files ahead of need, once', async () => {
  const { cluster, dataDir, files, ahead } = await begin()
  expect(await ahead()).toBeLessThan(3)
  await keepWalAhead(cluster, dataDir, { files: 16, afterMs: 0, freeBytes: 0 }).done
  const made = await files()
  expect(made).toBeGreaterThanOrEqual(15)
  expect(await ahead()).toBeGreaterThanOrEqual(12)
  await keepWalAhead(cluster, dataDir, { files: 16, afterMs: 0, freeBytes: 0 }).done
  expect(await files()).toBe(made)
})

test('none is made where room is short, nor by a server that stops early', async () => {
  const { cluster, dataDir, files } = await begin()
  const before = await files()
  await keepWalAhead(cluster, dataDir, { files: 16, afterMs: 0, freeBytes: Number.MAX_SAFE_INTEGER }).done
  expect(await files()).toBe(before)
  const stopped = keepWalAhead(cluster, dataDir, { files: 16, freeBytes: 0 })
  await stopped.stop()
  expect(await files()).toBe(before)
})

test('a PostgreSQL that is gone is nothing to fail about', async () => {
  const { cluster, dataDir } = await begin()
  await cluster.stop()
  await expect(keepWalAhead(cluster, dataDir, { files: 16, afterMs: 0, freeBytes: 0 }).done).resolves.toBeUndefined()
})
