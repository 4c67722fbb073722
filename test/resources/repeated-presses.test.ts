import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Production, startProduction } from './support.ts'

let production: Production
let overlayId = 0
let path = ''

beforeAll(async () => {
  production = await startProduction()
  overlayId = production.overlay.id
  path = `/v2/overlays/${overlayId}/graphics/commands`
})
afterAll(() => production.close())
beforeEach(async () => {
  expect((await press({ action: 'hideAll' })).status).toBe(200)
})

const press = async (body: object, key?: string) => {
  const answer = await fetch(`${production.server.origin}/rest${path}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${production.apiKey}`,
      'Content-Type': 'application/json',
      ...(key && { 'Idempotency-Key': key }),
    },
    body: JSON.stringify(body),
  })
  return { status: answer.status, replayed: answer.headers.get('idempotency-replayed'), text: await answer.text() }
}
const show = (title: string) => ({
  action: 'show',
  presetId: production.preset('Head coach').id,
  variableValues: { title },
})
const update = (title: string) => ({ ...show(title), action: 'update' })
const hide = () => ({ action: 'hide', graphicId: production.preset('Head coach').graphicId })
const seq = async () => {
  const [row] = await production.server.database.sql<{ seq: number }[]>`
    select seq from actor where ref = ${`overlay/${overlayId}`}`
  return row?.seq ?? 0
}
/** As another node would have written it. */
const used = async (key: string, body: object, answer: string, hoursAgo = 0) => {
  const { sql, db } = production.server.database
  const hash = createHash('sha256').update(JSON.stringify(body)).digest()
  const sealed = db.secrets.seal('idempotency', `${production.organizationId}/${key}`, { body: answer })
  await sql`
    insert into idempotency (organization_id, key, method, path, body_hash, status, body, created_at)
    values (${production.organizationId}, ${key}, 'POST', ${`/rest${path}`}, ${hash}, 200, ${sealed},
      now() - make_interval(hours => ${hoursAgo}))`
}

describe('[live-path 7] a press whose key was used before', () => {
  it('on another node, and lands among others: it is answered as it was there and not done, they are', async () => {
    const key = randomUUID()
    await used(key, show('there'), '{"from":"there"}')
    const before = await seq()
    const answers = await Promise.all([
      press(show('a'), randomUUID()),
      press(show('there'), key),
      press(update('b'), randomUUID()),
      press(show('there'), key),
      press(update('c')),
    ])
    expect(answers.map(({ status, replayed }) => [status, replayed])).toEqual([
      [200, null],
      [200, 'true'],
      [200, null],
      [200, 'true'],
      [200, null],
    ])
    expect([answers[1]?.text, answers[3]?.text]).toEqual(['{"from":"there"}', '{"from":"there"}'])
    expect(await seq()).toBe(before + 3)
    for (const answer of answers) expect(answer.text).not.toContain('"title":"there"')
  })

  it('on another node with another body: 409, and the others are done', async () => {
    const key = randomUUID()
    await used(key, show('there'), '{}')
    const before = await seq()
    const answers = await Promise.all([press(show('a')), press(show('here'), key), press(update('b'))])
    expect(answers.map(({ status }) => status)).toEqual([200, 409, 200])
    expect(await seq()).toBe(before + 2)
  })

  it('and would be refused now: it is answered as it was then; another body is 409', async () => {
    const key = randomUUID()
    await press(show('a'))
    const first = await press(update('b'), key)
    expect(first.status).toBe(200)
    await press({ action: 'hideAll' })
    const before = await seq()
    expect(await press(update('b'))).toMatchObject({ status: 400 })
    expect(await press(update('b'), key)).toEqual({ ...first, replayed: 'true' })
    expect(await press(update('c'), key)).toMatchObject({ status: 409 })
    expect(await press({ action: 'show', presetId: 'none' }, key)).toMatchObject({ status: 409 })
    expect(await seq()).toBe(before)
  })

  it('and would change nothing now: it is answered as it was then; another body is 409', async () => {
    const key = randomUUID()
    await press(show('a'))
    const first = await press(hide(), key)
    const other = production.presets.find(({ graphicId }) => graphicId !== production.preset('Head coach').graphicId)
    await press({ action: 'show', presetId: other?.id })
    const before = await seq()
    const again = await press(hide(), key)
    expect(again).toEqual({ ...first, replayed: 'true' })
    expect((await press(hide())).text).not.toBe(again.text)
    expect(await press({ ...hide(), skipped: true }, key)).toMatchObject({ status: 409 })
    expect(await seq()).toBe(before)
  })

  it('and changed nothing then: its answer is kept all the same, and it is not done when it would change something', async () => {
    const key = randomUUID()
    const first = await press(hide(), key)
    await press(show('a'))
    const before = await seq()
    expect(await press(hide(), key)).toEqual({ ...first, replayed: 'true' })
    expect(await seq()).toBe(before)
  })

  it('more than 24 h ago: the key is new', async () => {
    const key = randomUUID()
    await used(key, show('long ago'), '{}', 25)
    const before = await seq()
    const first = await press(show('now'), key)
    expect(first).toMatchObject({ status: 200, replayed: null })
    expect(first.text).toContain('now')
    expect(await press(show('now'), key)).toEqual({ ...first, replayed: 'true' })
    expect(await seq()).toBe(before + 1)
  })

  it('its answer tells what is on air, which is in plain beside it, and is kept in plain; that of what changed nothing is sealed', async () => {
    const keys = [randomUUID(), randomUUID()] as const
    const first = await press(show('a'), keys[0])
    await press({ action: 'hideAll' })
    await press({ action: 'hideAll' }, keys[1])
    const rows = await production.server.database.sql<{ key: string; body: string }[]>`
      select key, body from idempotency where key in ${production.server.database.sql(keys)}`
    const kept = new Map(rows.map(({ key, body }) => [key, body]))
    expect(kept.get(keys[0])).toBe(first.text)
    expect(kept.get(keys[1])).toMatch(/^s1:/)
    expect(await press(show('a'), keys[0])).toEqual({ ...first, replayed: 'true' })
  })

  it('three times at once and once more: done once', async () => {
    const key = randomUUID()
    const before = await seq()
    const answers = await Promise.all([1, 2, 3].map(() => press(show('a'), key)))
    answers.push(await press(show('a'), key))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await seq()).toBe(before + 1)
  })
})
