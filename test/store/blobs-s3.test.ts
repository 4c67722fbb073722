import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { BlobsUnavailable } from '../../src/store/blobs.ts'
import { createS3Blobs, type S3Options } from '../../src/store/blobs-s3.ts'
import { blobsContract, sha256 } from '../contract/blobs.ts'
import { newOrganization, startApp } from '../support/app.ts'
import { png } from '../support/images.ts'
import { S3_BUCKET, S3_KEY, startS3 } from '../support/s3.ts'

async function make(options: Partial<S3Options> = {}) {
  const s3 = await startS3()
  const folder = await mkdtemp(join(tmpdir(), 'tally-s3-'))
  onTestFinished(async () => {
    await s3.close()
    await rm(folder, { recursive: true })
  })
  const blobs = createS3Blobs({ url: s3.url, bucket: S3_BUCKET, ...S3_KEY, ...options }, folder)
  return {
    s3,
    blobs,
    folder,
    names: async () => [...s3.objects.keys()],
    damage: async (hash: string) => void s3.objects.set(hash, Buffer.from('something else')),
  }
}

blobsContract('a bucket', { make })

describe('a bucket', () => {
  it('is asked again when its service fails for a moment, also in the middle of a file', async () => {
    const { s3, blobs } = await make({ timeoutMs: 500 })
    const bytes = Buffer.alloc(300_000, 'x')
    // HEAD, then PUT three times
    s3.next.push(404, 503, 429)
    const { hash } = await blobs.put(bytes)
    expect(s3.answers).toEqual(['HEAD 404', 'PUT 503', 'PUT 429', 'PUT 200'])
    s3.next.push('hang', 500)
    expect((await blobs.read(hash))?.equals(bytes)).toBe(true)
  })

  it('that stays out of reach, or refuses the key, is unavailable, and nothing stays on this node', async () => {
    const { s3, blobs, folder } = await make()
    s3.next.push(500, 500, 500)
    await expect(blobs.put(Buffer.from('x'))).rejects.toThrow(BlobsUnavailable)
    expect(await readdir(folder)).toEqual([])
    const stranger = await make({ secretAccessKey: 'another secret' })
    await expect(stranger.blobs.put(Buffer.from('x'))).rejects.toThrow('403')
    expect(stranger.s3.answers).toEqual(['HEAD 403'])
    await expect((await make({ bucket: 'no-such-bucket' })).blobs.put(Buffer.from('x'))).rejects.toThrow(
      'no such bucket',
    )
    await s3.close()
    await expect(blobs.has(sha256('x'))).rejects.toThrow(BlobsUnavailable)
  })
})

it('[Teams 3] a server with a bucket keeps logos there; while it is out of reach sending answers 503 and can be repeated', async () => {
  const { s3 } = await make()
  const server = await startApp({
    BLOBS_S3_URL: s3.url,
    BLOBS_S3_BUCKET: S3_BUCKET,
    BLOBS_S3_REGION: S3_KEY.region,
    BLOBS_S3_KEY_ID: S3_KEY.accessKeyId,
    BLOBS_S3_SECRET: S3_KEY.secretAccessKey,
  })
  onTestFinished(() => server.close())
  const { key } = await newOrganization(server.database)
  const call = (method: string, path: string, body: unknown) => server.call(method, path, { key, body })
  const team = await call('POST', '/v1/teams', { name: 'Harbour Town', sport: 'football' })
  const bytes = png(9, 9, 123)
  const declared = { contentType: 'image/png', size: bytes.length, sha256: sha256(bytes) }
  const { body } = await call('POST', `/v1/teams/${team.body.id}/logo/uploads`, declared)
  const send = async () => {
    const headers = { 'content-type': declared.contentType, 'x-cloud-checksum-sha256': declared.sha256 }
    return (await fetch(String(body.url), { method: 'PUT', headers, body: new Uint8Array(bytes) })).status
  }
  s3.next.push(500, 500, 500)
  expect(await send()).toBe(503)
  expect(await send()).toBe(200)
  expect([...s3.objects.keys()]).toEqual([declared.sha256])
  const answer = await call('PUT', `/v1/teams/${team.body.id}/logo`, { uploadId: body.uploadId })
  const served = await fetch(String(answer.body.logoUrl))
  expect(Buffer.from(await served.arrayBuffer()).equals(bytes)).toBe(true)
})
