import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { root } from '../support/root.ts'

export const client = join(root, 'clients/typescript')
const lock = join(client, '.building')
const mark = join(client, '.built')
/** Whoever holds the lock for longer was killed. */
const LONGEST_MS = 120_000

/** Builds `@tally/client` once for all files of a run, which may want it at the same moment. */
export async function buildClient(): Promise<void> {
  while (!isLocked()) await pause(100)
  try {
    // all workers of a run have one parent
    if (read(mark) === String(process.ppid)) return
    await promisify(execFile)(process.execPath, ['build.mjs'], { cwd: client })
    writeFileSync(mark, String(process.ppid))
  } finally {
    rmdirSync(lock)
  }
}

function isLocked(): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch {
    const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - since > LONGEST_MS) rmdirSync(lock)
    return false
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
