import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const size = '250m'

/** A small file system in memory. Throws for who may not mount one. */
export function smallDisk(): string {
  const path = mkdtempSync(join(tmpdir(), 'tally-disk-'))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=755`, 'tmpfs', path])
  if (status === 0) return path
  rmSync(path, { recursive: true })
  throw new Error('may not mount')
}

export function removeDisk(path: string): void {
  spawnSync('umount', ['-l', path])
  rmSync(path, { recursive: true, force: true })
}

export function mayMount(): boolean {
  try {
    removeDisk(smallDisk())
    return true
  } catch {
    return false
  }
}

/** Writes until nothing more fits. */
export function fill(path: string): void {
  const file = openSync(path, 'w')
  try {
    for (const bytes of [1_048_576, 4_096]) {
      const block = Buffer.alloc(bytes)
      try {
        while (writeSync(file, block) === bytes);
      } catch {
        // full for blocks of this size
      }
    }
  } finally {
    closeSync(file)
  }
}
