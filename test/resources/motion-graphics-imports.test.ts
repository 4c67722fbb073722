import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { putBytes, sha256 } from './code-graphics-support.ts'
import { type Animator, newAnimator, refusal, riv } from './motion-graphics-support.ts'

let server: TestApp
let ann: Animator

beforeAll(async () => {
  server = await startApp()
  ann = await newAnimator(server)
})
afterAll(() => server.close())

describe('a motion file', () => {
  it('[op.23] is sent to a signed address, looked at, and applied to the working copy', async () => {
    const graphic = await ann.create('Imported')
    const opened = await ann.declare(graphic, 'card.riv', riv)
    expect(opened.status).toBe(201)
    const { jobId, url, headers, expiresAt } = opened.body as Record<string, string>
    expect(opened.body.headers).toEqual({ 'x-cloud-checksum-sha256': sha256(riv) })
    expect(Object.keys(opened.body).sort()).toEqual(['candidateId', 'expiresAt', 'headers', 'jobId', 'url'])
    expect(Date.parse(String(expiresAt)) - Date.now()).toBeGreaterThan(14 * 60_000)
    expect(await ann.progress(String(jobId))).toMatchObject({ state: 'pending', assetId: 'graphic.riv', assets: [] })
    const put = await putBytes(url, riv, headers as unknown as Record<string, string>)
    expect(put.status).toBe(200)
    const ready = await ann.settled(String(jobId))
    expect(ready).toMatchObject({
      state: 'ready',
      error: null,
      assets: [
        { id: '11', name: 'badge', type: 'image', unresolved: false },
        { id: '12', name: 'Barlow', type: 'font', unresolved: true },
      ],
    })
    expect((await ann.read(graphic.graphicId)).fileUrl).toBeNull()
    const applied = await ann.apply(String(jobId))
    expect(applied).toMatchObject({
      status: 200,
      body: {
        entityId: 'graphic.riv',
        stateMachine: {
          version: 1,
          currentArtboard: 'Main',
          currentStateMachine: 'Machine',
          artboardWidth: 1280,
          artboardHeight: 200,
          stateMachineInputs: [
            { id: 'onAir', type: 'boolean', defaultValue: true, value: true },
            { id: 'score', type: 'number', defaultValue: 3, value: 3 },
            { id: 'goal', type: 'trigger', defaultValue: null, value: null },
          ],
          assets: [{ id: '11' }, { id: '12', unresolved: true }],
        },
      },
    })
    const read = await ann.read(graphic.graphicId)
    expect(read.updatedAt).toBe(applied.body.updatedAt)
    expect(read.files.map(({ name }) => name)).toEqual(['graphic.json', 'graphic.riv'])
    const served = await fetch(String(read.fileUrl))
    expect(sha256(new Uint8Array(await served.arrayBuffer()))).toBe(sha256(riv))
    const manifest = await (await fetch(String(read.fileUrl).replace('graphic.riv', 'graphic.json'))).json()
    expect(manifest).toMatchObject({
      artboard: 'Main',
      stateMachine: 'Machine',
      bindings: [{ id: 'headline' }, {}, {}],
    })
    expect(await ann.settled(String(jobId), ['applied'])).toMatchObject({ state: 'applied' })
    expect(await ann.apply(String(jobId))).toMatchObject(refusal(409, 'IMPORT_STATE_CONFLICT'))
  })
})
