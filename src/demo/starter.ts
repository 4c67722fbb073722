import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { document } from '../http/documents.ts'
import type { Page } from '../http/message.ts'
import { builtTheme } from './design.ts'

/** The theme of the demo as a zip, for organizations that begin with none: the dashboard makes it theirs. show-control: Records */
export const starterPages = (themeFolder = builtTheme()): Page[] => [
  document('/docs/starter-theme.zip', async () => ({
    type: 'application/zip',
    packed: { identity: Buffer.from(zipped(themeFolder)) },
  })),
]

function zipped(folder: string): Uint8Array {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map(({ parentPath, name }) => join(parentPath, name))
  return zipSync(
    Object.fromEntries(
      paths.map((path) => [
        path.slice(folder.length + 1).replaceAll('\\', '/'),
        [readFileSync(path), { mtime: '2020-01-01T00:00:00' }],
      ]),
    ),
    { level: 6 },
  )
}
