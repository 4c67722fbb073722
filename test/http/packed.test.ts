import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import type { HttpRequest } from '../../src/http/message.ts'
import { pack, packedReply, readPacked } from '../../src/http/packed.ts'

const folder = mkdtempSync(join(tmpdir(), 'tally-packed-'))
afterAll(() => rmSync(folder, { recursive: true }))

const text = Buffer.from('on air '.repeat(400))
const whole = join(folder, 'page.js')
const lone = join(folder, 'lone.js')
for (const [path, bytes] of [
  [whole, text],
  [`${whole}.br`, brotliCompressSync(text)],
  [`${whole}.gz`, gzipSync(text)],
  [lone, text],
] as const)
  writeFileSync(path, bytes)

/** A request of which only this header is asked. */
function asking(acceptEncoding: string): HttpRequest {
  const header = (name: string) => (name === 'accept-encoding' ? acceptEncoding : '')
  return { header } as HttpRequest
}

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['BR;q=1.0, gzip;q=0.8', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['gzip;q=0.5', 'gzip'],
  ['br ; q=0.000, gzip ; q=0', undefined],
  ['deflate, brotli', undefined],
  ['', undefined],
])('[issue 6.8] to %o a page is sent as %s', (accepted, encoding) => {
  const { headers, body } = packedReply(asking(accepted), readPacked(whole), { ETag: '"1"' })
  expect(headers['Content-Encoding']).toBe(encoding)
  // caches must not hand one form to a client that asked for another
  expect(headers.Vary).toBe('Accept-Encoding')
  expect(headers.ETag).toBe(encoding ? 'W/"1"' : '"1"')
  if (encoding) expect(body.length).toBeLessThan(text.length / 10)
  else expect(body).toEqual(text)
})

test('[issue 6.8] what was not compressed is sent as it is, the same to all', () => {
  const reply = packedReply(asking('br'), readPacked(lone), { 'Cache-Control': 'no-store' })
  expect(reply).toEqual({ status: 200, headers: { 'Cache-Control': 'no-store' }, body: text })
})

test('[issue 6.8] what is made while the server runs is compressed in both ways', async () => {
  const { identity, br, gzip } = await pack(String(text))
  expect(identity).toEqual(text)
  expect(brotliDecompressSync(br ?? '')).toEqual(text)
  expect(gunzipSync(gzip ?? '')).toEqual(text)
})
