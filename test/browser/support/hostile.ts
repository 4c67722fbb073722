import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Demo } from '../../../src/demo/seed.ts'
import { createFolderBlobs } from '../../../src/store/blobs-folder.ts'
import type { TestApp } from '../../support/app.ts'
import { png } from '../../support/images.ts'

const MIMES: Readonly<Record<string, string>> = {
  'index.html': 'text/html',
  'script.js': 'text/javascript',
  'module.js': 'text/javascript',
  'worker.js': 'text/javascript',
  'data.json': 'application/json',
  'picture.svg': 'image/svg+xml',
}

const folder = join(import.meta.dirname, '../hostile')

/** A font of the demo, as it was built. */
function demoFont(): Buffer {
  const files = readdirSync('dist/demo/theme', { recursive: true, encoding: 'utf8' })
  const font = files.find((name) => name.endsWith('.woff2'))
  if (font === undefined) throw new Error('the demo has no font')
  return readFileSync(join('dist/demo/theme', font))
}

/** Puts the hostile bundle in the place of a graphic's; answers its folder, `/bundles/<hash>/`. */
export async function makeHostile(app: TestApp, { themeId }: Demo, graphicId: string): Promise<string> {
  const blobs = createFolderBlobs(join(app.dataDir, 'blobs'))
  const files: { name: string; mime: string; size: number; blob: string }[] = []
  const add = async (name: string, mime: string, bytes: Buffer) => {
    const { hash, size } = await blobs.put(bytes)
    files.push({ name, mime, size, blob: hash })
  }
  for (const [name, mime] of Object.entries(MIMES)) await add(name, mime, readFileSync(join(folder, name)))
  await add('font.woff2', 'font/woff2', demoFont())
  await add('picture.png', 'image/png', png())
  const { sql } = app.database
  const hash = 'e'.repeat(64)
  await sql`insert into bundle (hash, entry, files) values (${hash}, 'index.html', ${sql.json(files)})`
  await sql`update graphic_version set bundle_hash = ${hash} where graphic_id = ${graphicId}`
  await sql`select pg_notify('catalog', ${JSON.stringify({ theme: themeId })})`
  return `/bundles/${hash}/`
}
