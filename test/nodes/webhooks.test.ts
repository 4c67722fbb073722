import { expect, onTestFinished, test, vi } from 'vitest'
import { produceOverlays, rest } from '../../bench/production.ts'
import { nodeService } from '../support/node-service.ts'
import { redisIsInstalled } from '../support/redis.ts'
import { webhookReceiver } from '../support/webhook-receiver.ts'

const HOOKS = 8

test.runIf(redisIsInstalled)(
  '[issue 20.3] of two nodes each serves its webhooks, and both answer the same state document',
  async () => {
    const { start } = await nodeService({ OUTBOUND_PRIVATE: 'on' })
    const one = await start()
    const { apiKey, overlays, triggers } = await produceOverlays(one, 1)
    const two = await start()
    const [{ id = 0 } = {}] = overlays
    const receivers = await Promise.all(
      Array.from({ length: HOOKS }, async (_, index) => {
        const receiver = await webhookReceiver()
        onTestFinished(() => receiver.close())
        const wanted = { url: receiver.url, events: ['overlay.graphic_shown'] }
        const made = await rest<{ secret: string }>(
          [one, two][index % 2]?.url ?? '',
          apiKey,
          'POST',
          '/v2/webhooks',
          wanted,
        )
        receiver.trust(made.json?.secret ?? '')
        return receiver
      }),
    )
    const show = (url: string) =>
      rest(url, apiKey, 'POST', `/v2/overlays/${id}/graphics/commands`, {
        action: 'show',
        presetId: triggers[0]?.presetId,
      })
    for (const { url } of [one, two, one, two]) expect((await show(url)).status).toBe(200)
    for (const receiver of receivers) await receiver.until((received) => received.length >= 4)
    // once each, while nobody dies
    expect(receivers.map(({ received, faults }) => [received.length, faults])).toEqual(Array(HOOKS).fill([4, []]))
    const tagOf = async (url: string) => {
      const answer = await fetch(`${url}/rest/v2/overlays/${id}/state`, {
        headers: { Authorization: `Bearer ${apiKey}` },
      })
      expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ overlayId: id })])
      return answer.headers.get('etag')
    }
    await vi.waitFor(async () => expect(await tagOf(one.url)).toBe(await tagOf(two.url)))
  },
)
