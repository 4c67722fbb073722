import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { digestOf } from '../../src/secrets/digest.ts'
import { type Browser, browserOf, newPerson, PASSWORD } from '../accounts/support.ts'
import { type Production, startProduction } from '../resources/support.ts'

/** All that a press could look into; it writes to none of them. */
const TABLES = [
  'overlay',
  'control_room',
  'section',
  'preset',
  'theme',
  'theme_version_graphic',
  'theme_profile',
  'graphic',
  'graphic_version',
  'bundle',
  'match',
  'match_competitor',
  'roster_entry',
  'api_key',
]
const QUICKLY_MS = 1_000

let production: Production
let person: Browser

beforeAll(async () => {
  production = await startProduction()
  const { email } = await newPerson(production.server, production.organizationId, 'operator')
  person = browserOf(production.server)
  await person.signIn(email, PASSWORD)
})
afterAll(() => production.close())

type Press = (body: object) => Promise<{ status: number; body: unknown }>

const byLink =
  (url = production.overlay.controlRoomUrl, keyed = true): Press =>
  async (body) => {
    const answer = await fetch(`${url}/rest/graphics/commands`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(keyed && { 'Idempotency-Key': randomUUID() }) },
      body: JSON.stringify(body),
    })
    return { status: answer.status, body: await answer.json() }
  }
const byKey: Press = (body) => production.call('POST', `/v2/overlays/${production.overlay.id}/graphics/commands`, body)

/** Nobody else reads or writes these until `work` is done. */
async function whileLocked<T>(tables: readonly string[], work: () => Promise<T>): Promise<T> {
  return production.server.database.sql.begin(async (tx) => {
    for (const table of tables) await tx`lock table ${tx(table)} in access exclusive mode`
    return work()
  }) as Promise<T>
}

const presses = () => {
  const { id: presetId, graphicId } = production.preset('Head coach')
  return [
    { action: 'show', presetId, variableValues: { title: 'Manager' } },
    { action: 'update', presetId, variableValues: { title: 'Coach' } },
    { action: 'hide', graphicId },
    // a second time, when it is off air already
    { action: 'hide', graphicId },
    { action: 'show', presetId, variableValues: {} },
    { action: 'hideAll', sectionId: production.preset('Head coach').sectionId },
    { action: 'show', presetId, variableValues: {} },
    { action: 'hideAll' },
    { action: 'hideAll' },
  ]
}

async function timed(press: Press, bodies: readonly object[]) {
  const taken: number[] = []
  for (const body of bodies) {
    const startedAt = performance.now()
    const { status, body: answer } = await press(body)
    taken.push(performance.now() - startedAt)
    expect([status, JSON.stringify(body)], JSON.stringify(answer)).toEqual([200, JSON.stringify(body)])
  }
  return taken.sort((a, b) => a - b)
}

describe('[issue 15.13] a press asks the database for nothing but its commit', () => {
  beforeEach(async () => {
    await timed(byLink(), presses())
    await timed(byKey, [{ action: 'hideAll' }])
  })

  it.each([
    ['the page of a control room', () => byLink()],
    ['an API key', () => byKey],
  ])('of %s: show, update, hide and hideAll while every table that it could read is locked', async (_whose, press) => {
    const taken = await whileLocked(TABLES, () => timed(press(), presses()))
    expect(taken.at(-1)).toBeLessThan(QUICKLY_MS)
  })

  it('nor does it wait behind the reads of others, with the key that the page gives each press', async () => {
    await whileLocked(['venue'], async () => {
      const reads = Array.from({ length: 20 }, () => production.call('GET', '/v1/venues'))
      const waiting = Promise.all(reads.map((read) => read.then(({ status }) => status)))
      await expect.poll(blocked).toBeGreaterThanOrEqual(4)
      expect((await timed(byLink(), presses())).at(-1)).toBeLessThan(QUICKLY_MS)
      expect(new Set(await waiting)).toEqual(new Set([503]))
    })
  })

  it('nor does a show, an update or a hide look for its key: the commit does; what changes nothing is looked for after', async () => {
    const { id: presetId, graphicId } = production.preset('Head coach')
    const changing = [
      { action: 'show', presetId, variableValues: {} },
      { action: 'update', presetId, variableValues: { title: 'Coach' } },
      { action: 'hide', graphicId },
    ]
    const before = await lookedUp()
    await timed(byLink(), [...changing, ...changing])
    expect(await lookedUp()).toEqual(before)
    await timed(byLink(), [{ action: 'hide', graphicId }])
    expect(await lookedUp()).not.toEqual(before)
  })

  it('what hides carries no key, and so looks for nothing at all', async () => {
    const { id: presetId, graphicId } = production.preset('Head coach')
    const hides = [{ action: 'hide', graphicId }, { action: 'hideAll' }]
    for (const hide of hides) {
      expect((await byLink()({ action: 'show', presetId, variableValues: {} })).status).toBe(200)
      const tables = [...TABLES, 'idempotency']
      const [taken] = await whileLocked(tables, () => timed(byLink(undefined, false), [hide]))
      expect(taken).toBeLessThan(QUICKLY_MS)
    }
  })

  it('a look for its key that gets no answer is told so within two seconds', async () => {
    const startedAt = performance.now()
    const { status } = await whileLocked(['idempotency'], () => byLink()({ action: 'hideAll' }))
    expect(status).toBe(503)
    expect(performance.now() - startedAt).toBeLessThan(2_500)
  })

  it('what the monitoring page asks for is refused to whoever has no such link, without a look at the database', async () => {
    const ask = async (url: string) => (await fetch(`${url}/rest/room`)).status
    const { controlRoomUrl, monitoringUrl } = production.overlay
    const crossed = controlRoomUrl.replace('/control/', '/monitor/')
    expect([await ask(monitoringUrl), await ask(controlRoomUrl), await ask(crossed)]).toEqual([200, 200, 404])
    const pressed = await byLink(monitoringUrl)({ action: 'hideAll' })
    expect(pressed).toEqual({ status: 404, body: { message: 'Not Found' } })
  })
})

/** When the connections that look for keys were last asked anything. */
const lookedUp = () => production.server.database.sql`
  select pid, query_start from pg_stat_activity
  where datname = current_database() and application_name = 'tally:answers' order by pid`

const blocked = async () => {
  const [row] = await production.server.database.sql<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  return row?.count ?? 0
}

describe('[live-path 26] a link that is changed opens nothing any more', () => {
  const room = () => fetch(`${production.overlay.controlRoomUrl}/rest/room`).then(({ status }) => status)
  const hideAll = (url: string) => byLink(url)({ action: 'hideAll' }).then(({ status }) => status)
  const moved = (token: string) => production.overlay.controlRoomUrl.replace(/[^/]+$/, token)

  it('at once, when it is changed here', async () => {
    const before = production.overlay.controlRoomUrl
    expect(await hideAll(before)).toBe(200)
    const path = `/v2/overlays/${production.overlay.id}/links/rotate`
    const answer = await production.call('POST', path, { links: ['control'] })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    expect(await hideAll(before)).toBe(404)
    production.overlay.controlRoomUrl = String(answer.body.controlRoomUrl)
    expect(await room()).toBe(200)
  })

  it('within 50 ms, when it is changed on another node', async () => {
    const { id, controlRoomUrl: before } = production.overlay
    expect(await hideAll(before)).toBe(200)
    const token = randomUUID()
    await production.server.database.sql.begin(async (tx) => {
      await tx`update overlay set control_digest = ${digestOf(token)} where id = ${id}`
      await tx`select pg_notify('catalog', ${JSON.stringify({ overlay: id })})`
    })
    const since = performance.now()
    // before anything can fail: tried again, it begins with the link as it is by then
    production.overlay.controlRoomUrl = moved(token)
    await expect.poll(() => hideAll(before), { interval: 1 }).toBe(404)
    expect(performance.now() - since).toBeLessThan(50)
    expect(await hideAll(moved(token))).toBe(200)
  })

  it('and what was changed unheard of, because the notifications were lost, counts as soon as that is noticed', async () => {
    const { id, controlRoomUrl: before } = production.overlay
    const { sql } = production.server.database
    const token = randomUUID()
    await sql`update overlay set control_digest = ${digestOf(token)} where id = ${id}`
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like 'tally:%:listen'`
    await expect.poll(() => hideAll(before)).toBe(404)
    expect(await hideAll(moved(token))).toBe(200)
    production.overlay.controlRoomUrl = moved(token)
  })
})
