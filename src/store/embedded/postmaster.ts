import { execFileSync } from 'node:child_process'
import { readFileSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** A postmaster that runs now. */
export type Postmaster = { pid: number; port: number; status: 'starting' | 'ready' | 'stopping' | string }

/**
 * The postmaster that runs on this cluster, by its `postmaster.pid`. Undefined when there is none: the file may be stale and its
 * pid dead or taken by another program.
 */
export function readPostmaster(dir: string): Postmaster | undefined {
  let lines: string[]
  try {
    lines = readFileSync(join(dir, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return undefined
  }
  const pid = Number(lines[0])
  const port = Number(lines[3])
  if (!Number.isInteger(pid) || pid <= 0 || !Number.isInteger(port)) return undefined
  if (!isAlive(pid)) return undefined
  const command = commandLine(pid)
  if (command === undefined && !isAlive(pid)) return undefined
  // a process whose command line we may not read is taken for ours: two postmasters on one cluster would destroy it
  if (command !== undefined && !names(command, realpathSync(dir))) {
    // after a crash the pid went to another program, and PostgreSQL would refuse to start because it lives
    rmSync(join(dir, 'postmaster.pid'), { force: true })
    return undefined
  }
  return { pid, port, status: (lines[7] ?? 'starting').trim() }
}

/** Whether the process runs; one that is dead but not reaped does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  if (process.platform !== 'linux') return true
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.charAt(stat.lastIndexOf(')') + 2) !== 'Z'
  } catch {
    return false
  }
}

/** The arguments of a process, each between two NULs where the system says so and two spaces where it does not. */
function commandLine(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') return `\0${readFileSync(`/proc/${pid}/cmdline`, 'utf8')}`
    return ` ${execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).trim()} `
  } catch {
    return undefined
  }
}

/** Whether an argument of the command is this folder, also one with spaces in its name. */
export const names = (command: string, dir: string) => command.includes(`\0${dir}\0`) || command.includes(` ${dir} `)
