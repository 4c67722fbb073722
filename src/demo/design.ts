import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { RecordContext } from '../context.ts'
import { putBundle } from '../resources/code-graphics/bundle.commands.ts'
import { createCodeGraphic, publishCodeGraphic } from '../resources/code-graphics/commands.ts'
import { createRoom } from '../resources/control-rooms/commands.ts'
import { createPreset } from '../resources/control-rooms/presets.commands.ts'
import { createTheme } from '../resources/themes/commands.ts'
import { publishThemeVersion } from '../resources/themes/versions.commands.ts'
import type { Blobs } from '../store/blobs.ts'
import { type LocalGraphic, readThemeFolder } from '../theme-files/folder.ts'

type NewContext = () => RecordContext

/** The theme with its graphics in version 1, and the control room with its presets. */
export async function createDesign(
  ctx: NewContext,
  { blobs, themeFolder = builtTheme() }: { blobs: Blobs; themeFolder?: string },
) {
  const design = await readThemeFolder(themeFolder)
  const theme = await createTheme(ctx(), design)
  const graphicIds = new Map<string, string>()
  for (const graphic of design.graphics)
    graphicIds.set(graphic.name, await createGraphic(ctx, blobs, theme.id, graphic))
  await publishThemeVersion(ctx(), theme.id, { activate: true, notes: 'First release' })
  const [planned] = design.controlRooms
  if (!planned) throw new Error('the demo theme has no control room')
  const room = await createRoom(ctx(), {
    themeId: theme.id,
    name: planned.name,
    sections: planned.sections.map(({ name, colorKey }) => ({ name, ...(colorKey && { colorKey }) })),
  })
  const presets = []
  for (const [index, section] of room.sections.entries())
    for (const { graphic, name, variableValues, exposedVariables } of planned.sections[index]?.presets ?? []) {
      const graphicId = graphicIds.get(graphic)
      if (graphicId === undefined) throw new Error(`the demo has no graphic ${graphic}`)
      const { id } = await createPreset(ctx(), room.id, {
        sectionId: section.id,
        graphicId,
        name,
        variableValues,
        exposedVariables,
      })
      presets.push({ id, name, sectionId: section.id, graphicId, graphicName: graphic, exposedVariables })
    }
  return { themeId: theme.id, controlRoomId: room.id, sectionIds: room.sections.map(({ id }) => id), presets }
}

async function createGraphic(ctx: NewContext, blobs: Blobs, themeId: number, graphic: LocalGraphic) {
  const { name, sports, stateMachine, files } = graphic
  const { graphicId } = await createCodeGraphic(ctx(), themeId, { name, sports, stateMachine })
  await Promise.all(files.map(async ({ path }) => blobs.put(await readFile(path))))
  const uploaded = new Set(files.map(({ hash }) => hash))
  await putBundle(ctx(), { themeId, graphicId }, { files: files.map(({ path: _, ...file }) => file) }, uploaded)
  await publishCodeGraphic(ctx(), themeId, graphicId)
  return graphicId
}

/** `dist/demo/theme` of the package, whether this runs from `src` or from `dist/src`. */
export function builtTheme(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return join(folder, 'dist/demo/theme')
}
