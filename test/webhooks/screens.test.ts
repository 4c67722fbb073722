import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Production, startProduction } from '../resources/support.ts'
import { Renderer } from '../support/renderer.ts'
import { type Receiver, webhookReceiver } from '../support/webhook-receiver.ts'

let production: Production
let receiver: Receiver
beforeAll(async () => {
  production = await startProduction('empty', undefined, { OUTBOUND_PRIVATE: 'on' })
  receiver = await webhookReceiver()
  const events = ['overlay.renderer_connected', 'overlay.renderer_lost', 'overlay.graphic_not_painted']
  const { body } = await production.call('POST', '/v2/webhooks', { url: receiver.url, events })
  receiver.trust(String(body.secret))
})
afterAll(async () => {
  await receiver?.close()
  await production?.close()
})

const render = (name: string, reports: boolean) => {
  const { server, overlay } = production
  const url = `${server.origin.replace('http', 'ws')}/overlay/${overlay.key}/socket?renderer=${name}`
  const renderer = new Renderer({ url, reports })
  onTestFinished(() => renderer.close())
  return renderer
}
const told = (type: string, renderer?: string) =>
  receiver.received.filter((one) => one.type === type && (renderer === undefined || one.data.renderer === renderer))
/** Graphics that were put on air should be on the screens by now. */
const nowDue = () =>
  expect
    .poll(async () => {
      const { count } = await production.server.database.sql`
        update webhook_paint_check set due_at = clock_timestamp() where due_at > clock_timestamp()`
      return count
    })
    .toBeGreaterThan(0)
/** All of them were looked at, or taken off. */
const noneDue = () => expect.poll(() => production.server.database.sql`select from webhook_paint_check`).toEqual([])
const preset = () => production.presets[0]?.name ?? ''

test('[issue 20.3] renderers are told as they come and are lost, each once', async () => {
  const screen = render('studio', true)
  await receiver.until(() => told('overlay.renderer_connected', 'studio').length === 1)
  screen.close()
  await receiver.until(() => told('overlay.renderer_lost', 'studio').length === 1)
  const [came] = told('overlay.renderer_connected', 'studio')
  const [went] = told('overlay.renderer_lost', 'studio')
  expect(Number(went?.data.sequence)).toBeGreaterThan(Number(came?.data.sequence))
  expect(told('overlay.renderer_connected', 'studio')).toHaveLength(1)
})

test('[issue 20.3] a graphic that nobody paints is told while somebody could, and one that is painted is not', async () => {
  // nobody is there when it is looked at
  await production.fire('show', preset())
  await nowDue()
  await noneDue()
  const blind = render('blind', false)
  await receiver.until(() => told('overlay.renderer_connected', 'blind').length === 1)
  await blind.waitFor((renderer) => renderer.shows().size === 1)
  expect(told('overlay.graphic_not_painted')).toEqual([])
  await production.fire('show', preset())
  await nowDue()
  await receiver.until(() => told('overlay.graphic_not_painted').length === 1)
  expect(told('overlay.graphic_not_painted')[0]?.data).toMatchObject({
    renderers: 1,
    presetId: production.preset(preset()).id,
  })
  // one that was taken off is missed by nobody
  await production.fire('show', preset())
  await production.fire('hide', preset())
  await noneDue()
  render('well', true)
  await receiver.until(() => told('overlay.renderer_connected', 'well').length === 1)
  await production.fire('show', preset())
  await nowDue()
  await noneDue()
  expect(told('overlay.graphic_not_painted')).toHaveLength(1)
  expect(receiver.faults).toEqual([])
})

test('[issue 20.3] what was committed and not told when the server ended is told by the next', async () => {
  const other = await webhookReceiver()
  onTestFinished(() => other.close())
  const events = ['overlay.graphic_shown', 'overlay.created']
  const { body } = await production.call('POST', '/v2/webhooks', { url: other.url, events })
  other.trust(String(body.secret))
  await production.fire('show', preset())
  await other.until((received) => received.length === 1)
  const seq = Number(other.received[0]?.data.seq)
  await production.server.restart(async () => {
    const { sql } = production.server.database
    // as if it had been killed right after the commit
    await sql`delete from webhook_event where type = 'overlay.graphic_shown'`
    await sql`update webhook_position set seq = ${seq - 1} where ref = ${`overlay/${production.overlay.id}`}`
  })
  await other.until((received) => received.length === 2)
  const [before, after] = other.received
  expect(after?.data.seq).toBe(before?.data.seq)
  expect(other.faults).toEqual([])
})
