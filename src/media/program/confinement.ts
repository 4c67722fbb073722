import { execFile } from 'node:child_process'
import { chown, mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The user without rights of every Linux. */
const NOBODY = 65_534
const ROOMY_SHM_BYTES = 256 * 1024 * 1024
const PROFILE = 'tally-browser-'

export type Confinement = {
  /** The command that the browser is started through. */
  prefix: readonly string[]
  flags: readonly string[]
}

/** Facts that decide how a browser is confined. */
export type Surroundings = {
  /** Whether this server is root and may become the user without rights. */
  canDrop: boolean
  roomyShm: boolean
  /** False only when the administrator says so. */
  sandbox: boolean
}

export const asNobody = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--']

/**
 * Graphics are code of others, so the browser that draws them runs without rights and in its sandbox. Where it has none it
 * does not start: nothing that is found on a machine, only the administrator's word, takes the sandbox away.
 */
export const confinementIn = ({ canDrop, roomyShm, sandbox }: Surroundings): Confinement => ({
  prefix: canDrop ? asNobody : [],
  flags: [
    ...(sandbox ? [] : ['--no-sandbox']),
    // a container has 64 MB of shared memory unless told otherwise
    ...(roomyShm ? [] : ['--disable-dev-shm-usage']),
  ],
})

/** How a browser is confined on this machine. */
export async function confinement(sandbox: boolean): Promise<Confinement> {
  if (process.platform !== 'linux') return { prefix: [], flags: sandbox ? [] : ['--no-sandbox'] }
  const [canDrop, shm] = await Promise.all([canDropRights(), statfs('/dev/shm').catch(() => undefined)])
  return confinementIn({
    canDrop,
    roomyShm: shm !== undefined && shm.bavail * shm.bsize >= ROOMY_SHM_BYTES,
    sandbox,
  })
}

/** Whether this server is root, and may start a browser as the user without rights. */
export const canDropRights = async () => isRoot() && (await works([...asNobody, 'true']))

export const isRoot = () => process.getuid?.() === 0

/** Whether it runs to a good end. */
export const works = ([command = '', ...args]: readonly string[]): Promise<boolean> =>
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
