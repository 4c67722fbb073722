import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { apiVersion, type ChangeEntry, changelog } from '../changelog.ts'
import { changesData, changesPage } from './changes-page.ts'
import { type HttpReply, type HttpRequest, holds, type Page } from './message.ts'
import { openapi } from './openapi.ts'
import { type Packed, pack, packedReply, readPacked } from './packed.ts'
import type { Route } from './route.ts'

export type DocsOptions = {
  routes: readonly Route[]
  /** Without a trailing slash; asked at the first request. */
  publicUrl(): string
  changes?: readonly ChangeEntry[]
  /** The description of the sockets. */
  sockets(about: { publicUrl: string; version: string }): object
  /** Where the build put the script of the reference page; left out, `dist/docs` of this package. */
  folder?: string
}

/** The API description, its reference page and the change history; none needs a key. spec: Versioning 4, 6, 7 */
export function docsPages(options: DocsOptions): Page[] {
  const { routes, publicUrl, changes = changelog, folder = builtDocs() } = options
  const forAll = { 'Access-Control-Allow-Origin': '*' }
  let sockets: HttpReply | undefined
  const describeSockets = () => {
    const about = { publicUrl: publicUrl(), version: apiVersion(changes) }
    sockets ??= tagged('application/json', JSON.stringify(options.sockets(about)), forAll)
    return sockets
  }
  let description: Promise<Large> | undefined
  const describe = () => {
    description ??= pack(JSON.stringify(openapi(routes, { publicUrl: publicUrl(), changes }))).then((packed) =>
      large('application/json', packed, forAll),
    )
    return description
  }
  const reference = tagged('text/html; charset=utf-8', REFERENCE, htmlHeaders(REFERENCE))
  const history = changesPage(changes)
  const historyReply = tagged('text/html; charset=utf-8', history, htmlHeaders(history))
  const historyData = tagged('application/json', JSON.stringify(changesData(changes)), forAll)
  let script: Large | undefined
  const loadScript = () => {
    script ??= large('text/javascript; charset=utf-8', readPacked(join(folder, 'redoc.js')))
    return script
  }
  return [
    { path: '/rest/swagger.json', handle: async (request) => sendLarge(request, await describe()) },
    { path: '/rest/asyncapi.json', handle: (request) => unlessKnown(request, describeSockets()) },
    { path: '/docs', handle: (request) => unlessKnown(request, reference) },
    { path: '/docs/changes', handle: (request) => unlessKnown(request, historyReply) },
    { path: '/docs/changes.json', handle: (request) => unlessKnown(request, historyData) },
    { path: '/docs/redoc.js', handle: (request) => sendLarge(request, loadScript()) },
  ]
}

const tagged = (type: string, body: string | Buffer, headers: Record<string, string> = {}): HttpReply => ({
  status: 200,
  headers: {
    'Content-Type': type,
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    ETag: `"${createHash('sha256').update(body).digest('base64url')}"`,
    ...headers,
  },
  // bytes, so that a large one is not encoded again for each reader
  body: Buffer.from(body),
})

/** 304 when the caller has it already. */
function unlessKnown(request: HttpRequest, reply: HttpReply): HttpReply {
  return holds(request, reply.headers.ETag) ? { ...reply, status: 304, body: '' } : reply
}

/** What is worth compressing. */
type Large = { packed: Packed; reply: HttpReply }

const large = (type: string, packed: Packed, headers?: Record<string, string>): Large => ({
  packed,
  reply: tagged(type, packed.identity, headers),
})

function sendLarge(request: HttpRequest, { packed, reply }: Large): HttpReply {
  return holds(request, reply.headers.ETag) ? unlessKnown(request, reply) : packedReply(request, packed, reply.headers)
}

/** Nothing from elsewhere loads, whatever the script would like to fetch. */
function htmlHeaders(html: string): Record<string, string> {
  const inline = /<script>([\s\S]*?)<\/script>/.exec(html)?.[1]
  const hash = inline ? ` 'sha256-${createHash('sha256').update(inline).digest('base64')}'` : ''
  const policy = [
    "default-src 'none'",
    `script-src 'self'${hash}`,
    'worker-src blob:',
    "style-src 'unsafe-inline'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
  ]
  return { 'Content-Security-Policy': policy.join('; '), 'Referrer-Policy': 'no-referrer' }
}

const STYLE = `
  body { margin: 0; font-family: system-ui, sans-serif; color: #1d2430; }
  header { padding: 16px 24px; border-bottom: 1px solid #dde2ea; }
  header h1 { margin: 0 0 4px; font-size: 20px; }
  header p { line-height: 1.5; margin: 0; }`

// relative addresses, so that the page also works below a path of PUBLIC_URL
const REFERENCE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tally API</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>Tally API</h1>
<p id="beta"><strong>Beta:</strong> operations marked Beta can change between minor versions; every change is in the
<a href="docs/changes">change history</a>. The machine-readable description is <a href="rest/swagger.json">swagger.json</a>.</p>
</header>
<div id="reference"></div>
<script src="docs/redoc.js"></script>
<script>Redoc.init('rest/swagger.json', { hideDownloadButton: true, nativeScrollbars: true, theme: { typography: { fontFamily: 'system-ui, sans-serif', headings: { fontFamily: 'system-ui, sans-serif' }, code: { fontFamily: 'ui-monospace, monospace' } } } }, document.getElementById('reference'))</script>
</body>
</html>
`

function builtDocs(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return join(folder, 'dist/docs')
}
