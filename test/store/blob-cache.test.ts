import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { cachedFiles } from '../../src/store/blob-cache.ts'
import type { Blobs } from '../../src/store/blobs.ts'

const MB = 1024 * 1024

/** A store of a few files that says what is read of it, and how much at once. */
function store() {
  const files = new Map<string, Buffer>()
  const seen = { bytes: 0, reads: 0, underWay: 0, mostUnderWay: 0 }
  const blobs: Pick<Blobs, 'part'> = {
    async part(hash, offset, maxBytes) {
      seen.reads++
      seen.underWay += maxBytes
      seen.mostUnderWay = Math.max(seen.mostUnderWay, seen.underWay)
      await new Promise((resolve) => setImmediate(resolve))
      seen.underWay -= maxBytes
      const file = files.get(hash)
      const bytes = file?.subarray(offset, offset + maxBytes)
      seen.bytes += bytes?.length ?? 0
      return file && bytes && { bytes, size: file.length }
    },
  }
  const add = (size: number, seed: number) => {
    const bytes = Buffer.alloc(size, `file ${seed} `)
    const hash = createHash('sha256').update(bytes).digest('hex')
    files.set(hash, bytes)
    return { hash, bytes }
  }
  return { files, blobs, seen, add }
}

/** Reads a file to its end, part by part, as clients do: to hold forty wholes at once costs more than all that is tested. */
async function isWhole(
  file: { size: number; at(offset: number): Buffer | Promise<Buffer> } | undefined,
  expected: Buffer,
): Promise<boolean> {
  if (file?.size !== expected.length) return false
  for (let offset = 0; offset < file.size; ) {
    const part = await file.at(offset)
    if (part.length === 0 || !part.equals(expected.subarray(offset, offset + part.length))) return false
    offset += part.length
  }
  return true
}

it('a file that many ask for at once is read once', async () => {
  const { blobs, seen, add } = store()
  const { hash, bytes } = add(20 * MB + 7, 1)
  const { open } = cachedFiles(blobs)
  const all = await Promise.all(Array.from({ length: 40 }, async () => isWhole(await open(hash), bytes)))
  expect(all).toEqual(Array(40).fill(true))
  expect(seen.bytes).toBe(bytes.length)
})

it('two bytes of a known file that is not in memory cost half a megabyte at most', async () => {
  const { blobs, seen, add } = store()
  const { hash, bytes } = add(80 * MB, 1)
  const { open } = cachedFiles(blobs)
  await open(hash)
  const before = seen.bytes
  const file = await open(hash)
  expect((await file?.at(1_000))?.subarray(0, 2)).toEqual(bytes.subarray(1_000, 1_002))
  expect(seen.bytes - before).toBeLessThanOrEqual(524_288)
  expect(seen.bytes - before).toBeGreaterThan(0)
})

it('forty files read at once by as many clients hold no more than a bound', async () => {
  const { blobs, seen, add } = store()
  const files = Array.from({ length: 40 }, (_, seed) => add(5 * MB, seed))
  const { open } = cachedFiles(blobs)
  const all = await Promise.all(files.map(async ({ hash, bytes }) => isWhole(await open(hash), bytes)))
  expect(all).toEqual(Array(40).fill(true))
  // all at once would be four times as much
  expect(seen.mostUnderWay).toBeLessThanOrEqual(8 * 4 * MB + 16 * 524_288)
})

it('what is damaged from the start, or later, is not handed out; once repaired it is', async () => {
  const { blobs, files, add } = store()
  const { hash, bytes } = add(80 * MB, 1)
  const broken = Buffer.from(bytes)
  broken[10] = 0
  const { open } = cachedFiles(blobs)
  files.set(hash, broken)
  await expect(open(hash)).rejects.toThrow('damaged')
  files.set(hash, bytes)
  const file = await open(hash)
  // its beginning is not in memory any more
  files.set(hash, broken)
  await expect(file?.at(0)).rejects.toThrow('damaged')
  await expect(open(hash)).rejects.toThrow('damaged')
  files.set(hash, bytes)
  expect((await (await open(hash))?.at(0))?.subarray(0, 20)).toEqual(bytes.subarray(0, 20))
})

it('a file that is absent, or of no bytes, is told apart', async () => {
  const { blobs, add } = store()
  const { open } = cachedFiles(blobs)
  expect(await open('a'.repeat(64))).toBeUndefined()
  expect((await open(add(0, 1).hash))?.size).toBe(0)
})
