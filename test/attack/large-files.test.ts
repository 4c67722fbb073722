import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createServer } from '../../src/http/uws.ts'
import { fileHeaders, sendFile } from '../../src/resources/files.ts'
import { cachedFiles } from '../../src/store/blob-cache.ts'
import type { Blobs } from '../../src/store/blobs.ts'
import { createFolderBlobs } from '../../src/store/blobs-folder.ts'
import { createS3Blobs } from '../../src/store/blobs-s3.ts'
import { S3_BUCKET, S3_KEY, startS3 } from '../support/s3.ts'

const SIZE = 50_000_000
const CLIENTS = 40
const MB = 1_000_000

async function folder() {
  const path = await mkdtemp(join(tmpdir(), 'tally-large-'))
  onTestFinished(() => rm(path, { recursive: true }))
  return path
}

const stores: [string, () => Promise<Blobs>][] = [
  ['a folder', async () => createFolderBlobs(await folder())],
  [
    'a bucket',
    async () => {
      const s3 = await startS3()
      onTestFinished(() => s3.close())
      return createS3Blobs({ url: s3.url, bucket: S3_BUCKET, ...S3_KEY }, await folder())
    },
  ],
]

test.each(stores)(
  'many who read a file of 50 MB from %s slowly, or two bytes of it, hold next to nothing',
  async (_, make) => {
    const blobs = await make()
    const bytes = Buffer.alloc(SIZE, 'a video ')
    const { hash } = await blobs.put(bytes)
    const files = cachedFiles(blobs)
    const server = createServer({
      handle: (request) => sendFile(request, fileHeaders('video/webm', hash, ''), () => files.open(hash)),
      sockets: [],
      log: pino({ level: 'silent' }),
    })
    const port = await server.listen('127.0.0.1', 0)
    onTestFinished(() => server.close(0))
    const url = `http://127.0.0.1:${port}/`
    const part = async (range: string) => {
      const answer = await fetch(url, { headers: { Range: range } })
      return { status: answer.status, length: Number(answer.headers.get('content-length')), text: await answer.text() }
    }
    expect(await part('bytes=25000001-25000002')).toEqual({ status: 206, length: 2, text: ' v' })
    expect((await fetch(url, { method: 'HEAD' })).headers.get('content-length')).toBe(String(SIZE))

    const before = process.memoryUsage().rss
    const slow: Socket[] = []
    onTestFinished(() => {
      for (const client of slow) client.destroy()
    })
    for (let client = 0; client < CLIENTS; client++) {
      const socket = connect(port, '127.0.0.1').pause()
      socket.on('error', () => {})
      // each from somewhere else
      socket.write(`GET / HTTP/1.1\r\nHost: a\r\nRange: bytes=${client * 1_000_000}-\r\n\r\n`)
      slow.push(socket)
    }
    await vi.waitFor(() => expect(server.pending()).toBe(CLIENTS))
    const parts = await Promise.all(
      Array.from({ length: 100 }, (_, at) => part(`bytes=${at * 500_000}-${at * 500_000 + 1}`)),
    )
    expect(new Set(parts.map(({ status, length }) => `${status} ${length}`))).toEqual(new Set(['206 2']))
    const whole = Buffer.from(await (await fetch(url)).arrayBuffer())
    expect(whole.equals(bytes)).toBe(true)
    // the whole answer above is of the test, twice
    expect((process.memoryUsage().rss - before) / MB).toBeLessThan(100 + (2 * SIZE) / MB)
    for (const client of slow) client.destroy()
    await vi.waitFor(() => expect(server.pending()).toBe(0))
  },
)
