import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { FolderError } from './folder-error.ts'

/** A file below a folder; `path` is relative to that folder, with slashes. */
export type LocalFile = { path: string; size: number; hash: string }

/** In the order that every machine and language agrees on. */
export const byText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

/** Whether a path leads to something below the folder that it is of, on every system. */
export const isInside = (path: string) =>
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && !part.includes('\\'))

export const isHidden = (name: string) => name.startsWith('.')

/**
 * Every file below a folder, by path; hidden files and folders are left out. Throws FolderError for symbolic links and
 * all else that is neither file nor folder, named below `shown`.
 */
export async function listFiles(folder: string, shown: string): Promise<LocalFile[]> {
  const paths: string[] = []
  const odd: string[] = []
  const walk = async (below: string): Promise<void> => {
    for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (isHidden(entry.name)) continue
      if (entry.isDirectory()) await walk(path)
      else if (entry.isFile()) paths.push(path)
      else
        odd.push(
          `${shown}/${path}: ${entry.isSymbolicLink() ? 'a symbolic link' : 'not a file'}; a theme holds files only`,
        )
    }
  }
  await walk('')
  if (odd.length > 0) throw new FolderError(odd.sort(byText))
  return Promise.all(paths.sort(byText).map(async (path) => ({ path, ...(await digest(join(folder, path))) })))
}

/** Size and SHA-256 of a file. */
export async function digest(path: string): Promise<{ size: number; hash: string }> {
  const sum = createHash('sha256')
  const { size } = await stat(path)
  await pipeline(createReadStream(path), sum)
  return { size, hash: sum.digest('hex') }
}
