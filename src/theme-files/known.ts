import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { GRAPHIC_FILE, GRAPHICS_FOLDER, THEME_FILE } from './folder.ts'
import { GamePlanManifest, PLAN_FILE } from './game-plan-file.ts'
import { byText } from './listing.ts'
import { type GraphicManifest, graphicSchema, ThemeManifest } from './manifest.ts'
import { tidied } from './motion-parts.ts'
import { isOgrafManifest, nameIn } from './ograf.ts'

/** Choices of a folder's designer, which the server does not know. */
export type Known = {
  theme: ThemeManifest | undefined
  /** Folders of graphics by the name of the graphic. */
  slugs: Map<string, string>
  graphics: Map<string, GraphicManifest>
  /** Paths of samples by alias. */
  samples: Map<string, string>
  gamePlan: z.output<typeof GamePlanManifest> | undefined
}

/** Reads the manifests of a folder as far as there are any; unreadable ones count as absent. */
export async function readKnown(folder: string): Promise<Known> {
  const theme = await readManifest(join(folder, THEME_FILE), () => ThemeManifest)
  const slugs = new Map<string, string>()
  const graphics = new Map<string, GraphicManifest>()
  const entries = await readdir(join(folder, GRAPHICS_FOLDER)).catch(() => [])
  for (const slug of entries.sort(byText)) {
    for (const name of await ografNames(join(folder, GRAPHICS_FOLDER, slug)))
      if (!slugs.has(name)) slugs.set(name, slug)
    const graphic = await readManifest(join(folder, GRAPHICS_FOLDER, slug, GRAPHIC_FILE), graphicSchema)
    if (!graphic || graphics.has(graphic.name)) continue
    slugs.set(graphic.name, slug)
    graphics.set(graphic.name, graphic)
  }
  const samples = new Map(theme?.dataSourceTemplates.map(({ alias, sample }) => [alias, sample]))
  const gamePlan = await readManifest(join(folder, PLAN_FILE), () => GamePlanManifest)
  return { theme, slugs, graphics, samples, gamePlan }
}

/** The names of the OGraf graphics in a folder. */
async function ografNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true }).catch(() => [])
  const manifests = entries.filter(isOgrafManifest).sort(byText)
  const texts = await Promise.all(manifests.map((path) => readFile(join(folder, path), 'utf8').catch(() => '')))
  return texts.flatMap((text) => nameIn(text) ?? [])
}

async function readManifest<T extends z.ZodType>(
  path: string,
  schemaOf: (value: unknown) => T,
): Promise<z.output<T> | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'))
    return schemaOf(value).safeParse(value).data
  } catch {
    return undefined
  }
}

/** Whether a `theme.json` means the server's theme, however it is written and ordered. */
export function saysTheSame(known: ThemeManifest | undefined, wanted: unknown): boolean {
  const { data } = ThemeManifest.safeParse(wanted)
  if (!known || !data) return false
  const inferred = new Set(known.dataSourceTemplates.filter(({ schema }) => !schema).map(({ alias }) => alias))
  const plain = ({ $schema: _, notes: __, variables, dataSourceTemplates, ...rest }: ThemeManifest) => ({
    ...rest,
    variables: [...variables].sort((one, other) => byText(one.name, other.name)),
    dataSourceTemplates: dataSourceTemplates
      // members that the folder leaves to the server are right as the server has them
      .map(({ schema, ...template }) => ({ ...template, schema: inferred.has(template.alias) ? undefined : schema }))
      .sort((one, other) => byText(one.alias, other.alias)),
  })
  return isDeepStrictEqual(plain(known), plain(data))
}

/** Whether a `graphic.json` means the server's graphic. */
export function showsTheSame(
  known: GraphicManifest | undefined,
  wanted: unknown,
  themeSports: readonly string[],
): boolean {
  const { data } = graphicSchema(wanted).safeParse(wanted)
  if (!known || !data) return false
  const plain = ({ $schema: _, sports = [...themeSports], ...rest }: GraphicManifest) =>
    rest.type === 'rive' ? { ...rest, sports, stateMachine: tidied(rest.stateMachine) } : { ...rest, sports }
  return isDeepStrictEqual(plain(known), plain(data))
}
