import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../../src/store/embedded/open.ts'
import { migrate } from '../../src/store/migrate.ts'
import { connectDatabase } from '../../src/store/postgres.ts'
import { settleKeys } from '../../src/store/secrets/settle.ts'
import { testKeys } from './secrets.ts'
import { TEMPLATE } from './template.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of the maintenance database of the run's one PostgreSQL. */
    clusterUrl: string
  }
}

/** One embedded PostgreSQL per run, with a migrated database that every test file's own is a copy of. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tally-test-'))
  const postgres = await startEmbedded(dataDir, pino({ level: 'error' }, process.stderr))
  const client = new Client({ connectionString: postgres.urlOf('postgres') })
  await client.connect()
  // nothing here is to outlive the run: no commit waits for a disk that others write to, too
  for (const setting of ['fsync', 'full_page_writes']) await client.query(`alter system set ${setting} = off`)
  await client.query('select pg_reload_conf()')
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  await migrate(postgres.urlOf(TEMPLATE))
  const { sql, close } = connectDatabase(postgres.urlOf(TEMPLATE), { connections: 1 })
  await settleKeys(sql, testKeys())
  await close()
  project.provide('clusterUrl', postgres.urlOf('postgres'))
  return async () => {
    await postgres.leave()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
