import { tmpdir } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { measureDisk } from '../../bench/disk.ts'
import { startReference } from '../../bench/reference-server.ts'
import { markerBase, type Trigger } from '../../bench/samples.ts'

const trigger: Trigger = { presetId: 7, graphicId: 'clock', variable: 'minute', asText: false }

/** Connects as a renderer does; `next` is the next frame. */
async function render(url: string) {
  const frames: string[] = []
  const waiting: ((frame: string) => void)[] = []
  const socket = new WebSocket(url.replace('http', 'ws'))
  onTestFinished(() => socket.terminate())
  socket.on('message', (data) => {
    const frame = String(data)
    const wait = waiting.shift()
    if (wait) wait(frame)
    else frames.push(frame)
  })
  const next = () => {
    const frame = frames.shift()
    return frame === undefined ? new Promise<string>((resolve) => waiting.push(resolve)) : Promise.resolve(frame)
  }
  expect(JSON.parse(await next())).toMatchObject({ type: 'HELLO' })
  socket.send('{"type":"READY","payload":{"showing":[]}}')
  return next
}

test.for(['bare', 'fastify'] as const)(
  'the %s reference answers a trigger and pushes as many bytes as it was told',
  async (kind) => {
    const { target, stop } = await startReference({ kind, overlays: 2, trigger, frameBytes: 2500 })
    onTestFinished(stop)
    const renderers = await Promise.all(
      ['topic-0', 'topic-0'].map((key) => render(`${target.url}/overlay/${key}/socket`)),
    )
    const send = async (overlay: number, number: number) => {
      const { path, headers, body } = target.request(overlay, 0, number)
      return fetch(target.url + path, { method: 'POST', headers, body })
    }
    expect((await send(1, 5)).status).toBe(200)
    for (const [nth, number] of [17, 18].entries()) {
      const answer = await send(0, number)
      expect(answer.status).toBe(200)
      await answer.json()
      for (const next of renderers) {
        const frame = await next()
        expect(Math.abs(frame.length - 2500)).toBeLessThanOrEqual(50)
        expect(frame).toContain(`"minute":${markerBase + number}`)
        // those of the other overlay are not among them
        expect(JSON.parse(frame)).toMatchObject({ type: 'LOAD_GRAPHIC', payload: { graphicId: 'clock', seq: nth + 1 } })
      }
    }
  },
)

test('fastify + ws asks for its key and looks at the body, as a user would have it', async () => {
  const { target, stop } = await startReference({ kind: 'fastify', overlays: 1, trigger, frameBytes: 500 })
  onTestFinished(stop)
  const { path, headers, body } = target.request(0, 0, 1)
  const post = (with_: object) => fetch(target.url + path, { method: 'POST', headers, body, ...with_ })
  expect((await post({ headers: { ...headers, Authorization: 'Bearer other' } })).status).toBe(401)
  expect((await post({ body: '{"action":"show"}' })).status).toBe(400)
  expect((await post({})).status).toBe(200)
})

test('the disk is measured by what it was asked to write, and nothing stays behind', () => {
  const { count, at } = measureDisk(tmpdir(), { writes: 20, atMostMs: 10_000 })
  expect(count).toBe(20)
  expect(at.every((ms) => ms > 0)).toBe(true)
})
