import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { webhookReceiver } from '../support/webhook-receiver.ts'
import { type Rig, startRig } from './rig.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig(1)
})
afterAll(() => rig?.close())

test('[issue 20.3] kill -9 of the server loses no delivery, and none comes out of order of its sequence twice', async () => {
  const receiver = await webhookReceiver()
  onTestFinished(() => receiver.close())
  const wanted = { url: receiver.url, events: ['overlay.graphic_shown', 'overlay.graphic_updated'] }
  const made = await rig.rest<{ secret: string }>('POST', '/v2/webhooks', wanted)
  receiver.trust(made.json?.secret ?? '')
  // nobody takes anything until the server is killed in the middle of it
  receiver.answer = (_, response) => void setTimeout(() => response.writeHead(503).end(), 200)
  const [overlay] = rig.overlays
  const { presetId } = rig.trigger(0)
  const asked = Array.from({ length: 20 }, (_, turn) =>
    rig.command(overlay?.id ?? 0, {
      ...{ action: turn === 0 ? 'show' : 'update', presetId },
      ...rig.values(presetId, turn),
    }),
  )
  const answers = await Promise.all(asked)
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
  await rig.server.kill()
  receiver.answer = (_, response) => response.writeHead(204).end()
  await rig.restart()
  const seqs = () => new Set(receiver.received.map(({ data }) => Number(data.seq)))
  await receiver.until(() => seqs().size >= 20)
  const bySeq = new Map(receiver.received.map(({ data, id }) => [Number(data.seq), [data.sequence, id] as const]))
  const inOrder = [...bySeq].sort(([one], [other]) => one - other).map(([, [sequence]]) => sequence)
  expect(inOrder).toEqual(inOrder.toSorted((one, other) => one - other))
  // an event has one id, however often it came
  for (const { data, id } of receiver.received) expect(bySeq.get(Number(data.seq))?.[1]).toBe(id)
  expect(receiver.faults).toEqual([])
})
