import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { ALONE, type Running, running } from './process.ts'
import { root } from './root.ts'

/** Why user namespaces cannot be forbidden here for a test; undefined when they can. */
export const noForbidding = process.platform === 'linux' ? undefined : 'only Linux has user namespaces'

const asRoot = process.getuid?.() === 0
/** The shell says that it is there, hears that its users are known, and is root of them only when it is started again. */
const READY = 'echo ready >&2; read known; exec sh -c "$0" "$@"'
const FORBID = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$0" "$@"'

/**
 * Starts a program of ours on this machine as on one that forbids user namespaces, so that no browser has a sandbox: in a
 * namespace that has the same users and may have no other below it.
 */
export function startWithoutNamespaces(args: readonly string[], environment: Record<string, string>): Running {
  const users = asRoot ? [] : ['--map-current-user', '--keep-caps']
  const child = spawn('unshare', ['--user', ...users, 'sh', '-c', READY, FORBID, process.execPath, ...args], {
    cwd: root,
    // biome-ignore lint/style/noProcessEnv: a child process inherits it
    env: { ...process.env, NODE_ENV: '', VITEST: '', ...ALONE, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stderr.once('data', () => {
    if (asRoot) for (const map of ['uid_map', 'gid_map']) writeFileSync(`/proc/${child.pid}/${map}`, '0 0 65536')
    child.stdin.end('known\n')
  })
  return running(child)
}
