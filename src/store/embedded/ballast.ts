import { rmSync, statfsSync } from 'node:fs'
import { open, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'

const MEBIBYTE = 1_048_576
const fileIn = (dataDir: string) => join(dataDir, 'ballast')

/** Keeps up to 32 MiB aside, so that PostgreSQL can be started again after the disk was full. At most a third of the free space. */
export async function keepBallast(dataDir: string): Promise<void> {
  const path = fileIn(dataDir)
  const held = await stat(path).catch(() => undefined)
  if (held) return
  const { bavail, bsize } = statfsSync(dataDir)
  const size = Math.min(32 * MEBIBYTE, Math.floor((bavail * bsize) / 3 / MEBIBYTE) * MEBIBYTE)
  if (size < 4 * MEBIBYTE) return
  const temporary = `${path}.new-${process.pid}`
  try {
    const file = await open(temporary, 'w')
    try {
      const zeros = Buffer.alloc(MEBIBYTE)
      for (let written = 0; written < size; written += MEBIBYTE) await file.write(zeros)
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch {
    rmSync(temporary, { force: true })
  }
}

/** Gives the ballast back when the disk is nearly full. True when it did. */
export function releaseBallast(dataDir: string): boolean {
  const { bavail, bsize } = statfsSync(dataDir)
  if (bavail * bsize > 24 * MEBIBYTE) return false
  try {
    rmSync(fileIn(dataDir))
    return true
  } catch {
    return false
  }
}
