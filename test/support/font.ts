import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { inflateSync } from 'node:zlib'

const HEADER = 44
const ENTRY = 20

/** A TrueType font, as motion files embed it, of the WOFF that the packages of fonts have. */
export function ttf(path: string): Uint8Array {
  const woff = readFileSync(createRequire(import.meta.url).resolve(path))
  const count = woff.readUInt16BE(12)
  const parts: Buffer[] = []
  const directory = Buffer.alloc(12 + count * 16)
  directory.writeUInt32BE(woff.readUInt32BE(4), 0)
  directory.writeUInt16BE(count, 4)
  let offset = directory.length
  for (let index = 0; index < count; index++) {
    const entry = HEADER + index * ENTRY
    const [from, packed, length] = [4, 8, 12].map((at) => woff.readUInt32BE(entry + at))
    const raw = woff.subarray(from, (from ?? 0) + (packed ?? 0))
    const table = packed === length ? raw : inflateSync(raw)
    const padded = Buffer.concat([table, Buffer.alloc((4 - (table.length % 4)) % 4)])
    woff.copy(directory, 12 + index * 16, entry, entry + 4)
    directory.writeUInt32BE(woff.readUInt32BE(entry + 16), 12 + index * 16 + 4)
    directory.writeUInt32BE(offset, 12 + index * 16 + 8)
    directory.writeUInt32BE(table.length, 12 + index * 16 + 12)
    parts.push(padded)
    offset += padded.length
  }
  return Buffer.concat([directory, ...parts])
}
