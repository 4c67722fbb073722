import { api } from '../../api.ts'
import type { Room, Theme } from '../../shapes.ts'
import { below, type Files, jsonIn } from './files.ts'
import type { ManifestRoom } from './manifest.ts'
import { pushGraphic } from './push-graphic.ts'

/** `theme.json`, as far as the page reads it; the server judges what it is sent. */
type Manifest = {
  name: string
  sports?: string[]
  notes?: string
  variables?: object[]
  dataSourceTemplates?: { alias: string; sample: string }[]
  controlRooms?: ManifestRoom[]
}

/** Says what is being done. */
export type Told = (doing: string) => void

/**
 * Makes a theme of a folder as `themes push` does: variables, samples, graphics, an active version, control rooms with their presets.
 * What fails leaves no half of a theme. Throws Refusal, or Error with words for people. design: A theme is a folder
 */
export async function createTheme(files: Files, told: Told): Promise<{ themeId: number; name: string }> {
  const manifest = jsonIn(files, 'theme.json') as Manifest
  const { name, sports, notes } = manifest
  const slugs = [...new Set([...files.keys()].flatMap((path) => /^graphics\/([^/]+)\//.exec(path)?.[1] ?? []))].sort()
  told(`Making the theme ${name}…`)
  const { id: themeId } = await api<Theme>('POST', '/v2/themes', { body: { name, ...(sports && { sports }) } })
  try {
    const at = `/v2/themes/${themeId}`
    for (const body of manifest.variables ?? []) await api('POST', `${at}/variables`, { body: withoutNulls(body) })
    for (const { sample, ...template } of manifest.dataSourceTemplates ?? [])
      await api('POST', `${at}/data-source-templates`, {
        body: { ...withoutNulls(template), sample: sampleIn(files, sample) },
      })
    const graphics = new Map<string, string>()
    for (const slug of slugs) {
      told(`Sending ${slug}…`)
      const pushed = await pushGraphic({ id: themeId, graphics: [] }, slug, below(files, `graphics/${slug}`))
      graphics.set(pushed.name, pushed.graphicId)
    }
    if (graphics.size > 0) {
      told('Publishing…')
      for (const graphicId of graphics.values())
        await api('POST', `${at}/code-graphics/${graphicId}/publish`, { body: {} })
      await api('POST', `${at}/versions`, { body: { activate: true, ...(notes && { notes }) } })
    }
    for (const room of manifest.controlRooms ?? []) await createRoom(themeId, room, graphics)
    return { themeId, name }
  } catch (error) {
    await api('DELETE', `/v2/themes/${themeId}`).catch(() => {})
    throw error
  }
}

/** What is null in a file is left out. */
const withoutNulls = (value: object) => Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null))

function sampleIn(files: Files, path: string): string {
  const bytes = files.get(path)
  if (!bytes) throw new Error(`theme.json names the sample ${path}, which is not there`)
  if (!path.endsWith('.csv')) throw new Error(`${path}: samples that are no CSV are sent with “themes push”`)
  return new TextDecoder().decode(bytes)
}

async function createRoom(
  themeId: number,
  { name, defaultMode, sections = [] }: ManifestRoom,
  graphics: ReadonlyMap<string, string>,
) {
  const made = await api<Room>('POST', '/v2/control-rooms', {
    body: {
      ...{ themeId, name, sections: sections.map(({ presets: _, ...section }) => section) },
      ...(defaultMode && { defaultMode }),
    },
  })
  for (const [index, { presets = [] }] of sections.entries())
    for (const { graphic, ...preset } of presets) {
      const graphicId = graphics.get(graphic)
      if (!graphicId)
        throw new Error(`theme.json: the preset ${preset.name} names the graphic ${graphic}, which is not there`)
      const body = { ...preset, graphicId, sectionId: made.sections[index]?.id }
      await api('POST', `/v2/control-rooms/${made.id}/presets`, { body })
    }
}
