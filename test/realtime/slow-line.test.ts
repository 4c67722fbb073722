import { pino } from 'pino'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createServer, type Server } from '../../src/http/uws.ts'
import { Hub } from '../../src/realtime/hub.ts'
import type { Ports } from '../../src/realtime/ports.ts'
import { proxyTo } from '../support/proxy.ts'
import { Renderer } from '../support/renderer.ts'
import { Studio } from '../support/studio.ts'

const MB = 1_000_000

let studio: Studio
let server: Server
let origin: string

/** Time as it is: lines take time. */
const clock: Ports['clock'] = {
  now: () => performance.now(),
  wall: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

beforeEach(async () => {
  studio = new Studio()
  studio.hub = new Hub({ ...studio.ports(), clock, publish: (topic, text) => server.publish(topic, text) })
  server = createServer({
    handle: async () => ({ status: 404, headers: {}, body: '' }),
    sockets: studio.hub.endpoints(),
    log: pino({ level: 'silent' }),
  })
  origin = `http://127.0.0.1:${await server.listen('127.0.0.1', 0)}`
})
afterEach(async () => {
  studio.hub.close()
  await server.close()
})

/** As large as pushed tables may be. */
const give = (bytes: number, mark: string) => {
  studio.live = () => ({ ...studio.liveNow(), data: { mark, table: 'x'.repeat(bytes) } })
}
const refresh = () => studio.command(1, { type: 'refresh', revisions: { table: Date.now() } })

const renderer = async (bytesPerSecond: number, onFrame = () => {}) => {
  const { url } = await proxyTo(origin, bytesPerSecond)
  const address = `${url.replace('http', 'ws')}overlay/key-1/socket?heartbeat=2`
  const one = new Renderer({ url: address, reconnectMs: 100, onFrame })
  onTestFinished(() => one.close())
  return one
}
const show = (count: number) => {
  for (let number = 0; number < count; number++) studio.show(1, `g${number}`)
}
/** Of the data that each graphic was given last. */
const marks = (one: Renderer) => [...one.shows().values()].map(({ data }) => (data as { mark: string }).mark)

test('[live-path 18] a READY that is answered with more than may wait is answered as fast as the line takes it', async () => {
  give(1.5 * MB, 'first')
  show(6)
  const slow = await renderer(3 * MB)
  await slow.waitFor((one) => one.shows().size === 6, 60_000)
  expect(slow.closedWith).toEqual([])
})

test('[live-path 18] one graphic alone with more than may ever wait comes too', async () => {
  give(8 * MB, 'first')
  show(1)
  const slow = await renderer(2.5 * MB)
  await slow.waitFor((one) => one.shows().size === 1, 60_000)
  expect(slow.closedWith).toEqual([])
})

test('[live-path 18] what is overtaken while the line is busy is not sent, and the line ends with what is on air', async () => {
  give(1.5 * MB, 'first')
  show(6)
  let received = 0
  const slow = await renderer(3 * MB, () => received++)
  await slow.waitFor((one) => one.shows().size === 1, 60_000)
  // twice as much a second as the line takes
  for (let turn = 0; turn < 20; turn++) {
    give(1.5 * MB, `turn ${turn}`)
    refresh()
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  studio.command(1, { type: 'hide', graphicId: 'g0' })
  await slow.waitFor((one) => one.shows().size === 5 && marks(one).every((mark) => mark === 'turn 19'), 60_000)
  expect(slow.closedWith).toEqual([])
  // of 126 that were said; the longer the machine takes to say them, the more of them the line can take
  expect(received).toBeLessThan(60)
})
