import type { PlainFile } from './plain-file.ts'

const BLOCK = 512
const padding = (size: number) => (BLOCK - (size % BLOCK)) % BLOCK

/** Where the bytes of a file of an archive lie. */
export type TarEntry = { name: string; size: number; offset: number }

/** The two empty blocks that end an archive. */
export const TAR_END = Buffer.alloc(2 * BLOCK)

/** One file of a POSIX (ustar) archive: header, bytes, padding. `name` has at most 100 bytes. */
export function tarFile(name: string, bytes: Uint8Array, modifiedAt: Date): Buffer {
  const header = Buffer.alloc(BLOCK)
  const octal = (value: number, at: number, length: number) =>
    header.write(value.toString(8).padStart(length - 1, '0'), at, length - 1, 'latin1')
  if (header.write(name, 0, 100, 'utf8') !== Buffer.byteLength(name))
    throw new Error(`too long for an archive: ${name}`)
  octal(0o600, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(bytes.length, 124, 12)
  octal(Math.floor(modifiedAt.getTime() / 1000), 136, 12)
  header.write('0', 156, 'latin1')
  header.write('ustar\x0000', 257, 'latin1')
  octal(sumOf(header), 148, 7)
  header.write(' ', 155, 'latin1')
  return Buffer.concat([header, bytes, Buffer.alloc(padding(bytes.length))])
}

/** The files of an archive in their order, read to its end. Throws when it is none, or is cut off. */
export async function* readTar(file: PlainFile): AsyncGenerator<TarEntry & { bytes: Buffer }> {
  let at = 0
  for (;;) {
    const header = await file.read(at, BLOCK)
    if (header.every((byte) => byte === 0)) return
    const text = (from: number, length: number) => header.toString('utf8', from, from + length).replace(/\0.*$/s, '')
    const size = Number.parseInt(text(124, 12), 8)
    if (text(257, 5) !== 'ustar' || Number.parseInt(text(148, 8), 8) !== sumOf(header) || !(size >= 0))
      throw new Error('not an archive, or damaged')
    const offset = at + BLOCK
    yield { name: text(0, 100), size, offset, bytes: await file.read(offset, size) }
    at = offset + size + padding(size)
  }
}

/** Of a header, with its own field taken for blanks. */
const sumOf = (header: Buffer) =>
  header.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 32 : byte), 0)
