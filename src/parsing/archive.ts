import { promisify } from 'node:util'
import { type Entry, fromBuffer, type ZipFile } from 'yauzl'
import { unreadable } from './problem.ts'

const MAX_ENTRIES = 1_000
/** Sheets of equal rows shrink to a fiftieth; more is made to explode. */
const MAX_RATIO = 200
/** Little entries may have any ratio. */
const RATIO_FROM_BYTES = 1_048_576

/** The words for an archive to its sender, which of its files are wanted, how many it may have and how much they may unpack to. */
export type Wanted = { what: string; names: Pick<RegExp, 'test'>; maxBytes: number; maxEntries?: number }

const WORKBOOK: Wanted = { what: 'workbook', names: /\.xml(\.rels)?$/, maxBytes: 24 * 1_048_576 }

const ZIP = Buffer.from('PK\x03\x04', 'latin1')
const COMPOUND = Buffer.from('d0cf11e0', 'hex')

const open = promisify<Buffer, { lazyEntries: true }, ZipFile>(fromBuffer as never)

const megabytes = (bytes: number) => `${Math.round(bytes / 1_048_576)} MB`

/** The XML parts of a workbook, unpacked: nothing else in it is ever looked at, nested archives neither. Throws Unreadable. */
export async function unpack(bytes: Buffer, at: string): Promise<Map<string, Buffer>> {
  if (bytes.subarray(0, 4).equals(COMPOUND))
    throw unreadable(at, 'an old .xls or a workbook with a password: save it as .xlsx without one')
  if (!bytes.subarray(0, 4).equals(ZIP)) throw unreadable(at, 'not an .xlsx workbook')
  const parts = await unpackWanted(bytes, at, WORKBOOK)
  // no workbook program writes them; entities are how a little XML becomes very much
  for (const [name, part] of parts)
    if (part.includes('<!DOCTYPE') || part.includes('<!ENTITY'))
      throw unreadable(at, `${name} declares a document type, which is refused`)
  return parts
}

/**
 * The wanted files of an archive by their names, unpacked. The sizes that entries claim are checked before anything is
 * unpacked, and the unpacked bytes are held against them. Throws Unreadable.
 */
export async function unpackWanted(bytes: Buffer, at: string, wanted: Wanted): Promise<Map<string, Buffer>> {
  const { what, names, maxBytes, maxEntries = MAX_ENTRIES } = wanted
  const broken = (error: unknown) =>
    unreadable(at, `the ${what} is broken: ${error instanceof Error ? error.message : String(error)}`)
  const zip = await open(bytes, { lazyEntries: true }).catch((error: unknown) => {
    throw broken(error)
  })
  if (zip.entryCount > maxEntries)
    throw unreadable(at, `${zip.entryCount} files in the ${what}; at most ${maxEntries} are taken`)
  const entries = await entriesOf(zip).catch((error: unknown) => {
    throw broken(error)
  })
  if (hasMore(bytes, zip))
    throw unreadable(at, `the ${what} has more files than the ${entries.length} that it tells of`)
  check(entries, at, wanted)
  const parts = new Map<string, Buffer>()
  let total = 0
  for (const entry of entries) {
    if (!names.test(entry.fileName)) continue
    const part = await unpacked(zip, entry).catch((error: unknown) => {
      throw broken(error)
    })
    total += part.length
    if (total > maxBytes) throw tooLarge(at, total, maxBytes)
    parts.set(entry.fileName, part)
  }
  return parts
}

const tooLarge = (at: string, bytes: number, maxBytes: number) =>
  unreadable(at, `${megabytes(bytes)} unpacked; at most ${megabytes(maxBytes)} are taken`)

function check(entries: readonly Entry[], at: string, { what, maxBytes }: Wanted): void {
  const names = new Set<string>()
  let total = 0
  for (const entry of entries) {
    const { fileName, compressedSize, uncompressedSize, generalPurposeBitFlag } = entry
    if (names.has(fileName)) throw unreadable(at, `${fileName} is in the ${what} twice`)
    names.add(fileName)
    if (generalPurposeBitFlag & 1) throw unreadable(at, `${fileName} is encrypted`)
    if (isLink(entry)) throw unreadable(at, `${fileName} is a link, which is refused`)
    total += uncompressedSize
    if (total > maxBytes) throw tooLarge(at, total, maxBytes)
    if (uncompressedSize > RATIO_FROM_BYTES && uncompressedSize > MAX_RATIO * compressedSize)
      throw unreadable(at, `${fileName} unpacks to more than ${MAX_RATIO} times its size, which is refused`)
  }
}

const FILE_TYPE = 0o170000
const LINK = 0o120000

/** As systems with links pack them: the type of the file in its mode. */
const isLink = ({ externalFileAttributes }: Entry) => ((externalFileAttributes >>> 16) & FILE_TYPE) === LINK

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

const ENTRY = Buffer.from('PK\x01\x02', 'latin1')

/** Some writers count no further than 65,535, and others lie: what one reader leaves out the next may find. */
function hasMore(bytes: Buffer, zip: ZipFile): boolean {
  // its types call it a boolean
  const next = Number(zip.readEntryCursor)
  return bytes.subarray(next, next + ENTRY.length).equals(ENTRY)
}

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
