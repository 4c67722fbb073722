import type { Sql } from 'postgres'
import { NO_DEVICES, type Page } from '../../http/message.ts'
import { type FileBytes, fileHeaders, HASH, noFile, sendFile } from '../files.ts'
import { framedFile } from './framed-document.ts'

type File = { name: string; mime: string; size: number; blob: string }
type Files = ReadonlyMap<string, File>

/** The suffix with which a page asks past a cache that holds a broken file: for its links too, which are relative. */
const ANEW = /~\d{1,15}$/

/** About 50 MB of names. A working copy has a new list with every change, of up to 2,000 files. */
const MAX_LISTED = 100_000

/** The files of published bundles and working copies, for sandboxed iframes without an origin. live-path 23 */
export function bundlePages(sql: Sql, bytes: FileBytes): Page[] {
  // in the order of their use
  const bundles = new Map<string, Files>()
  let listed = 0

  async function filesOf(hash: string): Promise<Files | undefined> {
    const files = bundles.get(hash) ?? (await readFiles(hash))
    if (!files) return undefined
    // another request may have listed them meanwhile
    if (!bundles.delete(hash)) listed += files.size
    bundles.set(hash, files)
    for (const [oldest, { size }] of bundles) {
      if (listed <= MAX_LISTED) break
      bundles.delete(oldest)
      listed -= size
    }
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
        const file = (await filesOf(hash.replace(ANEW, '')))?.get(path)
        if (!file) return noFile
        const content = () => bytes.open(file.blob)
        if (request.query !== 'framed' || !/^text\/html\b/i.test(file.mime))
          return sendFile(request, headersOf(file), content)
        const framed = async () => {
          const html = await content()
          return html && framedFile(html)
        }
        return sendFile(request, { ...headersOf(file), ETag: `"${file.blob}-framed"` }, framed)
      },
    },
  ]
}

/** No device of the person, and no word about where a graphic is shown, also where it is opened by itself. */
const ISOLATION = {
  'Permissions-Policy': NO_DEVICES,
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
