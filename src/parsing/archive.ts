import { promisify } from 'node:util'
import { type Entry, fromBuffer, type ZipFile } from 'yauzl'
import { unreadable } from './problem.ts'

const MAX_ENTRIES = 1_000
/** Of one entry and of all together, unpacked. */
const MAX_UNPACKED_BYTES = 24 * 1_048_576
/** Sheets of equal rows shrink to a fiftieth; more is made to explode. */
const MAX_RATIO = 200
/** Little entries may have any ratio. */
const RATIO_FROM_BYTES = 1_048_576

const ZIP = Buffer.from('PK\x03\x04', 'latin1')
const COMPOUND = Buffer.from('d0cf11e0', 'hex')

const open = promisify<Buffer, { lazyEntries: true }, ZipFile>(fromBuffer as never)

const megabytes = (bytes: number) => `${Math.round(bytes / 1_048_576)} MB`

/**
 * The XML parts of a workbook, unpacked: nothing else in it is ever looked at, nested archives neither. What entries say of
 * themselves is checked before anything is unpacked, and what comes out is held against it. Throws Unreadable.
 */
export async function unpack(bytes: Buffer, at: string): Promise<Map<string, Buffer>> {
  if (bytes.subarray(0, 4).equals(COMPOUND))
    throw unreadable(at, 'an old .xls or a workbook with a password: save it as .xlsx without one')
  if (!bytes.subarray(0, 4).equals(ZIP)) throw unreadable(at, 'not an .xlsx workbook')
  const broken = (error: unknown) =>
    unreadable(at, `the workbook is broken: ${error instanceof Error ? error.message : String(error)}`)
  const zip = await open(bytes, { lazyEntries: true }).catch((error: unknown) => {
    throw broken(error)
  })
  if (zip.entryCount > MAX_ENTRIES)
    throw unreadable(at, `${zip.entryCount} files in the workbook; at most ${MAX_ENTRIES} are taken`)
  const entries = await entriesOf(zip).catch((error: unknown) => {
    throw broken(error)
  })
  check(entries, at)
  const parts = new Map<string, Buffer>()
  let total = 0
  for (const entry of entries) {
    if (!/\.xml(\.rels)?$/.test(entry.fileName)) continue
    const part = await unpacked(zip, entry).catch((error: unknown) => {
      throw broken(error)
    })
    total += part.length
    if (total > MAX_UNPACKED_BYTES) throw tooLarge(at, total)
    // no workbook program writes them; entities are how a little XML becomes very much
    if (part.includes('<!DOCTYPE') || part.includes('<!ENTITY'))
      throw unreadable(at, `${entry.fileName} declares a document type, which is refused`)
    parts.set(entry.fileName, part)
  }
  return parts
}

const tooLarge = (at: string, bytes: number) =>
  unreadable(at, `${megabytes(bytes)} unpacked; at most ${megabytes(MAX_UNPACKED_BYTES)} are taken`)

function check(entries: readonly Entry[], at: string): void {
  const names = new Set<string>()
  let total = 0
  for (const { fileName, compressedSize, uncompressedSize, generalPurposeBitFlag } of entries) {
    if (names.has(fileName)) throw unreadable(at, `${fileName} is in the workbook twice`)
    names.add(fileName)
    if (generalPurposeBitFlag & 1) throw unreadable(at, `${fileName} is encrypted`)
    total += uncompressedSize
    if (total > MAX_UNPACKED_BYTES) throw tooLarge(at, total)
    if (uncompressedSize > RATIO_FROM_BYTES && uncompressedSize > MAX_RATIO * compressedSize)
      throw unreadable(at, `${fileName} unpacks to more than ${MAX_RATIO} times its size, which is refused`)
  }
}

const entriesOf = (zip: ZipFile): Promise<Entry[]> =>
  new Promise((resolve, reject) => {
    const entries: Entry[] = []
    zip.on('entry', (entry: Entry) => {
      entries.push(entry)
      zip.readEntry()
    })
    zip.on('end', () => resolve(entries))
    zip.on('error', reject)
    zip.readEntry()
  })

/** yauzl ends with an error as soon as an entry brings more or less than it declared. */
const unpacked = (zip: ZipFile, entry: Entry): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error) return reject(error)
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('error', reject)
      stream.on('end', () => resolve(Buffer.concat(chunks)))
    })
  })
