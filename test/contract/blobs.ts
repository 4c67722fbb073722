import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { BlobRefused, type Blobs } from '../../src/store/blobs.ts'

export type BlobsUnderTest = {
  /** An empty store; `folder` is what it writes to on this node. */
  make(): Promise<{ blobs: Blobs; folder: string; names(): Promise<string[]>; damage(hash: string): Promise<void> }>
}

export const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')
export async function* chunks(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}

/** What every store of blobs does. */
export function blobsContract(name: string, { make }: BlobsUnderTest) {
  describe(`blobs in ${name}`, () => {
    it('are stored under their SHA-256, whole or in chunks, once', async () => {
      const { blobs, names } = await make()
      const whole = await blobs.put(Buffer.from('one two'))
      expect(whole).toEqual({ hash: sha256('one two'), size: 7 })
      expect(await blobs.put(chunks('one', ' two'))).toEqual(whole)
      expect((await blobs.read(whole.hash))?.toString()).toBe('one two')
      expect(await blobs.has(whole.hash)).toBe(true)
      expect(await names()).toEqual([whole.hash])
    })

    it.each([0, 1, 65_536, 3_000_001])('of %i bytes come back as they were', async (size) => {
      const { blobs } = await make()
      const bytes = Buffer.alloc(size, 'tally')
      const { hash } = await blobs.put(bytes, { hash: sha256(bytes), maxBytes: size })
      expect((await blobs.read(hash))?.equals(bytes)).toBe(true)
    })

    it('can be read in parts, each with the size of the whole', async () => {
      const { blobs } = await make()
      const bytes = Buffer.from('0123456789')
      const { hash } = await blobs.put(bytes)
      const part = async (offset: number, maxBytes: number) => {
        const read = await blobs.part(hash, offset, maxBytes)
        return read && [read.bytes.toString(), read.size]
      }
      expect(await part(0, 4)).toEqual(['0123', 10])
      expect(await part(4, 4)).toEqual(['4567', 10])
      expect(await part(8, 4)).toEqual(['89', 10])
      expect(await part(0, 10)).toEqual(['0123456789', 10])
      const empty = await blobs.put(Buffer.alloc(0))
      expect(await blobs.part(empty.hash, 0, 4)).toEqual({ bytes: Buffer.alloc(0), size: 0 })
      for (const name of [sha256('never'), '../a', '']) expect(await blobs.part(name, 0, 4)).toBeUndefined()
    })

    it('are not kept when they are not what was expected, or too many; nothing is left behind', async () => {
      const { blobs, names, folder } = await make()
      await expect(blobs.put(chunks('x'), { hash: sha256('y') })).rejects.toThrow(BlobRefused)
      await expect(blobs.put(chunks('xx', 'xx'), { maxBytes: 3 })).rejects.toThrow(BlobRefused)
      async function* broken() {
        yield Buffer.from('x')
        throw new Error('the sender went away')
      }
      await expect(blobs.put(broken())).rejects.toThrow('the sender went away')
      expect(await names()).toEqual([])
      expect(await readdir(folder)).toEqual([])
    })

    it('are unknown when they were never stored, or when the name is no hash', async () => {
      const { blobs } = await make()
      for (const name of [sha256('never'), '../a', '', 'A'.repeat(64)]) {
        expect(await blobs.read(name)).toBeUndefined()
        expect(await blobs.has(name)).toBe(false)
      }
    })

    it('may be the same many times at once', async () => {
      const { blobs, names } = await make()
      const all = await Promise.all(Array.from({ length: 20 }, () => blobs.put(chunks('same'))))
      expect(new Set(all.map(({ hash }) => hash))).toEqual(new Set([sha256('same')]))
      expect((await blobs.read(sha256('same')))?.toString()).toBe('same')
      expect(await names()).toEqual([sha256('same')])
    })

    it('that were damaged are never handed out', async () => {
      const { blobs, damage } = await make()
      const { hash } = await blobs.put(Buffer.from('precious'))
      await damage(hash)
      await expect(blobs.read(hash)).rejects.toThrow(`the stored bytes of ${hash} are damaged`)
    })
  })
}
