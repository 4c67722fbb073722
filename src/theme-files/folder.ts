import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import type { FieldErrors } from '../errors.ts'
import { addIssues } from '../http/validate.ts'
import { brokenFileRules } from '../resources/code-graphics/file-rules.ts'
import { brokenStateMachineRules, entryOf } from '../resources/code-graphics/rules.ts'
import { mimeOf } from '../schema/mime.ts'
import { FolderError } from './folder-error.ts'
import { GamePlanManifest, PLAN_FILE, type RuleEntry } from './game-plan-file.ts'
import { byText, digest, isHidden, isInside, listFiles } from './listing.ts'
import type { LocalGraphic } from './local-graphic.ts'
import { graphicSchema, type TemplateEntry, ThemeManifest } from './manifest.ts'
import { ASSETS_FOLDER, MOTION_FILE } from './motion-parts.ts'
import { isOgrafManifest, readOgrafFolder } from './ograf.ts'

export const THEME_FILE = 'theme.json'
export const GRAPHIC_FILE = 'graphic.json'
export const GRAPHICS_FOLDER = 'graphics'
export const SAMPLES_FOLDER = 'data-sources'

export type LocalTemplate = TemplateEntry & { samplePath: string; sampleHash: string }

/** A theme as its folder says. */
export type LocalTheme = Omit<ThemeManifest, '$schema' | 'dataSourceTemplates'> & {
  templates: LocalTemplate[]
  graphics: LocalGraphic[]
  /** The rules of `game-plan.json`; undefined when there is no such file. */
  gamePlan: RuleEntry[] | undefined
}

/**
 * Reads and checks a theme folder: `theme.json`, `graphics/<slug>/graphic.json` with the files of the bundle beside it, or
 * a folder of OGraf graphics, the
 * samples of data sources, and `game-plan.json` when there is one. Throws FolderError with everything that is wrong.
 */
export async function readThemeFolder(folder: string): Promise<LocalTheme> {
  const { $schema: _, dataSourceTemplates, ...theme } = await readManifest(folder, THEME_FILE, () => ThemeManifest)
  const problems: string[] = []
  const collect = async <T>(work: Promise<T>): Promise<T | undefined> => {
    try {
      return await work
    } catch (error) {
      if (!(error instanceof FolderError)) throw error
      problems.push(error.message)
      return undefined
    }
  }
  const graphics: LocalGraphic[] = []
  for (const slug of await slugsOf(folder)) {
    graphics.push(...((await collect(readGraphics(folder, slug, theme.sports))) ?? []))
  }
  const templates: LocalTemplate[] = []
  for (const [index, entry] of dataSourceTemplates.entries()) {
    const template = await collect(readTemplate(folder, entry, `${THEME_FILE}: dataSourceTemplates[${index}].sample`))
    if (template) templates.push(template)
  }
  const gamePlan = await collect(readRules(folder))
  const local = { ...theme, templates, graphics, gamePlan }
  if (problems.length === 0) problems.push(...contradictions(local))
  if (problems.length > 0) throw new FolderError(problems)
  return local
}

async function readManifest<T extends z.ZodType>(
  folder: string,
  name: string,
  schemaOf: (value: unknown) => T,
): Promise<z.output<T>> {
  const text = await readFile(join(folder, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new FolderError([`${join(folder, name)}: there is no such file`]) : error
  })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new FolderError([`${name}: not JSON: ${error instanceof Error ? error.message : error}`])
  }
  const parsed = schemaOf(value).safeParse(value)
  if (parsed.success) return parsed.data
  const details: FieldErrors = {}
  addIssues(details, '', parsed.error.issues, value)
  throw new FolderError(
    Object.entries(details).map(
      ([path, { message }]) => `${name}: ${path === '' ? '' : `${path.replace(/^\./, '')}: `}${message}`,
    ),
  )
}

async function readRules(folder: string): Promise<RuleEntry[] | undefined> {
  const found = await lstat(join(folder, PLAN_FILE)).catch(() => undefined)
  return found ? (await readManifest(folder, PLAN_FILE, () => GamePlanManifest)).rules : undefined
}

/** The folders of graphics, by name. */
async function slugsOf(folder: string): Promise<string[]> {
  const entries = await readdir(join(folder, GRAPHICS_FOLDER), { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    },
  )
  const shown = entries.filter(({ name }) => !isHidden(name))
  const linked = shown.filter((entry) => entry.isSymbolicLink())
  if (linked.length > 0)
    throw new FolderError(
      linked.map(({ name }) => `${GRAPHICS_FOLDER}/${name}: a symbolic link; a theme holds files only`),
    )
  return shown
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort(byText)
}

/** The graphic of a folder; of OGraf one for each manifest. */
async function readGraphics(folder: string, slug: string, themeSports: readonly string[]): Promise<LocalGraphic[]> {
  const shown = `${GRAPHICS_FOLDER}/${slug}`
  const listed = await listFiles(join(folder, GRAPHICS_FOLDER, slug), shown)
  if (!listed.some(({ path }) => isOgrafManifest(path))) return [await readGraphic(folder, slug, themeSports, listed)]
  const files = listed.map(({ path, ...file }) => ({ ...file, name: path, path: join(folder, shown, path) }))
  return readOgrafFolder(slug, shown, [...themeSports], files)
}

async function readGraphic(
  folder: string,
  slug: string,
  themeSports: readonly string[],
  listed: readonly { path: string; size: number; hash: string }[],
): Promise<LocalGraphic> {
  const shown = `${GRAPHICS_FOLDER}/${slug}`
  const manifest = await readManifest(folder, `${shown}/${GRAPHIC_FILE}`, graphicSchema)
  const files = listed
    .filter(({ path }) => path !== GRAPHIC_FILE)
    .map(({ path, size, hash }) => ({
      name: path,
      mime: ('mime' in manifest ? manifest.mime[path] : undefined) ?? mimeOf(path),
      size,
      hash,
      path: join(folder, shown, path),
    }))
  const { name, sports = [...themeSports] } = manifest
  if (manifest.type === 'rive') {
    const odd = files.filter((file) => file.name !== MOTION_FILE && !file.name.startsWith(ASSETS_FOLDER))
    if (odd.length > 0)
      throw new FolderError(
        odd.map((file) => `${shown}/${file.name}: a motion graphic has ${MOTION_FILE} and what is in ${ASSETS_FOLDER}`),
      )
    return { type: 'rive', slug, name, sports, stateMachine: manifest.stateMachine, files }
  }
  const rules = [
    ...brokenStateMachineRules(manifest.stateMachine).map((rule) => `${shown}/${GRAPHIC_FILE}: ${rule}`),
    ...(files.length === 0
      ? []
      : brokenFileRules(files, entryOf(manifest.stateMachine)).map((rule) => `${shown}/${rule}`)),
    ...Object.keys(manifest.mime)
      .filter((path) => !files.some(({ name }) => name === path))
      .map((path) => `${shown}/${GRAPHIC_FILE}: mime.${path}: there is no such file`),
  ]
  if (rules.length > 0) throw new FolderError(rules)
  return { type: 'code', slug, name, sports, stateMachine: manifest.stateMachine, files }
}

async function readTemplate(folder: string, entry: TemplateEntry, place: string): Promise<LocalTemplate> {
  if (!isInside(entry.sample)) throw new FolderError([`${place}: not a path inside the folder: ${entry.sample}`])
  const samplePath = join(folder, entry.sample)
  const found = await lstat(samplePath).catch(() => undefined)
  if (!found?.isFile()) throw new FolderError([`${place}: there is no file ${entry.sample}`])
  const { hash } = await digest(samplePath)
  return { ...entry, samplePath, sampleHash: hash }
}

/** Faults between files that are right by themselves. */
function contradictions({ variables, templates, graphics }: LocalTheme): string[] {
  return [
    ...repeated(variables.map(({ name }) => name)).map((name) => `${THEME_FILE}: variables: ${name} is there twice`),
    ...repeated(templates.map(({ alias }) => alias)).map(
      (alias) => `${THEME_FILE}: dataSourceTemplates: ${alias} is there twice`,
    ),
    ...repeated(graphics.map(({ name }) => name)).map(
      (name) =>
        `${GRAPHICS_FOLDER}: the name ${name} is that of ${graphics
          .filter((one) => one.name === name)
          .map(({ slug }) => slug)
          .join(' and ')}`,
    ),
  ]
}

const repeated = (values: readonly string[]) => [
  ...new Set(values.filter((value, index) => values.indexOf(value) !== index)),
]
