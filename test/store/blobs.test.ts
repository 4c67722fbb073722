import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BlobRefused, createBlobs } from '../../src/store/blobs.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tally-blobs-'))
})
afterAll(() => rm(folder, { recursive: true }))

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
async function* chunks(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}

describe('blobs', () => {
  it('stores bytes under their SHA-256, whole or in chunks, once', async () => {
    const blobs = createBlobs(join(folder, 'a'))
    const whole = await blobs.put(Buffer.from('one two'))
    expect(whole).toEqual({ hash: sha256('one two'), size: 7 })
    expect(await blobs.put(chunks('one', ' two'))).toEqual(whole)
    expect((await blobs.read(whole.hash))?.toString()).toBe('one two')
    expect(await blobs.has(whole.hash)).toBe(true)
    expect(await readdir(join(folder, 'a'))).toEqual([whole.hash.slice(0, 2)])
  })

  it('keeps nothing of bytes that are not what was expected, or too many', async () => {
    const blobs = createBlobs(join(folder, 'b'))
    await expect(blobs.put(chunks('x'), { hash: sha256('y') })).rejects.toThrow(BlobRefused)
    await expect(blobs.put(chunks('xx', 'xx'), { maxBytes: 3 })).rejects.toThrow(BlobRefused)
    expect(await readdir(join(folder, 'b'))).toEqual([])
  })

  it('knows nothing of what it never stored, nor of names that are no hashes', async () => {
    const blobs = createBlobs(join(folder, 'c'))
    for (const name of [sha256('never'), '../a', '', 'A'.repeat(64)]) {
      expect(await blobs.read(name)).toBeUndefined()
      expect(await blobs.has(name)).toBe(false)
    }
  })

  it('takes the same bytes many times at once', async () => {
    const blobs = createBlobs(join(folder, 'd'))
    const all = await Promise.all(Array.from({ length: 20 }, () => blobs.put(chunks('same'))))
    expect(new Set(all.map(({ hash }) => hash))).toEqual(new Set([sha256('same')]))
    expect((await blobs.read(sha256('same')))?.toString()).toBe('same')
  })
})
