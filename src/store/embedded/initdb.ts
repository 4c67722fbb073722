import { randomBytes } from 'node:crypto'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { RunAs } from './binaries.ts'

/** The database user that everything of ours connects as. */
export const USER = 'tally'
/** Nothing of the caller's: a locale or PGDATA from outside would change how PostgreSQL works. */
export const ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' }

/** Writes a file that only the owner of the cluster can read. */
export function writePrivate(path: string, text: string, as: RunAs): void {
  writeFileSync(path, text, { mode: 0o600 })
  give(path, as)
}

const give = (path: string, { owner }: RunAs) => {
  if (owner) chownSync(path, owner.uid, owner.gid)
}

/**
 * Makes the cluster in `dir` when there is none; resolves with its password. Runs initdb beside the final place and moves it
 * there, so that a kill in between leaves nothing half made.
 */
export async function initializeDataDir(dir: string, initdb: string, as: RunAs): Promise<string> {
  const made = () => existsSync(join(dir, 'PG_VERSION'))
  if (!made()) {
    if (isOccupied(dir)) throw notOurs(dir)
    const fresh = `${dir}.new-${process.pid}`
    const passwordFile = `${fresh}.password`
    rmSync(fresh, { recursive: true, force: true })
    mkdirSync(fresh, { mode: 0o700 })
    give(fresh, as)
    writePrivate(passwordFile, randomBytes(24).toString('hex'), as)
    try {
      await run(initdb, fresh, passwordFile, as)
      renameSync(passwordFile, join(fresh, 'tally.password'))
      try {
        renameSync(fresh, dir)
      } catch (error) {
        // another process was faster, and its cluster is as good
        if (!made()) throw error
      }
    } finally {
      rmSync(passwordFile, { force: true })
      rmSync(fresh, { recursive: true, force: true })
    }
  }
  const password = join(dir, 'tally.password')
  if (!existsSync(password)) throw notOurs(dir)
  return readFileSync(password, 'utf8').trim()
}

/** By a file, or a folder with something in it. */
const isOccupied = (dir: string) => {
  const found = statSync(dir, { throwIfNoEntry: false })
  return found !== undefined && (!found.isDirectory() || readdirSync(dir).length > 0)
}

const notOurs = (dir: string) =>
  new Error(`DATA_DIR: ${dir} holds something else than a database of Tally: use another folder, or move that away`)

async function run(initdb: string, dir: string, passwordFile: string, as: RunAs): Promise<void> {
  const child = as.spawn(
    initdb,
    [
      `--pgdata=${dir}`,
      `--username=${USER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // the same order of text on every machine, whatever its C library
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--data-checksums',
      // recovery on a full disk needs room for one more segment
      '--wal-segsize=4',
      // the password is random: stretching it only slows each connection
      '--set=scram_iterations=1',
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], cwd: '/', env: ENVIRONMENT },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk
    })
  const code = await new Promise<number | string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (exit, signal) => resolve(exit ?? signal ?? 'unknown'))
  })
  if (code !== 0) throw new Error(`initdb failed (${code}): ${output.trim().split('\n').slice(-3).join(' ')}`)
}
