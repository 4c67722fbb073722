import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type Zippable, zipSync } from 'fflate'
import { z } from 'zod'
import { readFiles } from '../ograf/archive.ts'
import { FolderError } from './folder-error.ts'
import type { BundleFile, LocalOgraf } from './local-graphic.ts'
import type { RemoteGraphic } from './remote.ts'
import type { Change, Session, Step } from './session.ts'

/** A folder with one of these is of OGraf: it has no `graphic.json` of ours. */
export const isOgrafManifest = (path: string) => path.endsWith('.ograf.json')

/** The graphics of a folder of OGraf, one for each manifest. `shown` is the folder as messages name it. Throws FolderError. */
export async function readOgrafFolder(
  slug: string,
  shown: string,
  sports: string[],
  listed: readonly Omit<BundleFile, 'mime'>[],
): Promise<LocalOgraf[]> {
  const parts = new Map<string, Uint8Array>()
  for (const { name, path } of listed) parts.set(name, await readFile(path))
  const { files, graphics, errors } = readFiles(parts)
  if (errors.length > 0)
    throw new FolderError(
      errors.map(({ file, path, message }) => `${shown}/${file}${path === '' ? '' : ` ${path}`}: ${message}`),
    )
  const paths = new Map(listed.map(({ name, path }) => [name, path]))
  const bundle = files.map(({ name, mime, size, hash }) => ({ name, mime, size, hash, path: paths.get(name) ?? '' }))
  return graphics.map(({ manifest }) => ({
    type: 'ograf',
    slug,
    name: manifest.name,
    sports,
    stateMachine: {},
    files: bundle,
  }))
}

const UploadAnswer = z.object({
  uploadId: z.number(),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
})
const ImportAnswer = z.object({ graphics: z.array(z.object({ graphicId: z.string(), name: z.string() })) })

/** Sends the folders of which a graphic differs, each in one archive, which makes its graphics or replaces their working copies. */
export function planOgraf(
  pairs: readonly { local: LocalOgraf; remote?: RemoteGraphic | undefined }[],
  differs: (local: LocalOgraf, remote: RemoteGraphic | undefined) => boolean,
): Step[] {
  const slugs = [...new Set(pairs.map(({ local }) => local.slug))]
  return slugs.flatMap((slug) => {
    const folder = pairs.filter(({ local }) => local.slug === slug)
    const [first] = folder
    if (!first || !folder.some(({ local, remote }) => differs(local, remote))) return []
    const { files } = first.local
    const isNew = folder.every(({ remote }) => remote === undefined)
    const change: Change = {
      action: isNew ? 'create' : 'update',
      kind: 'graphic',
      name: folder.map(({ local }) => local.name).join(', '),
      ...(!isNew && { changed: ['files'] }),
      uploads: files.map(({ name }) => name),
      uploadBytes: files.reduce((sum, { size }) => sum + size, 0),
    }
    return [{ change, run: (session: Session) => send(session, files) }]
  })
}

async function send(session: Session, files: readonly BundleFile[]): Promise<void> {
  const { api, themeId } = session
  const zip = await zipped(files)
  const at = `/v2/themes/${themeId}/ograf`
  const sha256 = createHash('sha256').update(zip).digest('hex')
  const { uploadId, url, headers } = await api.write(
    'POST',
    `${at}/uploads`,
    { size: zip.length, sha256 },
    UploadAnswer,
  )
  await api.upload(url, headers, zip)
  session.uploaded(files.reduce((sum, { size }) => sum + size, 0))
  const { graphics } = await api.write('POST', `${at}/imports`, { uploadId }, ImportAnswer)
  for (const { graphicId, name } of graphics) session.graphics.set(name, { graphicId, updatedAt: undefined })
  session.themeUpdatedAt = undefined
}

/** The same bytes for the same files: an upload that is sent again is the same one. */
async function zipped(files: readonly BundleFile[]): Promise<Buffer> {
  const parts: Zippable = {}
  for (const { name, path } of files) parts[name] = [await readFile(path), { mtime: '2020-01-01T00:00:00' }]
  return Buffer.from(zipSync(parts, { level: 6 }))
}

/** The name of the graphic that a manifest is of; undefined when it is none. */
export function nameIn(text: string): string | undefined {
  try {
    const { success, data } = z.object({ name: z.string() }).safeParse(JSON.parse(text))
    return success ? data.name : undefined
  } catch {
    return undefined
  }
}
