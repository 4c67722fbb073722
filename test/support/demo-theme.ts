import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GraphicData } from '../../src/demo/graphics/data.ts'
import type { GraphicManifest } from '../../src/theme-files/manifest.ts'
import { root } from './root.ts'

const source = join(root, 'src/demo/theme')

/** A file of the demo theme as it is in the repository. */
const json = (path: string): unknown => JSON.parse(readFileSync(join(source, path), 'utf8'))

type DemoGraphic = {
  folder: string
  name: string
  selectedSchemas: Exclude<keyof GraphicData, 'selected'>[]
  controlVariables: NonNullable<GraphicManifest['stateMachine']['controlVariables']>
}

/** The code graphics of the demo theme; `folder` is that of the built bundle below `graphics` of the theme. */
export const demoGraphics: readonly DemoGraphic[] = readdirSync(join(source, 'graphics'))
  .sort()
  .map((folder) => {
    // written by us, and read by the tests of the folder with its schema
    const { name, stateMachine } = json(`graphics/${folder}/graphic.json`) as {
      name: string
      stateMachine: Pick<DemoGraphic, 'selectedSchemas' | 'controlVariables'>
    }
    return { folder, name, ...stateMachine }
  })

type DemoPreset = { name: string; graphic: string; variableValues: Record<string, string | number | boolean> }

/** The presets of the control room of the demo theme. */
export const demoPresets: readonly DemoPreset[] = (
  json('theme.json') as { controlRooms: { sections: { presets: DemoPreset[] }[] }[] }
).controlRooms.flatMap(({ sections }) => sections.flatMap(({ presets }) => presets))

/** A folder with the demo theme whose graphics are these pages, by folder, else empty: independent of a build. Whoever asks removes it. */
export function emptyDemoTheme(pages: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'tally-theme-'))
  cpSync(join(source, 'theme.json'), join(folder, 'theme.json'))
  for (const graphic of demoGraphics) {
    const path = join('graphics', graphic.folder)
    mkdirSync(join(folder, path), { recursive: true })
    cpSync(join(source, path, 'graphic.json'), join(folder, path, 'graphic.json'))
    writeFileSync(join(folder, path, 'index.html'), pages[graphic.folder] ?? '<!doctype html>')
  }
  return folder
}
