import type { Context } from '../../context.ts'
import { type MotionFile, UnusableMotionFile } from '../../motion/motion-file.ts'
import { Unreadable } from '../../parsing/problem.ts'
import { isSafePath } from '../code-graphics/file-rules.ts'
import { ASSET_ENDINGS, type Candidate, formatOf, MOTION_ENDINGS } from './candidate.ts'
import { assetName, endingOf, MIME_OF_MOTION, MOTION_FILE } from './sources.ts'

/** The parts that look at files. */
export type Looking = {
  /** Files by their SHA-256. */
  blobs: {
    read(hash: string): Promise<Buffer | undefined>
    put(bytes: Uint8Array): Promise<{ hash: string; size: number }>
  }
  parsing: Context['parsing']
  /** Throws UnusableMotionFile. */
  inspect(bytes: Uint8Array): Promise<MotionFile>
  /** Of a PNG or JPEG that can be decoded. */
  pictureOf(bytes: Buffer): Promise<{ contentType: string; width: number; height: number } | undefined>
}

/** An upload as it was declared. */
export type Declared = {
  jobId: string
  organizationId: number
  assetId: string | null
  filename: string
  sha256: string
  retainSource: boolean
  selectedEntry: string | null
}

const MAX_UNPACKED_BYTES = 100 * 1_048_576

/** Nothing can be made of the file: its sender is told why. */
class Unusable extends Error {}

/** Why a file is unusable, to be told to its sender; undefined for errors that are not the file's. */
export function reasonOf(error: unknown): string | undefined {
  if (error instanceof Unusable) return error.message
  if (error instanceof UnusableMotionFile) return `the motion file is unusable: ${error.reason}`
  return error instanceof Unreadable ? error.problems.map(({ message }) => message).join('; ') : undefined
}

/** The candidate of a received file. Throws an error that `reasonOf` knows when the file is unusable. */
export async function candidateOf(parts: Looking, row: Declared): Promise<Candidate> {
  const bytes = await parts.blobs.read(row.sha256)
  if (!bytes) throw new Error(`the bytes of the import ${row.jobId} are not there`)
  if (row.assetId !== null && row.assetId !== MOTION_FILE) return assetCandidate(parts, row, bytes)
  switch (endingOf(row.filename)) {
    case 'riv':
      return runtimeCandidate(parts, row, bytes)
    case 'rev':
      return editableCandidate(row, bytes)
    default:
      return archiveCandidate(parts, row, bytes)
  }
}

const originalOf = ({ retainSource, sha256 }: Declared, { length }: Buffer) =>
  retainSource ? { hash: sha256, size: length } : null

async function runtimeCandidate({ inspect }: Looking, row: Declared, bytes: Buffer): Promise<Candidate> {
  const motion = checked(await inspect(bytes))
  return {
    kind: 'motion',
    runtime: { mime: MIME_OF_MOTION, size: bytes.length, hash: row.sha256 },
    motion,
    assets: [],
    source: {
      sourceKind: 'runtime',
      originalFilename: row.filename,
      original: originalOf(row, bytes),
      selectedEntry: '',
      editableSource: false,
    },
  }
}

/** The names of assets in a motion file become names of files. */
function checked(motion: MotionFile): MotionFile {
  const bad = motion.assets.find(({ uniqueFileName }) => !isSafePath(assetName(uniqueFileName)))
  if (bad) throw new Unusable(`the asset ${bad.name} has a name that no file can have`)
  return motion
}

/** Nobody but its editor can read it: it is kept as it is. */
const editableCandidate = (row: Declared, bytes: Buffer): Candidate => ({
  kind: 'motion',
  runtime: null,
  motion: null,
  assets: [],
  source: {
    sourceKind: 'editable',
    originalFilename: row.filename,
    original: originalOf(row, bytes),
    selectedEntry: '',
    editableSource: true,
  },
})

type Entry = { name: string; bytes: Uint8Array }

async function archiveCandidate(parts: Looking, row: Declared, bytes: Buffer): Promise<Candidate> {
  const { files } = await parts.parsing.run(row.organizationId, {
    kind: 'archive',
    bytes,
    endings: [...MOTION_ENDINGS.filter((ending) => ending !== 'zip'), ...ASSET_ENDINGS],
    maxBytes: MAX_UNPACKED_BYTES,
  })
  const selected = selectedOf(files, row.selectedEntry)
  const runtime = Buffer.from(selected.bytes)
  const motion = checked(await parts.inspect(runtime))
  const hasSource = files.some(({ name }) => endingOf(name) === 'rev')
  return {
    kind: 'motion',
    runtime: { mime: MIME_OF_MOTION, ...(await parts.blobs.put(runtime)) },
    motion,
    assets: await assetsIn(parts, motion, files),
    source: {
      sourceKind: 'archive',
      originalFilename: row.filename,
      original: originalOf(row, bytes),
      selectedEntry: selected.name,
      editableSource: row.retainSource && hasSource,
    },
  }
}

function selectedOf(files: readonly Entry[], wanted: string | null): Entry {
  const motions = files.filter(({ name }) => endingOf(name) === 'riv')
  const names = motions.map(({ name }) => name).join(', ')
  const [only] = wanted === null ? motions : motions.filter(({ name }) => name === wanted)
  if (!only)
    throw new Unusable(
      wanted === null
        ? 'the archive has no motion file (.riv)'
        : `the archive has no ${wanted}, but ${names || 'no motion file'}`,
    )
  if (wanted === null && motions.length > 1)
    throw new Unusable(`the archive has several motion files, of which one must be selected: ${names}`)
  return only
}

/** Of the files beside the motion file those that it names without having them. */
async function assetsIn(parts: Looking, motion: MotionFile, files: readonly Entry[]) {
  const byFileName = new Map(files.map((file) => [file.name.slice(file.name.lastIndexOf('/') + 1), file]))
  const assets = []
  for (const { uniqueFileName, name, type, embedded } of motion.assets) {
    const ending = endingOf(uniqueFileName)
    const file = embedded ? undefined : (byFileName.get(uniqueFileName) ?? byFileName.get(`${name}.${ending}`))
    if (!file || formatOf(file.name)?.type !== type) continue
    assets.push({ uniqueFileName, ...(await assetFile(parts, file.name, Buffer.from(file.bytes))) })
  }
  return assets
}

async function assetCandidate(parts: Looking, row: Declared, bytes: Buffer): Promise<Candidate> {
  return {
    kind: 'asset',
    file: await assetFile(parts, row.filename, bytes),
    source: {
      sourceKind: 'runtime',
      originalFilename: row.filename,
      original: { hash: row.sha256, size: bytes.length },
      selectedEntry: '',
      editableSource: false,
    },
  }
}

/** Stores the file of an asset, with the facts of its picture. */
async function assetFile({ blobs, pictureOf }: Looking, name: string, bytes: Buffer) {
  const format = formatOf(name)
  if (!format?.begins(bytes)) throw new Unusable(`${name} is not what its name says`)
  const { mime } = format
  const decodes = mime === 'image/png' || mime === 'image/jpeg'
  const picture = decodes ? await pictureOf(bytes) : undefined
  if (decodes && picture?.contentType !== mime) throw new Unusable(`${name} is damaged, or too large a picture`)
  const { width, height } = picture ?? {}
  return {
    mime,
    ...(await blobs.put(bytes)),
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
  }
}
