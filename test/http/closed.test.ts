import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createServer } from '../../src/http/uws.ts'

const collectGarbage = (() => {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
})()

/** A server that served and is closed, with what its handlers lead to. */
async function closedServer() {
  const handled = { requests: 0 }
  const accepted = { sockets: 0 }
  const server = createServer({
    handle: async () => {
      handled.requests++
      return { status: 200, headers: {}, body: 'served' }
    },
    sockets: [{ path: '/socket/{key}', accept: () => void accepted.sockets++ }],
    log: pino({ level: 'silent' }),
  })
  const port = await server.listen('127.0.0.1', 0)
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('served')
  await server.close()
  return [new WeakRef(handled), new WeakRef(accepted)]
}

it('a server that is closed holds nothing of what it served', async () => {
  const held = await closedServer()
  await expect
    .poll(() => {
      collectGarbage()
      // not the things themselves: what was compared last is held
      return held.map((one) => one.deref() === undefined)
    })
    .toEqual([true, true])
})
