import { statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'

const GB = 1024 ** 3

/** In memory where a machine has plenty, for a disk takes several times the work to make the thousand files of each database. */
export function quickPlace(): string {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return Math.min(bavail * bsize, freemem()) > 6 * GB ? '/dev/shm' : tmpdir()
  } catch {
    return tmpdir()
  }
}
