import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../../src/store/embedded/open.ts'
import { connectDatabase } from '../../src/store/postgres.ts'
import { settleKeys } from '../../src/store/secrets/settle.ts'
import { copyCluster } from './cluster.ts'
import { madeCluster } from './made-cluster.ts'
import { quickPlace } from './quick-place.ts'
import { testKeys } from './secrets.ts'
import { TEMPLATE } from './template.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of the maintenance database of the run's one PostgreSQL. */
    clusterUrl: string
    /** A migrated cluster that does not run, for `giveCluster`. */
    clusterCopy: string
  }
}

/** One embedded PostgreSQL per run, with a migrated database that every test file's own is a copy of. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(quickPlace(), 'tally-test-'))
  const log = pino({ level: 'error' }, process.stderr)
  const clusterCopy = join(dataDir, 'copy')
  await madeCluster(clusterCopy, log)
  copyCluster(clusterCopy, join(dataDir, 'postgres'))
  // a run that loses power is done again from the start; what must be durable is tested on clusters of its own
  // and no database of a run lives long enough to be cleaned up: each is dropped with its file
  const hasty = 'fsync = off\nfull_page_writes = off\nautovacuum = off\n'
  appendFileSync(join(dataDir, 'postgres/postgresql.auto.conf'), hasty)
  // SCRAM is made to take work, at both ends of each of the thousands of connections; who may come in is tested elsewhere
  writeFileSync(join(dataDir, 'postgres/pg_hba.conf'), 'host all all 127.0.0.1/32 trust\n')
  const postgres = await startEmbedded(dataDir, log)
  const { sql, close } = connectDatabase(postgres.urlOf(TEMPLATE), { connections: 1 })
  await settleKeys(sql, testKeys())
  await close()
  project.provide('clusterUrl', postgres.urlOf('postgres'))
  project.provide('clusterCopy', clusterCopy)
  return async () => {
    await postgres.leave()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
