import { closeSync, fdatasyncSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { now } from './clock.ts'
import { type Distribution, distribution } from './stats.ts'

/** The least that a commit writes: a page of the WAL. */
const pageBytes = 8192
const pages = 128

/**
 * How long the disk of a directory takes to make one page durable, ms: what no commit there can be faster than. Written as the WAL
 * is, over blocks that the file has already. Nothing else may be measured meanwhile.
 */
export function measureDisk(
  directory: string,
  { writes, atMostMs }: { writes: number; atMostMs: number },
): Distribution {
  const path = join(directory, `bench-${process.pid}`)
  const file = openSync(path, 'w')
  const page = Buffer.alloc(pageBytes, 'x')
  const took = new Float32Array(writes)
  let count = 0
  try {
    for (let at = 0; at < pages; at++) writeSync(file, page, 0, pageBytes, at * pageBytes)
    fsyncSync(file)
    for (const endsAt = now() + atMostMs; count < writes && now() < endsAt; count++) {
      writeSync(file, page, 0, pageBytes, (count % pages) * pageBytes)
      const startedAt = now()
      fdatasyncSync(file)
      took[count] = now() - startedAt
    }
  } finally {
    closeSync(file)
    rmSync(path)
  }
  return distribution(took.subarray(0, count))
}
