import { afterAll, beforeAll, expect, test } from 'vitest'
import { admin } from '../support/admin.ts'
import { newOrganization, startApp, type TestApp } from '../support/app.ts'
import { webhookReceiver } from '../support/webhook-receiver.ts'

let server: TestApp
let org: string
let key: string
beforeAll(async () => {
  server = await startApp({ OUTBOUND_PRIVATE: 'on' })
  const organization = await newOrganization(server.database)
  org = String(organization.id)
  key = organization.key
})
afterAll(() => server?.close())

const run = (args: readonly string[], environment: Record<string, string> = {}) =>
  admin(['webhooks', ...args], {
    environment: { DATABASE_URL: server.database.url, OUTBOUND_PRIVATE: 'on', ...environment },
  })
const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await run(args)
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}
const refusal = async (args: readonly string[], environment?: Record<string, string>) => {
  const { code, stdout, stderr } = await run(args, environment)
  expect([code, stdout]).toEqual([1, ''])
  return stderr.trim()
}

test('[issue 20.3] a webhook made on the machine is served by the server that runs, and managed as over REST', async () => {
  const receiver = await webhookReceiver()
  const create = ['create', '--org', org, '--url', receiver.url, '--events', 'match.created,overlay.created']
  const made = await json(...create, '--description', 'Pipes')
  expect(made).toMatchObject({ url: receiver.url, enabled: true, secret: expect.stringMatching(/^whsec_/) })
  receiver.trust(made.secret)
  const { secret: _secret, ...shown } = made
  expect(await json('list', '--org', org)).toEqual([shown])
  expect((await server.call('GET', `/v2/webhooks/${made.id}`, { key })).body).toEqual(shown)
  const id = String(made.id)
  const sent = await json('test', '--id', id)
  await receiver.until((received) => received.some((one) => one.id === sent.id))
  await expect.poll(() => json('deliveries', '--id', id, '--status', 'delivered')).toMatchObject([{ id: sent.id }])
  const again = await json('redeliver', '--id', id, '--delivery', sent.id)
  expect(again).toMatchObject({ id: sent.id, state: 'pending' })
  await receiver.until((received) => received.length === 2)
  expect(await json('replay', '--id', id, '--from', '2026-01-01T00:00:00Z')).toEqual({ replayed: 0 })
  expect((await json('rotate', '--id', id)).secret).not.toBe(made.secret)
  expect(await json('update', '--id', id, '--events', '*', '--disable')).toMatchObject({
    events: ['*'],
    enabled: false,
  })
  expect(await refusal(['test', '--id', id])).toContain('is disabled')
  expect(await json('update', '--id', id, '--enable')).toMatchObject({ enabled: true })
  expect(await json('delete', '--id', id)).toEqual({ deleted: true })
  expect(await json('list', '--org', org)).toEqual([])
  expect(receiver.faults).toEqual([])
  await receiver.close()
})

test('what is wrong is told in one line', async () => {
  const create = (...more: string[]) => ['create', '--org', org, ...more]
  expect(await refusal(create('--url', 'https://receiver.example/', '--events', 'match.exploded'))).toMatch(
    /^--events: /,
  )
  expect(await refusal(create('--url', 'receiver.example', '--events', '*'))).toMatch(/^--url: /)
  const inside = create('--url', 'http://10.0.0.1/', '--events', '*')
  expect(await refusal(inside, { OUTBOUND_PRIVATE: 'off' })).toMatch(/^url: 10\.0\.0\.1 is not on the public internet/)
  expect(await refusal(['update', '--id', '77', '--enable'])).toBe('There is no webhook 77')
  expect(await refusal(['update', '--id', '77', '--enable', '--disable'])).toBe('There is no webhook 77')
})
