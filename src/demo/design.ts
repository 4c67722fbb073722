import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, extname, join, relative, sep } from 'node:path'
import type { RecordContext } from '../context.ts'
import { createCodeGraphic, publishCodeGraphic, putBundle } from '../resources/code-graphics/commands.ts'
import { createPreset, createRoom } from '../resources/control-rooms/commands.ts'
import { createTheme, publishThemeVersion } from '../resources/themes/commands.ts'
import type { Blobs } from '../store/blobs.ts'
import { demoGraphics, type GraphicManifest } from './graphics/manifests.ts'
import * as production from './production.ts'

type NewContext = () => RecordContext

/** The theme with its graphics in version 1, and the control room with its presets. */
export async function createDesign(
  ctx: NewContext,
  { blobs, graphicsFolder = builtGraphics() }: { blobs: Blobs; graphicsFolder?: string },
) {
  const theme = await createTheme(ctx(), production.theme)
  const graphicIds = new Map<string, string>()
  for (const manifest of demoGraphics)
    graphicIds.set(manifest.name, await createGraphic(ctx, blobs, theme.id, manifest, graphicsFolder))
  await publishThemeVersion(ctx(), theme.id, { activate: true, notes: 'First release' })
  const room = await createRoom(ctx(), { themeId: theme.id, name: 'Match day', sections: production.sections })
  const presets = []
  for (const [index, section] of room.sections.entries())
    for (const { graphic, name, values, exposed } of production.sections[index]?.presets ?? []) {
      const graphicId = graphicIds.get(graphic)
      if (graphicId === undefined) throw new Error(`the demo has no graphic ${graphic}`)
      const { id } = await createPreset(ctx(), room.id, {
        sectionId: section.id,
        graphicId,
        name,
        variableValues: values,
        exposedVariables: exposed,
      })
      presets.push({ id, name, sectionId: section.id, graphicId, graphicName: graphic, exposedVariables: exposed })
    }
  return { themeId: theme.id, controlRoomId: room.id, sectionIds: room.sections.map(({ id }) => id), presets }
}

async function createGraphic(ctx: NewContext, blobs: Blobs, themeId: number, manifest: GraphicManifest, root: string) {
  const { name, sports, selectedSchemas, controlVariables, folder } = manifest
  const stateMachine = { runtime: { entry: 'index.html' }, selectedSchemas, controlVariables, userExpressions: [] }
  const { graphicId } = await createCodeGraphic(ctx(), themeId, { name, sports, stateMachine })
  const files = await storeFolder(blobs, join(root, folder))
  const uploaded = new Set(files.map(({ hash }) => hash))
  await putBundle(ctx(), { themeId, graphicId }, { files }, uploaded)
  await publishCodeGraphic(ctx(), themeId, graphicId)
  return graphicId
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/** Every file below a folder, stored. */
async function storeFolder(blobs: Blobs, folder: string) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name)
        const { hash, size } = await blobs.put(await readFile(path))
        const name = relative(folder, path).split(sep).join('/')
        return { name, mime: TYPES[extname(name)] ?? 'application/octet-stream', size, hash }
      }),
  )
}

/** `dist/demo/graphics` of the package, whether this runs from `src` or from `dist/src`. */
function builtGraphics(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return join(folder, 'dist/demo/graphics')
}
