import { createHash, randomUUID } from 'node:crypto'
import { lstat, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Api, Refusal } from './api.ts'
import { GRAPHICS_FOLDER, SAMPLES_FOLDER, THEME_FILE } from './folder.ts'
import { FolderError } from './folder-error.ts'
import { PLAN_FILE } from './game-plan-file.ts'
import { readKnown } from './known.ts'
import { byText, digest, isHidden, listFiles } from './listing.ts'
import type { PlanOwner } from './plan-game-plan.ts'
import type { Progress } from './progress.ts'
import { createPool } from './session.ts'
import { type FileOfTheme, themeAsFiles } from './theme-as-files.ts'

export type PullOptions = PlanOwner & {
  themeId: number
  /** A published theme version; left out, the working copies. */
  version?: number | undefined
  /** Overwrites and deletes files that differ from the server. */
  force: boolean
  dryRun: boolean
}

export type Pulled = {
  themeId: number
  name: string
  version: number | 'working'
  dryRun: boolean
  /** Paths in the folder. */
  written: string[]
  deleted: string[]
  unchanged: number
  downloaded: { files: number; bytes: number }
}

const DOWNLOADS_AT_ONCE = 6

/**
 * Writes a theme of a server into a folder as files. Only files that differ are fetched; a folder that has other files of a theme is
 * changed only with `force`. Hidden files and files beside the theme stay. Throws Refusal and FolderError.
 */
export async function pullTheme(api: Api, folder: string, options: PullOptions, progress: Progress): Promise<Pulled> {
  const { themeId, version, force, dryRun } = options
  const known = await readKnown(folder)
  const { name, files } = await themeAsFiles(api, options, known)
  // a plan that nobody asked about is a file beside the theme
  const beside = options.competitionId === undefined ? [] : [PLAN_FILE]
  const local = await listTheme(folder, [...known.samples.values(), ...beside])
  const wanted = new Set(files.map(({ path }) => path))
  const written = files.filter(({ path, hash, said }) => local.get(path) !== hash && !(said && local.has(path)))
  const deleted = [...local.keys()].filter((path) => !wanted.has(path))
  const overwritten = [...written.map(({ path }) => path).filter((path) => local.has(path)), ...deleted].sort(byText)
  const fetched = written.filter(({ content }) => typeof content === 'string')
  const result: Pulled = {
    themeId,
    name,
    version: version ?? 'working',
    dryRun,
    written: written.map(({ path }) => path),
    deleted,
    unchanged: files.length - written.length,
    downloaded: { files: fetched.length, bytes: fetched.reduce((sum, { size }) => sum + size, 0) },
  }
  if (dryRun) return result
  if (overwritten.length > 0 && !force)
    throw new FolderError([
      `${folder} has other files than the server; --force takes those of the server, and these are lost:`,
      ...overwritten.map((path) => `  ${path}`),
    ])
  progress.start(written.length + deleted.length, result.downloaded, 'fetch')
  const pool = createPool(DOWNLOADS_AT_ONCE)
  // before anything is written: a file may stand in the way of a folder
  for (const path of deleted) await remove(folder, path)
  const done = await Promise.allSettled(written.map((file) => pool(() => write(api, folder, file, progress))))
  const failed = done.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
  progress.end()
  return result
}

/** The files of a theme that a folder has, by path, with their hashes; none when there is no folder. */
async function listTheme(folder: string, samples: readonly string[]): Promise<Map<string, string>> {
  const found = await stat(folder).catch(() => undefined)
  if (!found) return new Map()
  if (!found.isDirectory()) throw new FolderError([`${folder} is not a folder`])
  const files = new Map<string, string>()
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (isHidden(entry.name)) continue
    if (entry.name === THEME_FILE && entry.isFile())
      files.set(THEME_FILE, (await digest(join(folder, THEME_FILE))).hash)
    if ((entry.name === GRAPHICS_FOLDER || entry.name === SAMPLES_FOLDER) && entry.isDirectory())
      for (const { path, hash } of await listFiles(join(folder, entry.name), entry.name))
        files.set(`${entry.name}/${path}`, hash)
  }
  for (const path of samples) {
    const sample = await lstat(join(folder, path)).catch(() => undefined)
    if (sample?.isFile()) files.set(path, (await digest(join(folder, path))).hash)
  }
  return files
}

/** Beside its place first, so that a pull that stops leaves whole files only. */
async function write(api: Api, folder: string, { path, hash, content }: FileOfTheme, progress: Progress) {
  const bytes = typeof content === 'string' ? await api.download(content) : content
  if (createHash('sha256').update(bytes).digest('hex') !== hash)
    throw new Refusal(`the server answered other bytes for ${path}`, 0)
  const target = join(folder, path)
  await mkdir(dirname(target), { recursive: true })
  const partial = join(dirname(target), `.${randomUUID()}.part`)
  await writeFile(partial, bytes)
  await rename(partial, target)
  if (typeof content === 'string') progress.transferred(bytes.length)
}

/** A file, and the folders that it leaves empty. */
async function remove(folder: string, path: string) {
  await rm(join(folder, path))
  for (let below = dirname(path); below !== '.'; below = dirname(below)) {
    if ((await readdir(join(folder, below))).length > 0) return
    await rm(join(folder, below), { recursive: true })
  }
}
