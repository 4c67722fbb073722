import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRegistry } from '../../src/webhooks/registry.ts'
import { type Production, startProduction } from '../resources/support.ts'

let production: Production
beforeAll(async () => {
  production = await startProduction('empty', undefined, { OUTBOUND_PRIVATE: 'on' })
})
afterAll(() => production?.close())

test('[issue 20.3] a webhook that is changed is unsealed and looked at alone, and one that is disabled is forgotten', async () => {
  const { sql } = production.server.database
  const unsealed: number[] = []
  const told: (readonly number[])[] = []
  let changed: (text: string) => void = () => {}
  const parts = {
    sql,
    secrets: {
      open(_kind: string, id: number) {
        unsealed.push(id)
        return { url: 'http://127.0.0.1:1/', secret: 'whsec_', before: null }
      },
    },
    listener: {
      listen: async (_channel: string, heard: (text: string) => void) => {
        changed = heard
      },
      onUp() {},
    },
    log: {},
  }
  const make = async () => {
    const made = await production.call('POST', '/v2/webhooks', { url: 'http://127.0.0.1:1/', events: ['input.lost'] })
    return Number(made.body.id)
  }
  const ids = [await make(), await make(), await make()]
  const registry = await openRegistry(parts as unknown as Parameters<typeof openRegistry>[0])
  expect(unsealed.splice(0).sort()).toEqual(ids)
  registry.onRead((some) => void told.push(some))
  const readAgain = async () => {
    changed(String(production.organizationId))
    await registry.reread()
  }
  const [first = 0, second = 0] = ids
  await production.call('PATCH', `/v2/webhooks/${first}`, { url: 'http://127.0.0.1:2/' })
  await readAgain()
  expect([unsealed.splice(0), told.splice(0)]).toEqual([[first], [[first]]])
  await production.call('PATCH', `/v2/webhooks/${second}`, { enabled: false })
  await readAgain()
  expect([registry.find(second), unsealed.splice(0), told.splice(0)]).toEqual([undefined, [], []])
  await production.call('PATCH', `/v2/webhooks/${second}`, { enabled: true })
  await readAgain()
  expect([registry.find(second)?.id, told.splice(0)]).toEqual([second, [[second]]])
})
