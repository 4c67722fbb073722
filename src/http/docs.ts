import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { apiVersion, type ChangeEntry, changelog } from '../changelog.ts'
import { changesData, changesPage } from './changes-page.ts'
import { escaped } from './docs-frame.ts'
import { document, htmlDocument, jsonDocument } from './documents.ts'
import { livePage } from './live-page.ts'
import type { Page } from './message.ts'
import { type DocumentOptions, openapi } from './openapi.ts'
import { OGRAF_DESCRIPTION } from './openapi-text.ts'
import { readPacked } from './packed.ts'
import { OGRAF_REFERENCE, REFERENCE } from './reference-page.ts'
import type { Route } from './route.ts'
import { startPage } from './start-page.ts'

export type DocsOptions = {
  routes: readonly Route[]
  /** Those of the OGraf Server API, which has a description of its own. */
  ograf?: readonly Route[]
  /** Without a trailing slash; asked at the first request. */
  publicUrl(): string
  changes?: readonly ChangeEntry[]
  /** The description of the sockets. */
  sockets(about: { publicUrl: string; version: string }): object
  /** The schemas of what webhooks are sent, by type. */
  webhooks?: () => NonNullable<DocumentOptions['webhooks']>
  /** Where the build put the files that the pages load; left out, `dist/docs` of this package. */
  folder?: string
  /** Whether the build also put the description of these routes there; left out, whether this runs from that build. */
  described?: boolean
}

const FILES = [
  ['reference.js', 'text/javascript; charset=utf-8'],
  ['search.js', 'text/javascript; charset=utf-8'],
  ['docs.css', 'text/css; charset=utf-8'],
  ['barlow-500.woff2', 'font/woff2'],
  ['barlow-600.woff2', 'font/woff2'],
] as const

/** The API's descriptions, their pages, how to get started, and the change history; none needs a key. spec: Versioning 4, 6, 7 */
export function docsPages({
  routes,
  ograf,
  publicUrl,
  changes = changelog,
  sockets,
  webhooks,
  folder = builtDocs(),
  described = import.meta.filename.endsWith('.js'),
}: DocsOptions): Page[] {
  const describeSockets = () => sockets({ publicUrl: publicUrl(), version: apiVersion(changes) })
  return [
    jsonDocument('/rest/swagger.json', () =>
      described
        ? builtDescription(folder, publicUrl())
        : openapi(routes, { publicUrl: publicUrl(), changes, ...(webhooks && { webhooks: webhooks() }) }),
    ),
    jsonDocument('/rest/asyncapi.json', describeSockets),
    ...(ograf
      ? [
          jsonDocument('/rest/ograf.json', () => ografDescription(ograf, publicUrl(), changes)),
          htmlDocument('/docs/ograf-server', () => OGRAF_REFERENCE),
        ]
      : []),
    jsonDocument('/docs/changes.json', () => changesData(changes)),
    jsonDocument('/docs/search.json', () => readFile(join(folder, 'search.json'), 'utf8')),
    htmlDocument('/docs', () => REFERENCE),
    htmlDocument('/docs/start', () => startPage(publicUrl())),
    htmlDocument('/docs/live', () => livePage(describeSockets())),
    htmlDocument('/docs/changes', () => changesPage(changes)),
    ...FILES.map(([name, type]) =>
      document(`/docs/${name}`, async () => ({ type, packed: readPacked(join(folder, name)) })),
    ),
    ...guidePages(join(dirname(folder), 'guides'), publicUrl),
    ...namesIn(join(folder, 'pictures')).map((name) =>
      document(`/docs/pictures/${name}`, async () => ({
        type: name.endsWith('.png') ? 'image/png' : 'image/webp',
        packed: { identity: readFileSync(join(folder, 'pictures', name)) },
      })),
    ),
  ]
}

/** The OGraf Server API is Beta, and others describe it: its description is made when it is asked for. */
const ografDescription = (routes: readonly Route[], publicUrl: string, changes: readonly ChangeEntry[]) =>
  openapi(routes, {
    publicUrl,
    changes,
    prefix: '/ograf/v1',
    title: 'Tally: OGraf Server API',
    description: OGRAF_DESCRIPTION,
    problems: true,
  })

const namesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : [])

/** The guides as the build wrote them, with the address of this server in their commands. */
const guidePages = (folder: string, publicUrl: () => string): Page[] =>
  namesIn(folder).map((file) =>
    htmlDocument(`/docs/${basename(file, '.html')}`, () => {
      const url = escaped(publicUrl())
      return readFileSync(join(folder, file), 'utf8')
        .replaceAll('http://localhost:8080', () => url)
        .replaceAll('ws://localhost:8080', () => url.replace(/^http/, 'ws'))
    }),
  )

/** Where a description that was made by the build has the address of the server. */
const BUILT_FOR = '"http://base.invalid/rest"'

/** To make it takes a tenth of a second, in which no graphic would be shown. */
async function builtDescription(folder: string, publicUrl: string): Promise<string> {
  const text = await readFile(join(folder, 'swagger.json'), 'utf8')
  return text.replace(BUILT_FOR, () => JSON.stringify(`${publicUrl}/rest`))
}

function builtDocs(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return join(folder, 'dist/docs')
}
