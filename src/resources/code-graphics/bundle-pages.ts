import type { Sql } from 'postgres'
import type { HttpReply, HttpRequest, Page } from '../../http/message.ts'

/** Where the bytes of a bundle's files are. */
export type BundleBytes = { read(hash: string): Promise<Buffer | undefined> }

type File = { name: string; mime: string; size: number; blob: string }
type Files = ReadonlyMap<string, File>

const MAX_BUNDLES = 1_000
const MAX_CACHED_BYTES = 64 * 1024 * 1024
const MAX_CACHED_FILE_BYTES = 4 * 1024 * 1024

const notFound: HttpReply = {
  status: 404,
  headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
  body: '{"message":"Not Found"}',
}

/** The files of published bundles, for sandboxed iframes without an origin. live-path 23 */
export function bundlePages(sql: Sql, bytes: BundleBytes): Page[] {
  const bundles = new Map<string, Files>()
  const contents = new Map<string, Buffer>()
  let cachedBytes = 0

  async function filesOf(hash: string): Promise<Files | undefined> {
    const known = recall(bundles, hash)
    if (known || !/^[0-9a-f]{64}$/.test(hash)) return known
    const [row] = await sql<{ files: File[] }[]>`select files from bundle where hash = ${hash}`
    if (!row) return undefined
    const files = new Map(row.files.map((file) => [file.name, file]))
    bundles.set(hash, files)
    if (bundles.size > MAX_BUNDLES) dropOldest(bundles)
    return files
  }

  async function contentOf(blob: string): Promise<Buffer | undefined> {
    const known = recall(contents, blob)
    if (known) return known
    const content = await bytes.read(blob)
    if (!content || content.length > MAX_CACHED_FILE_BYTES || contents.has(blob)) return content
    contents.set(blob, content)
    cachedBytes += content.length
    while (cachedBytes > MAX_CACHED_BYTES) cachedBytes -= dropOldest(contents)?.length ?? cachedBytes
    return content
  }

  return [
    {
      path: '/bundles/{hash}/{path*}',
      async handle(request, { hash = '', path = '' }) {
        const file = (await filesOf(hash))?.get(path)
        if (!file) return notFound
        const headers = headersOf(file)
        if (isFresh(request, headers.ETag)) return { status: 304, headers, body: '' }
        const content = await contentOf(file.blob)
        return content ? { status: 200, headers, body: content } : notFound
      },
    },
  ]
}

const headersOf = ({ mime, blob }: File) => ({
  'Content-Type': /^text\/|javascript$|json$|\+xml$/.test(mime) ? `${mime}; charset=utf-8` : mime,
  'Content-Security-Policy': 'sandbox allow-scripts',
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cache-Control': 'public, max-age=31536000, immutable',
  'X-Content-Type-Options': 'nosniff',
  ETag: `"${blob}"`,
})

const isFresh = (request: HttpRequest, etag: string) =>
  request
    .header('if-none-match')
    .split(',')
    .some((tag) => tag.trim().replace(/^W\//, '') === etag)

/** A map in order of use: what is asked for moves to the end. */
function recall<V>(map: Map<string, V>, key: string): V | undefined {
  const value = map.get(key)
  if (value !== undefined) {
    map.delete(key)
    map.set(key, value)
  }
  return value
}

function dropOldest<V>(map: Map<string, V>): V | undefined {
  for (const [key, value] of map) {
    map.delete(key)
    return value
  }
  return undefined
}
