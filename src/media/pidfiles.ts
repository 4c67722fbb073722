import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { identityOf } from './process-identity.ts'

type PidFile = { pid: number; identity: string; name: string; owner: { pid: number; identity: string } }

/** Asked to end, a process has this long before it is forced. */
export const END_WITHIN_MS = 2_000

export interface PidFiles {
  /** Remembers a child of this process until `forget`. */
  remember(pid: number, name: string): Promise<void>
  forget(pid: number): Promise<void>
  /** Ends children of processes that are gone themselves; tells the names. Those of another living process are left alone. */
  reap(): Promise<string[]>
}

/** The children of this process as files, so that a later one can end those that outlived it. */
export async function openPidFiles(folder: string): Promise<PidFiles> {
  await mkdir(folder, { recursive: true })
  const owner = { pid: process.pid, identity: (await identityOf(process.pid)) ?? '' }
  const path = (pid: number) => join(folder, `${pid}.json`)
  const written = new Map<number, Promise<void>>()

  const write = async (pid: number, name: string) => {
    const identity = await identityOf(pid)
    if (!identity) return
    const file: PidFile = { pid, identity, name, owner }
    // whole or not at all: the machine may stop in between
    await writeFile(`${path(pid)}.new`, JSON.stringify(file))
    await rename(`${path(pid)}.new`, path(pid))
  }

  const reapOne = async (name: string): Promise<string | undefined> => {
    const file = join(folder, name)
    const left = asPidFile(await readFile(file, 'utf8').catch(() => ''))
    if (left && (await identityOf(left.owner.pid)) === left.owner.identity) return undefined
    const lives = left !== undefined && (await identityOf(left.pid)) === left.identity
    if (left && lives) await endForeign(left)
    await rm(file, { force: true })
    return lives ? left.name : undefined
  }

  return {
    remember(pid, name) {
      const done = write(pid, name)
      written.set(pid, done)
      return done
    },
    async forget(pid) {
      await written.get(pid)?.catch(() => {})
      written.delete(pid)
      await rm(path(pid), { force: true })
    },
    async reap() {
      const names = (await readdir(folder)).filter((name) => name.endsWith('.json'))
      const reaped = await Promise.all(names.map(reapOne))
      return reaped.filter((name) => name !== undefined)
    },
  }
}

async function endForeign({ pid, identity }: PidFile): Promise<void> {
  signal(pid, 'SIGTERM')
  for (const until = performance.now() + END_WITHIN_MS; performance.now() < until; ) {
    if ((await identityOf(pid)) !== identity) return
    await delay(25)
  }
  signal(pid, 'SIGKILL')
}

/** Signals a process with all that it started: each child leads a group of its own. */
export function signal(pid: number, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(-pid, name)
  } catch {
    // it has ended
  }
}

function asPidFile(text: string): PidFile | undefined {
  try {
    const { pid, identity, name, owner } = JSON.parse(text)
    const numbers = [pid, owner.pid].every((value) => Number.isInteger(value) && value > 1)
    return numbers ? { pid, identity: String(identity), name: String(name), owner } : undefined
  } catch {
    return undefined
  }
}
