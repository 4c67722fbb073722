import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Tells the process that has this id now from any other that had or will have it, also over restarts of the machine;
 * undefined when there is none. It holds nothing of its arguments.
 */
export async function identityOf(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return identityByPs(pid)
  const [boot, stat] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined),
  ])
  const fields = stat && afterName(stat)
  // a zombie has ended: only its parent has not noticed yet
  return fields && fields[0] !== 'Z' ? `${boot.trim()}/${fields[19]}` : undefined
}

async function identityByPs(pid: number): Promise<string | undefined> {
  const seen = await run('ps', ['-o', 'lstart=,command=', '-p', String(pid)]).catch(() => undefined)
  return seen && createHash('sha256').update(seen.stdout.trim()).digest('hex')
}

/** The fields of `/proc/<pid>/stat` from the third on: the name before them may hold blanks and brackets. */
export const afterName = (stat: string) => stat.slice(stat.lastIndexOf(')') + 2).split(' ')

/** Processor time of a process since its start, and its memory now; undefined when it is gone or the system does not tell. */
export async function usageOf(pid: number): Promise<{ cpuMs: number; rssBytes: number } | undefined> {
  if (process.platform !== 'linux') return undefined
  const [stat, status] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''),
    readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''),
  ])
  const rssKb = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]
  if (!stat || !rssKb) return undefined
  const fields = afterName(stat)
  // a tick is 10 ms on every Linux that Node runs on
  return { cpuMs: (Number(fields[11]) + Number(fields[12])) * 10, rssBytes: Number(rssKb) * 1024 }
}
