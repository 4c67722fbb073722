import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { mimeOf } from '../schema/mime.ts'
import { type Manifest, readManifest } from './manifest.ts'

/** A fault of an archive: of one of its files, at a place in it where there is one, or of the archive itself. */
export type ArchiveFault = { file: string; path: string; message: string }

export type ReadGraphic = { path: string; manifest: Manifest; warnings: string[] }

/** A file of an archive: where its bytes lie among all of them. */
export type ReadFile = { name: string; mime: string; size: number; hash: string; offset: number }

export type ReadArchive = {
  files: ReadFile[]
  bytes: Uint8Array<ArrayBuffer>
  graphics: ReadGraphic[]
  errors: ArchiveFault[]
}

/** Files that systems put beside others. */
const BESIDE = /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/
export const isBeside = (name: string) => name.endsWith('/') || BESIDE.test(name)

const isManifest = (name: string) => name.endsWith('.ograf.json')
const MAX_GRAPHICS = 100
const MAX_MANIFEST_BYTES = 1_048_576

/** Reads what an archive of OGraf graphics holds: each manifest in it is a graphic, and they share all files. */
export function readFiles(parts: ReadonlyMap<string, Uint8Array>): ReadArchive {
  const errors: ArchiveFault[] = []
  const names = [...parts.keys()].filter((name) => !isBeside(name)).sort()
  const manifests = names.filter(isManifest)
  if (manifests.length === 0)
    errors.push({ file: '', path: '', message: 'no manifest: a file whose name ends in .ograf.json' })
  if (manifests.length > MAX_GRAPHICS)
    errors.push({ file: '', path: '', message: `${manifests.length} manifests; at most ${MAX_GRAPHICS} are taken` })
  const files = new Set(names)
  const mains = new Set<string>()
  const graphics: ReadGraphic[] = []
  for (const path of manifests.slice(0, MAX_GRAPHICS)) {
    const read = graphicOf(path, parts.get(path) ?? new Uint8Array(), files)
    if ('manifest' in read) {
      graphics.push(read)
      mains.add(resolved(path, read.manifest.main))
    } else errors.push(...read.faults.map((fault) => ({ file: path, ...fault })))
  }
  errors.push(...twice(graphics, 'id'), ...twice(graphics, 'name'))
  return { ...packed(names, parts, mains), graphics, errors }
}

function graphicOf(path: string, bytes: Uint8Array, files: ReadonlySet<string>) {
  const refused = (message: string) => ({ faults: [{ path: '', message }] })
  if (bytes.length > MAX_MANIFEST_BYTES) return refused(`a manifest has at most ${MAX_MANIFEST_BYTES} bytes`)
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    return refused(`not JSON in UTF-8: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (isTooDeep(json)) return refused('nested too deep')
  const { manifest, faults, warnings } = readManifest(json)
  if (!manifest) return { faults }
  const main = resolved(path, manifest.main)
  if (!files.has(main)) return { faults: [{ path: '/main', message: `${manifest.main}: not a file of the archive` }] }
  const missing = (manifest.thumbnails ?? []).flatMap(({ file }, index) =>
    files.has(resolved(path, file)) ? [] : [`/thumbnails/${index}/file: ${file} is not in the archive`],
  )
  const never = manifest.supportsRealTime ? [] : ['/supportsRealTime: it is refused on air']
  return { path, manifest, warnings: few([...warnings, ...missing, ...never]) }
}

/** They are read by people, and kept with the graphic. */
const MAX_WARNINGS = 100

const few = (warnings: readonly string[]) =>
  warnings.length <= MAX_WARNINGS
    ? [...warnings]
    : [...warnings.slice(0, MAX_WARNINGS), `${warnings.length - MAX_WARNINGS} more of this kind`]

/** What a path in a manifest means: relative to the folder of the manifest. One that leads out of the archive means no file of it. */
export const resolved = (manifest: string, path: string) => posix.normalize(posix.join(posix.dirname(manifest), path))

const MAX_DEPTH = 32

function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth > MAX_DEPTH || Object.values(value).some((part) => isTooDeep(part, depth + 1))
}

function twice(graphics: readonly ReadGraphic[], member: 'id' | 'name'): ArchiveFault[] {
  const seen = new Map<string, string>()
  return graphics.flatMap(({ path, manifest }) => {
    const first = seen.get(manifest[member])
    if (first !== undefined)
      return [{ file: path, path: `/${member}`, message: `${manifest[member]}: ${first} has this ${member}, too` }]
    seen.set(manifest[member], path)
    return []
  })
}

/** All bytes in one piece, which a thread can hand over. A browser runs a module only when its type says so, whatever its name ends in. */
function packed(names: readonly string[], parts: ReadonlyMap<string, Uint8Array>, mains: ReadonlySet<string>) {
  const bytes = new Uint8Array(names.reduce((sum, name) => sum + (parts.get(name)?.length ?? 0), 0))
  let offset = 0
  const files = names.map((name): ReadFile => {
    const part = parts.get(name) ?? new Uint8Array()
    bytes.set(part, offset)
    const hash = createHash('sha256').update(part).digest('hex')
    const mime = mains.has(name) ? 'text/javascript' : mimeOf(name)
    const file = { name, mime, size: part.length, hash, offset }
    offset += part.length
    return file
  })
  return { files, bytes }
}
