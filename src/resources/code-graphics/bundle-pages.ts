import type { Sql } from 'postgres'
import type { Page } from '../../http/message.ts'
import { type FileBytes, fileHeaders, HASH, noFile, sendFile } from '../files.ts'

type File = { name: string; mime: string; size: number; blob: string }
type Files = ReadonlyMap<string, File>

const MAX_BUNDLES = 1_000

/** The files of published bundles, for sandboxed iframes without an origin. live-path 23 */
export function bundlePages(sql: Sql, bytes: FileBytes): Page[] {
  // in the order of their use
  const bundles = new Map<string, Files>()

  async function filesOf(hash: string): Promise<Files | undefined> {
    const files = bundles.get(hash) ?? (await readFiles(hash))
    if (!files) return undefined
    bundles.delete(hash)
    bundles.set(hash, files)
    const [oldest] = bundles.keys()
    if (bundles.size > MAX_BUNDLES && oldest !== undefined) bundles.delete(oldest)
    return files
  }

  async function readFiles(hash: string): Promise<Files | undefined> {
    if (!HASH.test(hash)) return undefined
    const [row] = await sql<{ files: File[] }[]>`select files from bundle where hash = ${hash}`
    return row && new Map(row.files.map((file) => [file.name, file]))
  }

  return [
    {
      path: '/bundles/{hash}/{path*}',
      async handle(request, { hash = '', path = '' }) {
        const file = (await filesOf(hash))?.get(path)
        return file ? sendFile(request, headersOf(file), () => bytes.read(file.blob)) : noFile
      },
    },
  ]
}

/** No device of the person, and no word about where a graphic is shown, also where it is opened by itself. */
const ISOLATION = {
  'Permissions-Policy':
    'camera=(), microphone=(), geolocation=(), display-capture=(), usb=(), serial=(), hid=(), midi=()',
  'Referrer-Policy': 'no-referrer',
}

const headersOf = ({ mime, blob }: File) => ({
  ...fileHeaders(
    /^text\/[^;]+$|javascript$|json$|\+xml$/.test(mime) ? `${mime}; charset=utf-8` : mime,
    blob,
    'sandbox allow-scripts',
  ),
  ...ISOLATION,
})
