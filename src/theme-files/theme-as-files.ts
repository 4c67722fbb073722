import { createHash } from 'node:crypto'
import { mimeOf } from '../schema/mime.ts'
import type { PresetAnswer, RoomDetailAnswer, TemplateAnswer, VariableAnswer } from './answers.ts'
import { SampleAnswer, ThemeVersionAnswer } from './answers.ts'
import { type Api, Refusal } from './api.ts'
import { GRAPHIC_FILE, GRAPHICS_FOLDER, SAMPLES_FOLDER, THEME_FILE } from './folder.ts'
import { FolderError } from './folder-error.ts'
import { entryOf, PLAN_FILE, placesOf } from './game-plan-file.ts'
import { type Known, saysTheSame, showsTheSame } from './known.ts'
import { byText, isHidden, isInside } from './listing.ts'
import type { RoomEntry } from './manifest.ts'
import { asWritten, partsOf } from './motion-parts.ts'
import { type PlanOwner, plansTheSame, readGamePlan } from './plan-game-plan.ts'
import { type GraphicType, readGraphicVersion, readRemoteTheme } from './remote.ts'
import { slugsFor } from './slug.ts'

/** A file as it shall be; `content` is its bytes, or the address that has them. */
export type FileOfTheme = {
  path: string
  hash: string
  size: number
  content: Buffer | string
  /** The folder has a manifest that says the same in other words. */
  said?: boolean
}

/** A graphic of the version that is written. */
type Graphic = {
  type: GraphicType
  name: string
  sports: string[]
  stateMachine: Record<string, unknown>
  files: { name: string; mime: string; size: number; hash: string; url: string }[]
}

/**
 * A theme of a server as the files of a folder, the same for the same theme wherever it is; a folder that is known keeps its
 * names of folders and samples. Variables, templates and control
 * rooms are as they are now; graphics are those of the version, or the working copies.
 */
export async function themeAsFiles(
  api: Api,
  { themeId, version, ...owner }: PlanOwner & { themeId: number; version?: number | undefined },
  known: Known,
) {
  const { theme, variables, templates, graphics: working, rooms } = await readRemoteTheme(api, themeId)
  const pinned = version === undefined ? undefined : await readVersion(api, themeId, version)
  const graphics: Graphic[] = pinned
    ? await Promise.all(
        pinned.graphics.map(async ({ graphicId, type: told, version: published }) => {
          const type = told === 'rive' || told === 'ograf' ? told : 'code'
          const at = `/v2/themes/${themeId}`
          return { ...(await readGraphicVersion(api, at, { graphicId, type }, published)), type }
        }),
      )
    : working.map(({ assets, bundleUrl, ...graphic }) => ({ ...graphic, files: addressed(assets, bundleUrl) }))
  const samples = await Promise.all(templates.map((template) => sampleOf(api, themeId, template, known)))
  const notes = pinned?.notes ?? known.theme?.notes
  const manifest = {
    ...(known.theme?.$schema !== undefined && { $schema: known.theme.$schema }),
    name: theme.name,
    sports: theme.sports,
    ...(notes !== undefined && { notes }),
    variables: [...variables].sort((one, other) => byText(one.name, other.name)).map(variableEntry),
    dataSourceTemplates: templates
      .map((template, index) => templateEntry(template, samples[index]?.path ?? ''))
      .sort((one, other) => byText(one.alias, other.alias)),
    controlRooms: rooms.map((room) =>
      roomEntry(
        room,
        known.theme?.controlRooms.find(({ name }) => name === room.name),
      ),
    ),
  }
  const slugs = slugsFor(
    graphics.map(({ name }) => name),
    known.slugs,
  )
  const files = [
    { ...jsonFile(THEME_FILE, manifest), said: saysTheSame(known.theme, manifest) },
    ...samples,
    ...(await planFile(api, { themeId, ...owner }, rooms, known)),
    ...graphics.flatMap((graphic) =>
      graphic.type === 'ograf' ? [] : graphicFiles(graphic, slugs.get(graphic.name) ?? '', known, theme.sports),
    ),
    ...ografFiles(
      graphics.filter(({ type }) => type === 'ograf'),
      slugs,
    ),
  ]
  const outside = files.filter(({ path }) => !isInside(path))
  if (outside.length > 0)
    throw new FolderError(outside.map(({ path }) => `${path} is no path inside the folder: nothing is written there`))
  return { name: theme.name, files: files.sort((one, other) => byText(one.path, other.path)) }
}

async function readVersion(api: Api, themeId: number, version: number) {
  try {
    return await api.get(`/v2/themes/${themeId}/versions/${version}`, ThemeVersionAnswer)
  } catch (error) {
    if (error instanceof Refusal && error.status === 404)
      throw new Refusal(`theme ${themeId} has no version ${version}`, 404)
    throw error
  }
}

/** The files of a working copy lie where its entry does: `/bundles/<hash>/<path>`. */
function addressed(assets: Omit<Graphic['files'][number], 'url'>[], bundleUrl: string | null): Graphic['files'] {
  const base = /^.*\/bundles\/[0-9a-f]{64}\//.exec(bundleUrl ?? '')?.[0] ?? ''
  return assets.map((asset) => ({ ...asset, url: base + asset.name.split('/').map(encodeURIComponent).join('/') }))
}

function graphicFiles(
  { type, name, sports, stateMachine, files }: Graphic,
  slug: string,
  { graphics }: Known,
  themeSports: readonly string[],
): FileOfTheme[] {
  const folder = `${GRAPHICS_FOLDER}/${slug}`
  const lost = files.filter((file) => file.name === GRAPHIC_FILE || file.name.split('/').some(isHidden))
  if (lost.length > 0)
    throw new FolderError(
      lost.map(
        (file) =>
          `graphic ${name}: the file ${file.name} cannot be kept: hidden files and ${GRAPHIC_FILE} are no files of a bundle here`,
      ),
    )
  const odd =
    type === 'rive'
      ? []
      : files.filter((file) => file.mime !== mimeOf(file.name)).sort((one, other) => byText(one.name, other.name))
  const mime = Object.fromEntries(odd.map((file) => [file.name, file.mime]))
  const before = graphics.get(name)
  const $schema = before?.$schema
  const manifest = {
    ...($schema !== undefined && { $schema }),
    ...(type === 'rive' && { type }),
    name,
    sports,
    stateMachine: type === 'rive' ? asWritten(partsOf(stateMachine)) : stateMachine,
    ...(odd.length > 0 && { mime }),
  }
  return [
    { ...jsonFile(`${folder}/${GRAPHIC_FILE}`, manifest), said: showsTheSame(before, manifest, themeSports) },
    ...files.map((file) => ({ path: `${folder}/${file.name}`, hash: file.hash, size: file.size, content: file.url })),
  ]
}

/** Graphics that share all their files came in one archive, and lie in one folder. */
function ografFiles(graphics: readonly Graphic[], slugs: ReadonlyMap<string, string>): FileOfTheme[] {
  const setOf = ({ files }: Graphic) =>
    files
      .map(({ name, hash }) => `${name} ${hash}`)
      .sort()
      .join('\n')
  const folders = new Map<string, Graphic>()
  for (const graphic of [...graphics].sort((one, other) => byText(one.name, other.name)))
    if (!folders.has(setOf(graphic))) folders.set(setOf(graphic), graphic)
  return [...folders.values()].flatMap(({ name, files }) => {
    const lost = files.filter((file) => file.name.split('/').some(isHidden))
    if (lost.length > 0)
      throw new FolderError(lost.map((file) => `graphic ${name}: the file ${file.name} cannot be kept: it is hidden`))
    return files.map((file) => ({
      path: `${GRAPHICS_FOLDER}/${slugs.get(name) ?? ''}/${file.name}`,
      hash: file.hash,
      size: file.size,
      content: file.url,
    }))
  })
}

const variableEntry = ({ name, type, defaultValue, description, enumOptions, isStyle }: VariableAnswer) => ({
  name,
  type,
  ...(defaultValue !== null && { defaultValue }),
  ...(description !== null && { description }),
  ...(enumOptions !== null && { enumOptions }),
  ...(isStyle && { isStyle }),
})

const templateEntry = (template: TemplateAnswer, sample: string) => {
  const { alias, sourceType, shape, config, schema, description } = template
  return {
    alias,
    sourceType,
    shape,
    ...(config !== null && { config }),
    sample,
    schema,
    ...(description !== null && { description }),
  }
}

/** The sample as it was sent. */
async function sampleOf(
  api: Api,
  themeId: number,
  { id, alias, sourceType, sampleHash }: TemplateAnswer,
  known: Known,
): Promise<FileOfTheme> {
  if (!sampleHash) throw new FolderError([`data source template ${alias}: its sample was not kept; send it again`])
  const path = `/v2/themes/${themeId}/data-source-templates/${id}/sample`
  const content = Buffer.from((await api.get(path, SampleAnswer)).sampleBase64, 'base64')
  const place = known.samples.get(alias) ?? `${SAMPLES_FOLDER}/${alias}.${sourceType}`
  return { path: place, hash: sampleHash, size: content.length, content }
}

/** The game plan of a profile, where one is asked for and has rules. */
async function planFile(
  api: Api,
  { themeId, ...owner }: PlanOwner & { themeId: number },
  rooms: readonly RoomDetailAnswer[],
  known: Known,
): Promise<FileOfTheme[]> {
  const places = placesOf(rooms)
  const stored = await readGamePlan(api, themeId, owner)
  const entries = (stored?.rules ?? []).map((rule) => ({ rule, entry: entryOf(rule, places) }))
  const lost = entries.filter(({ entry }) => !entry)
  if (lost.length > 0)
    throw new FolderError(
      // left out of the file, the next push would delete them
      lost.map(
        ({ rule }) =>
          `${PLAN_FILE}: rule ${rule.name}: its preset is gone; give it another one or remove the rule, or pull without --competition`,
      ),
    )
  const rules = entries.flatMap(({ entry }) => entry ?? [])
  if (!stored || rules.length === 0) return []
  const { $schema, rules: written } = known.gamePlan ?? {}
  const file = jsonFile(PLAN_FILE, { ...($schema !== undefined && { $schema }), rules })
  return [{ ...file, said: written !== undefined && plansTheSame(written, stored, places) }]
}

/** `before`: as the folder has it. What every room is at first is said where the folder says it. */
const roomEntry = ({ name, defaultMode, sections, presets }: RoomDetailAnswer, before: RoomEntry | undefined) => ({
  name,
  ...(defaultMode !== undefined && (defaultMode !== 'direct' || before?.defaultMode !== undefined) && { defaultMode }),
  sections: sections.map(({ id, name: section, colorKey }) => ({
    name: section,
    ...(colorKey !== undefined && { colorKey }),
    // a preset whose graphic is gone could not be made again
    presets: presets.filter((preset) => preset.sectionId === id && preset.graphicName !== '').map(presetEntry),
  })),
})

const presetEntry = ({ name, graphicName, variableValues, exposedVariables }: PresetAnswer) => ({
  name,
  graphic: graphicName,
  variableValues,
  exposedVariables,
})

function jsonFile(path: string, value: unknown): FileOfTheme {
  const content = Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
  return { path, hash: createHash('sha256').update(content).digest('hex'), size: content.length, content }
}
