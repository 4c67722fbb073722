import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { BundleUploadSession, CodeGraphic, PublishedCodeGraphic } from '../../src/resources/code-graphics/schema.ts'
import { createTheme } from '../../src/resources/themes/commands.ts'
import { type Answer, newKey, newOrganization, startApp, type TestApp } from '../support/app.ts'

/** A file of a bundle with its bytes. */
export type LocalFile = { name: string; mime: string; size: number; hash: string; bytes: Buffer<ArrayBuffer> }
export type Graphic = z.output<typeof CodeGraphic>
export type Session = z.output<typeof BundleUploadSession>

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

export const localFile = (name: string, text: string = name, mime = 'text/html'): LocalFile => {
  const bytes = Buffer.from(text)
  return { name, mime, size: bytes.length, hash: sha256(bytes), bytes }
}

export const index = localFile('index.html')
export const script = localFile('js/main.js', 'main', 'text/javascript')

/** The answer that lists these rules and no others. */
export const broken = (...details: string[]) => ({ status: 400, body: { code: 'CODE_GRAPHIC_INVALID', details } })
export const sessionRule = (id: string) => `upload session ${id}: unknown or expired`
export const notHere = (name: string) => `${name}: not uploaded and not in the graphic from an earlier bundle`

export const putBytes = (
  url: string | null | undefined,
  bytes: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
) => fetch(url ?? '', { method: 'PUT', body: bytes, headers })

/** As the API takes it. */
export const declared = ({ name, mime, size, hash }: LocalFile) => ({ name, mime, size, hash })

/** Somebody with a key, and the steps of a designer's tool. */
export type Designer = {
  readonly organizationId: number
  readonly key: string
  readonly themeId: number
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** The path of a graphic, or of something below it. */
  pathOf(graphicId: string, below?: string): string
  create(name: string, more?: object): Promise<Graphic>
  read(graphicId: string): Promise<Graphic>
  /** Opens a session; throws unless it is opened. */
  open(graphicId: string, files: readonly LocalFile[], more?: object): Promise<Session>
  /** Sends the bytes of every file that has an address. */
  send(session: Session, files: readonly LocalFile[], atOnce?: number): Promise<number[]>
  put(graphicId: string, files: readonly LocalFile[], more?: object): Promise<Answer>
  /** Uploads and puts a whole file set. */
  upload(graphicId: string, files: readonly LocalFile[]): Promise<Graphic>
  publish(graphicId: string): Promise<z.output<typeof PublishedCodeGraphic>>
  /** The same organization with another key. */
  colleague(): Promise<Designer>
}

export async function startDesigners() {
  const server = await startApp()
  return { server, designer: await newDesigner(server), stranger: await newDesigner(server) }
}

export async function newDesigner(server: TestApp): Promise<Designer> {
  const { id, key } = await newOrganization(server.database)
  const ctx = server.app.systemContext(id, 'test')
  const { id: themeId } = await createTheme(ctx, { name: 'Theme', sports: ['football'], variables: [] })
  return designerWith(server, id, themeId, key)
}

function designerWith(server: TestApp, organizationId: number, themeId: number, key: string): Designer {
  const designer: Designer = {
    organizationId,
    key,
    themeId,
    call: (method, path, body, headers) => server.call(method, path, { key, body, ...(headers && { headers }) }),
    pathOf: (graphicId, below = '') => `/v2/themes/${themeId}/code-graphics/${graphicId}${below}`,
    async create(name, more = {}) {
      return CodeGraphic.parse(
        done(await designer.call('POST', `/v2/themes/${themeId}/code-graphics`, { name, ...more })),
      )
    },
    read: async (graphicId) => CodeGraphic.parse(done(await designer.call('GET', designer.pathOf(graphicId)))),
    async open(graphicId, files, more = {}) {
      const body = { files: files.map(declared), ...more }
      return BundleUploadSession.parse(done(await designer.call('POST', designer.pathOf(graphicId, '/uploads'), body)))
    },
    async send(session, files, atOnce = 16) {
      const again = new Set<string>()
      const wanted = session.files.flatMap(({ name, url, headers }) => (url === null ? [] : [{ name, url, headers }]))
      const bytes = new Map(files.map((file) => [file.name, file.bytes]))
      const statuses: number[] = []
      const worker = async () => {
        for (let next = wanted.pop(); next; next = wanted.pop()) {
          const body = bytes.get(next.name) ?? ''
          const { status } = await fetch(next.url, { method: 'PUT', headers: next.headers, body })
          // told to try again, as every uploader does; what had arrived after all is 409 then
          if (status === 503) {
            wanted.push(next)
            again.add(next.name)
          } else statuses.push(status === 409 && again.has(next.name) ? 200 : status)
        }
      }
      await Promise.all(Array.from({ length: atOnce }, worker))
      return statuses
    },
    put: (graphicId, files, more = {}) =>
      designer.call('PUT', designer.pathOf(graphicId, '/bundle'), { files: files.map(declared), ...more }),
    async upload(graphicId, files) {
      const session = await designer.open(graphicId, files)
      await designer.send(session, files)
      return CodeGraphic.parse(done(await designer.put(graphicId, files, { uploadSessionId: session.uploadSessionId })))
    },
    async publish(graphicId) {
      return PublishedCodeGraphic.parse(done(await designer.call('POST', designer.pathOf(graphicId, '/publish'))))
    },
    async colleague() {
      const made = await newKey(server.database, organizationId, ['themes:write'])
      return designerWith(server, organizationId, themeId, made.key)
    },
  }
  return designer
}

function done({ status, body }: Answer) {
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}
