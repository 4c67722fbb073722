import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Designer, declared, localFile, startDesigners } from './code-graphics-support.ts'

let designer: Designer
let close: () => Promise<void>

beforeAll(async () => {
  const started = await startDesigners()
  designer = started.designer
  close = () => started.server.close()
})
afterAll(() => close())

const FILES = 2_000
/** 255 characters, in segments that file systems take. */
const longName = (index: number) =>
  `${'folder-of-a-long-name-'.repeat(5)}/${'x'.repeat(138)}${String(index).padStart(6, '0')}`

it('[Limits] a bundle of 2,000 files with names of 255 characters goes all the way over HTTP', async () => {
  const { graphicId } = await designer.create('Large')
  const files = [
    localFile('index.html'),
    ...Array.from({ length: FILES - 1 }, (_, index) =>
      localFile(longName(index), `${index} ${'content '.repeat(200)}`, 'image/svg+xml'),
    ),
  ]
  expect(files.at(-1)?.name).toHaveLength(255)
  const session = await designer.open(graphicId, files)
  const sent = await designer.send(session, files, 100)
  expect(sent).toHaveLength(FILES)
  expect(new Set(sent)).toEqual(new Set([200]))
  const headers = { 'Idempotency-Key': randomUUID() }
  const body = { files: files.map(declared), uploadSessionId: session.uploadSessionId }
  const put = () => designer.call('PUT', designer.pathOf(graphicId, '/bundle'), body, headers)
  const answer = await put()
  expect([answer.status, (answer.body.assets as unknown[]).length]).toEqual([200, FILES])
  // the session is gone, so only the kept answer can say this again
  const again = await put()
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
  expect(again.body).toEqual(answer.body)
  const { publishedVersion } = await designer.publish(graphicId)
  const version = await designer.call('GET', designer.pathOf(graphicId, `/versions/${publishedVersion}`))
  const served = version.body.files as { url: string; hash: string }[]
  expect(served).toHaveLength(FILES)
  const left = [...served]
  const worker = async () => {
    for (let file = left.pop(); file; file = left.pop()) {
      const bytes = Buffer.from(await (await fetch(file.url)).arrayBuffer())
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(file.hash)
    }
  }
  await Promise.all(Array.from({ length: 16 }, worker))
})
