import { unzipSync } from 'fflate'

/** Files of a folder or zip by their paths in it, with slashes. */
export type Files = ReadonlyMap<string, Uint8Array<ArrayBuffer>>

const isHidden = (path: string) => path.split('/').some((part) => part.startsWith('.') || part === '__MACOSX')

/** The files of a zip, without hidden ones, and without the one folder around them. Undefined when it is none. */
export function filesIn(zip: Uint8Array): Files | undefined {
  let parts: Record<string, Uint8Array>
  try {
    parts = unzipSync(zip)
  } catch {
    return undefined
  }
  const entries = Object.entries(parts).filter(([path]) => !path.endsWith('/') && !isHidden(path))
  const [top] = entries[0]?.[0].split('/') ?? []
  const isWrapped = entries.length > 0 && entries.every(([path]) => path.startsWith(`${top}/`))
  return new Map(
    entries.map(([path, bytes]) => [isWrapped ? path.slice((top?.length ?? 0) + 1) : path, new Uint8Array(bytes)]),
  )
}

/** Those below a folder, by their paths in it. */
export const below = (files: Files, folder: string): Files =>
  new Map(
    [...files].flatMap(([path, bytes]) =>
      path.startsWith(`${folder}/`) ? [[path.slice(folder.length + 1), bytes]] : [],
    ),
  )

/** What was dropped, by the files that are in it. */
export function kindOf(files: Files | undefined): 'theme' | 'code' | 'ograf' | 'unknown' {
  if (!files) return 'ograf'
  if ([...files.keys()].some((path) => path.endsWith('.ograf.json'))) return files.has('theme.json') ? 'theme' : 'ograf'
  if (files.has('theme.json')) return 'theme'
  return files.has('graphic.json') || files.has('index.html') ? 'code' : 'unknown'
}

/** A file of JSON. Throws with its name. */
export function jsonIn(files: Files, path: string): unknown {
  const bytes = files.get(path)
  if (!bytes) throw new Error(`${path} is missing`)
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch (error) {
    throw new Error(`${path} is not JSON: ${error instanceof Error ? error.message : ''}`)
  }
}
