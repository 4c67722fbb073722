import { randomBytes } from 'node:crypto'
import { open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CHUNK } from '../../src/store/backup/age.ts'
import { openPlain, openSink } from '../../src/store/backup/plain-file.ts'
import { temporaryDirectory } from '../support/directory.ts'

const PASSPHRASE = 'correct horse battery'
/** As quick as it gets; what people use takes a second. */
const QUICK = 4

async function sealedFile(plain: Buffer, piece = 30_000) {
  const path = join(temporaryDirectory(), 'file.age')
  const file = await open(path, 'w')
  const sink = await openSink(file, PASSPHRASE, QUICK)
  for (let at = 0; at < plain.length; at += piece) await sink.write(plain.subarray(at, at + piece))
  expect(await sink.end()).toBe((await file.stat()).size)
  await file.close()
  return path
}

async function readAll(path: string, size: number, passphrase = PASSPHRASE) {
  const file = await openPlain(path, passphrase)
  try {
    return await file.read(0, size)
  } finally {
    await file.close()
  }
}

it('[issue 15.10] opens what another implementation of age has sealed with a passphrase', async () => {
  // by the npm package age-encryption 0.3.1
  const path = join(temporaryDirectory(), 'theirs.age')
  const theirs =
    'YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCBkUDB2TTJ4dFFRVUxta3JURGorcHlnIDgKMVp2eDZLNlNkNTlzWVFKc2pzTnZIM1FIOXhoTTEyKy9S' +
    'eks5SkRDUjF2ZwotLS0gRC91amJuYmRsaDFCSmhIdVBzTmx3K0Y3dm4ybmY3eDBWNFRlamJ5aStXWQo8ybCVhCK5zPf1097EikmZE0w6bMiJ23B3OdHIwTYw' +
    'Cjgu9pklkpPPqrUL9Y3MUUA/TPeSVdo6S0KfJZHRXqmKAIPtkf8='
  await writeFile(path, Buffer.from(theirs, 'base64'))
  const text = 'made by another implementation of age'
  expect((await readAll(path, text.length)).toString()).toBe(text)
})

it.each([1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 200_000])(
  'gives back %i bytes, from anywhere in them',
  async (size) => {
    const plain = randomBytes(size)
    const path = await sealedFile(plain)
    expect((await readAll(path, size)).equals(plain)).toBe(true)
    const file = await openPlain(path, PASSPHRASE)
    for (const at of [0, size - 1, CHUNK - 1, CHUNK].filter((one) => one < size)) {
      const part = await file.read(at, Math.min(10, size - at))
      expect(part.equals(plain.subarray(at, at + 10))).toBe(true)
    }
    await expect(file.read(size - 1, 2)).rejects.toThrow('cut off')
    await file.close()
  },
)

it('a wrong passphrase, none, and any byte that was changed or is missing are refused', async () => {
  const size = 2 * CHUNK + 100
  const path = await sealedFile(randomBytes(size))
  await expect(readAll(path, size, 'wrong horse battery')).rejects.toThrow('the passphrase is wrong')
  await expect(openPlain(path)).rejects.toThrow('is encrypted: give its passphrase')
  const good = await readFile(path)
  for (const at of [30, 60, 120, 180, 200, 250, CHUNK + 300, good.length - 1]) {
    const changed = Buffer.from(good)
    changed[at] = (changed[at] ?? 0) ^ 1
    await writeFile(path, changed)
    await expect(readAll(path, size)).rejects.toThrow()
  }
  // also where a chunk ends, which nobody would notice without the mark of the last one
  for (const length of [10, 200, good.length - 1, good.length - 116, good.length - 116 - CHUNK - 16]) {
    await writeFile(path, good.subarray(0, length))
    await expect(readAll(path, CHUNK)).rejects.toThrow()
  }
})

it('a file that asks for more work than any of ours is refused before it is done', async () => {
  const path = await sealedFile(Buffer.from('x'))
  const text = (await readFile(path)).toString('latin1').replace(/( )4\n/, '$130\n')
  await writeFile(path, Buffer.from(text, 'latin1'))
  await expect(openPlain(path, PASSPHRASE)).rejects.toThrow('more work')
})
