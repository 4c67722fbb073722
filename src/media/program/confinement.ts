import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The user without rights of every Linux. */
const NOBODY = 65_534
const ROOMY_SHM_BYTES = 256 * 1024 * 1024
const PROFILE = 'tally-browser-'

export type Confinement = {
  /** What the browser is started through. */
  prefix: readonly string[]
  flags: readonly string[]
}

/** What decides how a browser is confined. */
export type Surroundings = {
  isRoot: boolean
  /** Whether root may become the user without rights. */
  canDrop: boolean
  inContainer: boolean
  /** Whether there may be namespaces within. */
  canNest: boolean
  roomyShm: boolean
}

const asNobody = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--']

/**
 * Graphics are code of others, so the browser that draws them runs without rights and in its sandbox. The sandbox needs
 * namespaces of its own; a container that does not let it have them confines it by itself, and only there it goes without.
 */
export function confinementIn({ isRoot, canDrop, inContainer, canNest, roomyShm }: Surroundings): Confinement {
  const canConfine = canNest && (canDrop || !isRoot)
  return {
    prefix: isRoot && canDrop ? asNobody : [],
    flags: [
      ...(inContainer && !canConfine ? ['--no-sandbox'] : []),
      // a container has 64 MB of shared memory unless told otherwise
      ...(roomyShm ? [] : ['--disable-dev-shm-usage']),
    ],
  }
}

/** How a browser is confined on this machine. */
export async function confinement(): Promise<Confinement> {
  if (process.platform !== 'linux') return { prefix: [], flags: [] }
  const isRoot = process.getuid?.() === 0
  const canDrop = isRoot && (await works([...asNobody, 'true']))
  const canNest = await works([...(canDrop ? asNobody : []), 'unshare', '--user', 'true'])
  const shm = await statfs('/dev/shm').catch(() => undefined)
  return confinementIn({
    isRoot,
    canDrop,
    inContainer: ['/.dockerenv', '/run/.containerenv'].some(existsSync),
    canNest,
    roomyShm: shm !== undefined && shm.bavail * shm.bsize >= ROOMY_SHM_BYTES,
  })
}

const works = ([command = '', ...args]: readonly string[]) =>
  promisify(execFile)(command, args).then(
    () => true,
    () => false,
  )

/** A new folder for a browser of this process that is confined so. Those of processes that are gone are removed. */
export async function newProfile({ prefix }: Confinement): Promise<string> {
  const names = await readdir(tmpdir())
  const left = names.filter((name) => name.startsWith(PROFILE) && !lives(Number(name.split('-')[2])))
  await Promise.all(left.map((name) => rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {})))
  const folder = await mkdtemp(join(tmpdir(), `${PROFILE}${process.pid}-`))
  if (prefix === asNobody) await chown(folder, NOBODY, NOBODY)
  return folder
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
