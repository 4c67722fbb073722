import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import type { Logger } from 'pino'
import { startEmbedded } from '../../src/store/embedded/open.ts'
import { migrate } from '../../src/store/migrate.ts'
import { copyCluster } from './cluster.ts'
import { quickPlace } from './quick-place.ts'
import { root } from './root.ts'

const KEPT = join(root, 'node_modules/.cache/tally')
/** This file. */
const MAKER = 'test/support/made-cluster.ts'

/** All that a cluster is made of, and who may read it. */
function digest(): string {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${process.getuid?.()}`)
  const store = readdirSync(join(root, 'src/store'), { recursive: true, encoding: 'utf8' })
  const sources = store.filter((name) => /\.(ts|sql)$/.test(name)).sort()
  for (const name of ['package-lock.json', MAKER, ...sources.map((name) => `src/store/${name}`)])
    hash.update(`\n${name}\n`).update(readFileSync(join(root, name)))
  return hash.digest('hex').slice(0, 16)
}

/**
 * Puts a migrated cluster that does not run into `to`. It is kept beside the dependencies until the sources of the store change:
 * to make one takes longer than most files of tests.
 */
export async function madeCluster(to: string, log: Logger): Promise<void> {
  const kept = join(KEPT, `cluster-${digest()}`)
  if (!existsSync(kept)) await make(kept, log)
  copyCluster(kept, to)
}

/** As the queue of a server finds them at every start but its first: to make them takes half the work of a start. */
async function makeQueueTables(url: string): Promise<void> {
  // takes long to load, and a cluster is made once
  const { runMigrations } = await import('bullmq')
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await runMigrations(client)
  } finally {
    await client.end()
  }
}

async function make(kept: string, log: Logger): Promise<void> {
  const dataDir = mkdtempSync(join(quickPlace(), 'tally-test-'))
  try {
    const postgres = await startEmbedded(dataDir, log)
    await migrate(postgres.url)
    await makeQueueTables(postgres.url)
    await postgres.leave()
    mkdirSync(KEPT, { recursive: true })
    for (const name of readdirSync(KEPT)) rmSync(join(KEPT, name), { recursive: true, force: true })
    // moved there whole, so that a run that is killed leaves nothing half made
    const fresh = `${kept}.${process.pid}`
    copyCluster(join(dataDir, 'postgres'), fresh)
    try {
      renameSync(fresh, kept)
    } catch (error) {
      rmSync(fresh, { recursive: true, force: true })
      // another run was faster, and its cluster is as good
      if (!existsSync(kept)) throw error
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}
