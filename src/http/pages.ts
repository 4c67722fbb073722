import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { serviceTime } from '../waiting/service-time.ts'
import { type HttpReply, type HttpRequest, holds, hostOf, NO_DEVICES, type Page } from './message.ts'
import { overlayFile } from './overlay-file.ts'
import { type Packed, packedReply, readPacked } from './packed.ts'

/** A graphic that a page mounts before it is shown; `url` as in LOAD_GRAPHIC. */
export type Preload = { graphicId: string; graphicName?: string; url: string }

/** Which of its unguessable names opens an overlay's page. */
type NameKind = 'key' | 'monitoring' | 'control'

export type PagesOptions = {
  /** Where the built pages are; left out, `dist/pages` of this package. */
  folder?: string
  /** The address of this server for a client that asked it by this name, which may be empty. */
  urlFor(host: string): string
  /** The graphics of the room's active version; undefined when no overlay has this name. */
  preload(by: NameKind, name: string): Promise<readonly Preload[] | undefined> | readonly Preload[] | undefined
  overlayExists(key: string): Promise<boolean> | boolean
  monitorExists(token: string): Promise<boolean> | boolean
  controlExists(token: string): Promise<boolean> | boolean
  deskExists(token: string): Promise<boolean> | boolean
  previewExists(token: string): Promise<boolean> | boolean
  replayExists(token: string): Promise<boolean> | boolean
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
}

const notFound: HttpReply = {
  status: 404,
  headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
  body: '{"message":"Not Found"}',
}

const upgradeRequired: HttpReply = {
  status: 426,
  headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', Upgrade: 'websocket' },
  body: '{"message":"Upgrade Required"}',
}

/**
 * The pages that a browser loads: `/overlay/{key}`, `/monitor/{token}`, `/control/{token}`, `/desk/{token}`, `/preview/{token}`, `/motion`, `/ograf`, `/still`, their `/assets/`, the graphics
 * to mount at `/overlay/{key}/preload`, the overlay page as a file at `/overlay/{key}/file`, and the server's clock at `/time`. An unknown key or token answers 404. `/picture` below
 * the monitor and control pages is the overlay page for a frame of theirs, which never learns the overlay's key.
 */
export function pages({ folder = builtPages(), urlFor, ...lookups }: PagesOptions): Page[] {
  type Exists = (secret: string) => Promise<boolean> | boolean
  const page = (name: string, exists: Exists, path = `/${name}/{secret}`): Page => {
    // a browser source may stand in a page of anybody's; pages that people work with may not be pressed through another's
    const answer = htmlAnswer(join(folder, name, 'index.html'), path.startsWith('/overlay/') ? 'anybody' : 'us')
    return { path, handle: async (request, { secret = '' }) => ((await exists(secret)) ? answer(request) : notFound) }
  }
  const preload = (by: NameKind, path: string): Page => ({
    path: `${path}/preload`,
    // thousands of pages ask again and again, and seldom is anything new
    async handle(request, { secret = '' }) {
      const graphics = await lookups.preload(by, secret)
      if (!graphics) return notFound
      const reply = json(graphics.map(({ graphicId, graphicName, url }) => ({ graphicId, graphicName, url })))
      const tag = `"${createHash('sha256').update(reply.body).digest('base64url')}"`
      const headers = { ...reply.headers, ETag: tag }
      return holds(request, tag) ? { status: 304, headers, body: '' } : { ...reply, headers }
    },
  })
  // asked without an upgrade: a proxy that does not pass it on must not look like a wrong address
  const socket = (exists: Exists, path: string): Page => ({
    path: `${path}/socket`,
    handle: async (_request, { secret = '' }) => ((await exists(secret)) ? upgradeRequired : notFound),
  })
  const file = readPacked(join(folder, 'overlay-file/index.html')).identity.toString()
  const dashboard = htmlAnswer(join(folder, 'dashboard/index.html'), 'us')
  return [
    page('overlay', lookups.overlayExists),
    page('monitor', lookups.monitorExists),
    page('control', lookups.controlExists),
    page('desk', lookups.deskExists),
    ...installable(join(folder, 'desk'), lookups.deskExists),
    socket(lookups.deskExists, '/desk/{secret}'),
    page('preview', lookups.previewExists),
    page('replay', lookups.replayExists),
    // the address that the start prints, opened in a browser
    {
      path: '/',
      handle: () => ({ status: 302, headers: { Location: 'dashboard', 'Cache-Control': 'no-store' }, body: '' }),
    },
    // the dashboard asks for its data behind the sign-in; every address of it is the same page
    { path: '/dashboard', handle: dashboard },
    { path: '/dashboard/{view*}', handle: dashboard },
    preload('key', '/overlay/{secret}'),
    {
      path: '/overlay/{secret}/file',
      async handle(request, { secret = '' }) {
        if (!(await lookups.overlayExists(secret))) return notFound
        return overlayFile(file, `${urlFor(hostOf(request))}/overlay/${secret}`, request.query)
      },
    },
    socket(lookups.overlayExists, '/overlay/{secret}'),
    socket(lookups.monitorExists, '/monitor/{secret}'),
    socket(lookups.monitorExists, '/monitor/{secret}/picture'),
    socket(lookups.controlExists, '/control/{secret}'),
    socket(lookups.controlExists, '/control/{secret}/picture'),
    page('overlay', lookups.monitorExists, '/monitor/{secret}/picture'),
    preload('monitoring', '/monitor/{secret}/picture'),
    page('overlay', lookups.controlExists, '/control/{secret}/picture'),
    preload('control', '/control/{secret}/picture'),
    // milliseconds since 1970: match clocks run on the server's time
    motion(readPacked(join(folder, 'motion/index.html'))),
    ograf(readPacked(join(folder, 'ograf/index.html'))),
    // shows nothing until the browser that it is opened in is told to: show-control: Pictures
    { path: '/still', handle: htmlAnswer(join(folder, 'still/index.html'), 'us') },
    { path: '/time', handle: () => json(serviceTime()) },
    assets(join(folder, 'assets')),
  ]
}

/**
 * The page that draws motion graphics, in a frame of the overlay page: `/motion?file=/bundles/{hash}/graphic.riv`. It is as
 * closed in as the bundle of a code graphic; pictures come from wherever the data says.
 */
function motion(page: Packed): Page {
  return {
    path: '/motion',
    handle(request) {
      const host = hostOf(request)
      const policy = [
        'sandbox allow-scripts',
        "default-src 'none'",
        // older engines know the first by the name of the second
        `script-src 'self' ${host} 'wasm-unsafe-eval' 'unsafe-eval'`,
        `style-src 'self' ${host}`,
        `connect-src 'self' ${host}`,
        'img-src * data: blob:',
        "base-uri 'none'",
        "form-action 'none'",
      ]
      const headers = {
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': 'no-cache',
        'Content-Security-Policy': policy.join('; '),
        'Referrer-Policy': 'no-referrer',
        'X-Content-Type-Options': 'nosniff',
        'X-Robots-Tag': 'noindex',
      }
      return packedReply(request, page, headers)
    },
  }
}

/**
 * The page that hosts OGraf graphics, in a frame of the overlay page: `/ograf?manifest=/bundles/{hash}/card.ograf.json`. What runs in it
 * is closed in as the bundle of a code graphic is, and may as much.
 */
const ograf = (page: Packed): Page => ({
  path: '/ograf',
  handle: (request) =>
    packedReply(request, page, {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': 'sandbox allow-scripts',
      'Permissions-Policy': NO_DEVICES,
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'X-Robots-Tag': 'noindex',
    }),
})

const ICON_SIZES = [192, 512]

/**
 * What makes the desk of a match an app of a telephone: its manifest, its icons, and the worker that opens it without a line. The manifest
 * is of one address, so that what is installed is this match. show-control: Match desk
 */
function installable(folder: string, exists: (token: string) => Promise<boolean> | boolean): Page[] {
  const worker = readFileSync(join(folder, 'worker.js'), 'utf8')
  const icons = ICON_SIZES.map((size) => ({ size, png: readFileSync(join(folder, `icon-${size}.png`)) }))
  return [
    {
      path: '/desk/{secret}/manifest.webmanifest',
      async handle(_request, { secret = '' }) {
        if (!(await exists(secret))) return notFound
        // below the address of the manifest, wherever a proxy has put this server
        const start = `../${secret}`
        const manifest = {
          id: `desk-${createHash('sha256').update(secret).digest('hex').slice(0, 16)}`,
          name: 'Match desk',
          short_name: 'Desk',
          start_url: start,
          scope: start,
          display: 'standalone',
          background_color: '#ffffff',
          theme_color: '#ffffff',
          icons: icons.map(({ size }) => ({
            src: `../icon-${size}.png`,
            sizes: `${size}x${size}`,
            type: 'image/png',
            purpose: 'any maskable',
          })),
        }
        return {
          ...json(manifest),
          headers: { ...json(manifest).headers, 'Content-Type': 'application/manifest+json' },
        }
      },
    },
    {
      path: '/desk/worker.js',
      handle: () => ({
        status: 200,
        headers: {
          'Content-Type': 'text/javascript; charset=utf-8',
          // a browser asks for it again by itself; an old one must not live on
          'Cache-Control': 'no-cache',
          'Content-Security-Policy': "default-src 'none'; connect-src 'self'",
          'X-Content-Type-Options': 'nosniff',
        },
        body: worker,
      }),
    },
    ...icons.map(
      ({ size, png }): Page => ({
        path: `/desk/icon-${size}.png`,
        handle: () => ({
          status: 200,
          headers: {
            'Content-Type': 'image/png',
            'Cache-Control': 'public, max-age=86400',
            'X-Content-Type-Options': 'nosniff',
          },
          body: png,
        }),
      }),
    ),
  ]
}

function assets(folder: string): Page {
  const files = new Map(
    (existsSync(folder) ? readdirSync(folder) : [])
      .filter((name) => !/\.(br|gz)$/.test(name))
      .map((name) => [name, readPacked(join(folder, name))]),
  )
  return {
    path: '/assets/{file*}',
    handle(request, { file = '' }) {
      const packed = files.get(file)
      if (!packed) return notFound
      const headers = {
        'Content-Type': types[extname(file)] ?? 'application/octet-stream',
        'Cache-Control': 'public, max-age=31536000, immutable',
        'X-Content-Type-Options': 'nosniff',
        'Access-Control-Allow-Origin': '*',
      }
      return packedReply(request, packed, headers)
    },
  }
}

const json = (value: unknown): HttpReply => ({
  status: 200,
  headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
  body: JSON.stringify(value),
})

const NONCE = '%NONCE%'

/** The sites whose pages may show a page in a frame. */
type FramedBy = 'anybody' | 'us'

/** Answers with a built page; where it has a place for a nonce, with a new one each time. */
function htmlAnswer(file: string, framedBy: FramedBy): (request: HttpRequest) => HttpReply {
  const packed = readPacked(file)
  const html = packed.identity.toString()
  const hashes = inlineHashes(html)
  return (request) => {
    if (!html.includes(NONCE)) return packedReply(request, packed, htmlHeaders(request, { ...hashes, framedBy }))
    const nonce = randomBytes(16).toString('base64')
    const styles = `${hashes.styles} 'nonce-${nonce}'`
    return {
      status: 200,
      headers: htmlHeaders(request, { ...hashes, styles, framedBy }),
      body: html.replaceAll(NONCE, nonce),
    }
  }
}

/** Nothing from anywhere else may load: the page runs on program, and its address is a secret. */
function htmlHeaders(
  request: HttpRequest,
  { scripts, styles, framedBy }: ReturnType<typeof inlineHashes> & { framedBy: FramedBy },
) {
  const host = hostOf(request)
  // older engines do not count a WebSocket to the same host as 'self'
  const sockets = host && ` ws://${host} wss://${host}`
  const policy = [
    "default-src 'none'",
    `script-src 'self'${scripts}`,
    `style-src 'self'${styles}`,
    `connect-src 'self'${sockets}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "frame-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    // no source means anybody: `*` would leave out files
    ...(framedBy === 'us' ? ["frame-ancestors 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ]
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': policy.join('; '),
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Robots-Tag': 'noindex',
  }
}

function inlineHashes(html: string) {
  const hashes = (tag: string) =>
    Array.from(
      html.matchAll(new RegExp(`<${tag}(?![^>]*\\ssrc=)[^>]*>([\\s\\S]*?)</${tag}>`, 'g')),
      ([, text = '']) => ` 'sha256-${createHash('sha256').update(text).digest('base64')}'`,
    ).join('')
  return { scripts: hashes('script'), styles: hashes('style') }
}

function builtPages(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return join(folder, 'dist/pages')
}
