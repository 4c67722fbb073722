import { afterAll, beforeAll, expect, test } from 'vitest'
import { newOrganization, startApp, type TestApp } from '../support/app.ts'
import { signedIn } from './support.ts'

let app: TestApp
let organizationId: number
beforeAll(async () => {
  app = await startApp()
  organizationId = (await newOrganization(app.database)).id
})
afterAll(() => app.close())

const browserFor = async (role: 'owner' | 'admin' | 'user' | 'operator') =>
  (await signedIn(app, organizationId, role)).browser

test('[cluster] nodes are for owners and admins alone', async () => {
  for (const role of ['owner', 'admin'] as const) {
    const { status, body } = await (await browserFor(role)).api('GET', '/v1/nodes')
    expect([status, body]).toEqual([
      200,
      { at: expect.any(String), alone: true, drainable: true, nodes: [], takeovers: [] },
    ])
  }
  for (const role of ['user', 'operator'] as const) {
    const browser = await browserFor(role)
    for (const [method, path] of [
      ['GET', '/v1/nodes'],
      ['PUT', '/v1/nodes/one/drain'],
      ['DELETE', '/v1/nodes/one/drain'],
    ] as const)
      expect([role, method, (await browser.api(method, path)).status]).toEqual([role, method, 403])
  }
})

test('[cluster] an admin sees the nodes and what moved, empties one and takes that back, and the audit list says who did', async () => {
  const { sql } = app.database
  const admin = await browserFor('admin')
  await sql`insert into node (id, url, version, knows) values ('one', 'tls://one:8081', '1.0', ''), ('two', 'tls://two:8081', '1.0', '')`
  await sql`insert into takeover (slots, from_node, to_node, reason) values (12, 'one', 'two', 'expired')`
  await sql`insert into takeover (at, slots, from_node, to_node, reason) values (now() - interval '25 hours', 9, 'one', 'two', 'join')`
  const list = async () => (await admin.api('GET', '/v1/nodes')).body
  expect(await list()).toMatchObject({
    alone: false,
    nodes: [{ id: 'one', url: 'tls://one:8081', state: 'live', slots: 0 }, { id: 'two' }],
    takeovers: [{ slots: 12, from: 'one', to: 'two', reason: 'expired' }],
  })
  expect((await list()).takeovers).toHaveLength(1)
  expect(await admin.api('PUT', '/v1/nodes/one/drain')).toMatchObject({ status: 200, body: { state: 'draining' } })
  expect((await list()).nodes).toMatchObject([{ state: 'draining' }, { state: 'live' }])
  expect(await admin.api('DELETE', '/v1/nodes/one/drain')).toMatchObject({ status: 200, body: { state: 'live' } })
  expect((await admin.api('PUT', '/v1/nodes/none/drain')).status).toBe(404)
  const { audit } = (await admin.api('GET', '/v1/audit?kind=node')).body
  expect(audit).toMatchObject([
    { events: [{ type: 'node.undrained' }] },
    { ref: 'node/one', events: [{ type: 'node.drained' }] },
  ])
})

test('[cluster] where several organizations share the nodes, no admin of one of them moves what the others have on air', async () => {
  const { sql } = app.database
  await sql`insert into node (id, url, version, knows) values ('three', 'tls://three:8081', '1.0', '')`
  const { id } = await newOrganization(app.database)
  const owner = await browserFor('owner')
  expect((await owner.api('GET', '/v1/nodes')).body).toMatchObject({ alone: false, drainable: false })
  for (const method of ['PUT', 'DELETE'] as const)
    expect(await owner.api(method, '/v1/nodes/three/drain')).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN', message: expect.stringContaining('admin nodes drain') },
    })
  expect(await sql`select draining_at from node where id = 'three'`).toEqual([{ draining_at: null }])
  // one that was cut off while it was made is nobody's
  await sql`update organization set complete = false where id = ${id}`
  expect((await owner.api('PUT', '/v1/nodes/three/drain')).status).toBe(200)
})
