import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { apiVersion, type ChangeEntry, changelog } from '../changelog.ts'
import { changesData, changesPage } from './changes-page.ts'
import { document, htmlDocument, jsonDocument } from './documents.ts'
import { livePage } from './live-page.ts'
import type { Page } from './message.ts'
import { openapi } from './openapi.ts'
import { readPacked } from './packed.ts'
import { REFERENCE } from './reference-page.ts'
import type { Route } from './route.ts'
import { startPage } from './start-page.ts'

export type DocsOptions = {
  routes: readonly Route[]
  /** Without a trailing slash; asked at the first request. */
  publicUrl(): string
  changes?: readonly ChangeEntry[]
  /** The description of the sockets. */
  sockets(about: { publicUrl: string; version: string }): object
  /** Where the build put what the pages load; left out, `dist/docs` of this package. */
  folder?: string
}

const FILES = [
  ['reference.js', 'text/javascript; charset=utf-8'],
  ['docs.css', 'text/css; charset=utf-8'],
  ['barlow-500.woff2', 'font/woff2'],
  ['barlow-600.woff2', 'font/woff2'],
] as const

/** The API's descriptions, their pages, how to get started, and the change history; none needs a key. spec: Versioning 4, 6, 7 */
export function docsPages({
  routes,
  publicUrl,
  changes = changelog,
  sockets,
  folder = builtDocs(),
}: DocsOptions): Page[] {
  const describeSockets = () => sockets({ publicUrl: publicUrl(), version: apiVersion(changes) })
  return [
    jsonDocument('/rest/swagger.json', () => openapi(routes, { publicUrl: publicUrl(), changes })),
    jsonDocument('/rest/asyncapi.json', describeSockets),
    jsonDocument('/docs/changes.json', () => changesData(changes)),
    htmlDocument('/docs', () => REFERENCE),
    htmlDocument('/docs/start', () => startPage(publicUrl())),
    htmlDocument('/docs/live', () => livePage(describeSockets())),
    htmlDocument('/docs/changes', () => changesPage(changes)),
    ...FILES.map(([name, type]) =>
      document(`/docs/${name}`, async () => ({ type, packed: readPacked(join(folder, name)) })),
    ),
  ]
}

function builtDocs(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return join(folder, 'dist/docs')
}
