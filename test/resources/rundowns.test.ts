import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { open } from '../support/page.ts'
import { type Production, produce, startProduction } from './support.ts'

let production: Production
let stranger: Omit<Production, 'close'>
beforeAll(async () => {
  production = await startProduction()
  stranger = await produce(production.server)
})
afterAll(() => production.close())
beforeEach(async () => {
  await send('graphics/commands', { action: 'hideAll', scheduled: true })
})

const at = (below = '') => `/v2/overlays/${production.overlay.id}/${below}`
const send = (below: string, body: object | undefined, headers: Record<string, string> = {}) =>
  production.server.call('POST', at(below), { key: production.apiKey, body, headers })
const id = (name: string) => production.preset(name).id
const item = (itemId: string, preset: string, more: object = {}) => ({ id: itemId, presetId: id(preset), ...more })
const write = async (...items: object[]) => {
  const answer = await production.call('PUT', at('rundown'), { items })
  expect([answer.status, answer.body]).toEqual([200, answer.body])
  return answer.body
}
const next = (body?: object) => send('rundown/next', body)
type Values = { variableValues: Record<string, unknown> }
type Answer = {
  manualGraphicState: Record<string, Values>
  previewState: Record<string, Values>
  position: { cuedId: string | null; takenId: string | null }
  skipped: { id: string; reason: string }[]
}
/** On air, on preview, and where it is. */
const brief = ({ status, body }: { status: number; body: unknown }) => {
  const { manualGraphicState, previewState, position } = body as Answer
  return [status, Object.keys(manualGraphicState).sort(), Object.keys(previewState), position.takenId, position.cuedId]
}
type Rundown = { items: { id: string; problem: string | null }[]; position: Answer['position']; updatedAt: string }
const read = async () => (await production.call('GET', at('rundown'))).body as Rundown
const log = async () =>
  (await production.call('GET', at('as-run?order=desc&limit=20'))).body.asRun as { seq: number; action: string }[]
/** Back before the first item. */
async function rewind(itemId: string) {
  expect((await send('rundown/cue', { itemId })).status).toBe(200)
}

describe('[issue 19.6] the rundown of an overlay', () => {
  test('next cues the first item; then it takes the one that is cued and cues the next, in one commit; at the end nothing is left', async () => {
    const written = await write(
      item('home', 'Home line-up'),
      item('coach', 'Head coach', { variableValues: { title: 'Manager' }, name: 'The boss' }),
      item('bug', 'Score bug'),
    )
    expect(written).toMatchObject({
      items: [
        { id: 'home', untilNext: false, problem: null },
        { id: 'coach', name: 'The boss', variableValues: { title: 'Manager' }, problem: null },
        { id: 'bug', problem: null },
      ],
      position: { cuedId: null, takenId: null },
    })
    expect(brief(await next())).toEqual([200, [], ['Line-up card'], null, 'home'])
    const second = await next({ ifPosition: 'home' })
    expect(brief(second)).toEqual([200, ['Line-up card'], ['Lower third'], 'home', 'coach'])
    expect((second.body as Answer).previewState['Lower third']?.variableValues).toMatchObject({ title: 'Manager' })
    const [last, first] = await log()
    expect([last?.action, (last?.seq ?? 0) - (first?.seq ?? 0)]).toEqual(['next', 1])
    expect(brief(await next())).toEqual([200, ['Line-up card', 'Lower third'], ['Score bug'], 'coach', 'bug'])
    expect(brief(await next())).toEqual([200, ['Line-up card', 'Lower third', 'Score bug'], [], 'bug', null])
    expect(await next()).toMatchObject({ status: 409, body: { code: 'RUNDOWN_AT_END' } })
    expect((await read()).position).toEqual({ cuedId: null, takenId: 'bug' })
  })

  test('previous cues the one before and leaves the air alone; an item is gone to', async () => {
    await write(item('a', 'Home line-up'), item('b', 'Head coach'), item('c', 'Score bug'))
    await rewind('b')
    await next()
    expect(brief(await send('rundown/previous', {}))).toEqual([200, ['Lower third'], ['Lower third'], 'b', 'b'])
    expect(brief(await send('rundown/previous', {}))).toEqual([200, ['Lower third'], ['Line-up card'], 'b', 'a'])
    expect(await send('rundown/previous', {})).toMatchObject({ status: 409, body: { code: 'RUNDOWN_AT_END' } })
    expect(brief(await send('rundown/cue', { itemId: 'c' }))).toEqual([200, ['Lower third'], ['Score bug'], 'b', 'c'])
    const missing = await send('rundown/cue', { itemId: 'nobody' })
    expect([missing.status, Object.keys(missing.body.details as object)]).toEqual([400, ['body.itemId']])
  })

  test('two who press at once move it once; the same Idempotency-Key does it once', async () => {
    await write(item('a', 'Home line-up'), item('b', 'Head coach'), item('c', 'Score bug'))
    await rewind('a')
    const both = await Promise.all([next({ ifPosition: 'a' }), next({ ifPosition: 'a' })])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(both.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'RUNDOWN_MOVED',
      position: { cuedId: 'b', takenId: 'a' },
    })
    const pressed = await Promise.all([1, 2, 3].map(() => send('rundown/next', {}, { 'Idempotency-Key': 'one press' })))
    for (const one of pressed) expect([one.status, one.body]).toEqual([200, pressed[0]?.body])
    expect((await read()).position).toEqual({ cuedId: 'c', takenId: 'b' })
  })

  test('items of one preset with other values come one after another; one until the next goes off with it', async () => {
    await write(
      item('lineup', 'Home line-up', { untilNext: true }),
      item('one', 'Head coach', { variableValues: { title: 'One' }, untilNext: true }),
      item('two', 'Head coach', { variableValues: { title: 'Two' } }),
    )
    await rewind('lineup')
    await next()
    expect(brief(await next())).toEqual([200, ['Lower third'], ['Lower third'], 'one', 'two'])
    const last = await next()
    expect(brief(last)).toEqual([200, ['Lower third'], [], 'two', null])
    expect((last.body as Answer).manualGraphicState['Lower third']?.variableValues.title).toBe('Two')
  })

  test('what is taken by hand is not shown twice, what is taken off preview by hand is not skipped', async () => {
    await write(item('a', 'Home line-up', { durationSeconds: 3_600 }), item('b', 'Head coach'), item('c', 'Score bug'))
    await rewind('a')
    await send('graphics/commands', { action: 'take' })
    expect((await read()).position).toEqual({ cuedId: null, takenId: 'a' })
    const { sql } = production.server.database
    expect(await sql`select name from timer where ref = ${`overlay/${production.overlay.id}`}`).toHaveLength(1)
    expect(brief(await next())).toEqual([200, ['Line-up card'], ['Lower third'], 'a', 'b'])
    await send('graphics/commands', { action: 'uncue' })
    expect(brief(await next())).toEqual([200, ['Line-up card'], ['Lower third'], 'a', 'b'])
    expect(brief(await next())).toEqual([200, ['Line-up card', 'Lower third'], ['Score bug'], 'b', 'c'])
  })

  test('a preset that is deleted is told and skipped; one that is cued already is still taken', async () => {
    const { sectionId, graphicId } = production.preset('Head coach')
    const presets = `/v2/control-rooms/${production.controlRoomId}/presets`
    const made = (await production.call('POST', presets, { sectionId, graphicId, name: 'For a day' })).body.id
    await write(item('a', 'Home line-up'), { id: 'gone', presetId: made }, item('b', 'Score bug'))
    await rewind('a')
    expect((await production.call('DELETE', `${presets}/${made}`)).status).toBe(204)
    expect((await read()).items.map(({ problem }) => problem)).toEqual([null, 'no such preset', null])
    const moved = await next()
    expect(brief(moved)).toEqual([200, ['Line-up card'], ['Score bug'], 'a', 'b'])
    expect((moved.body as Answer).skipped).toEqual([{ id: 'gone', reason: 'no such preset' }])
    const refused = await production.call('PUT', at('rundown'), { items: [{ id: 'gone', presetId: made }] })
    expect([refused.status, Object.keys(refused.body.details as object)]).toEqual([400, ['body.items[0].presetId']])
  })

  test('it goes on where it was when the list is put into another order, or its item is gone from it', async () => {
    const [a, b, c] = [item('a', 'Home line-up'), item('b', 'Head coach'), item('c', 'Score bug')]
    await write(a, b, c)
    await rewind('b')
    await write(c, b, a)
    expect(brief(await next())).toEqual([200, ['Lower third'], ['Line-up card'], 'b', 'a'])
    await rewind('b')
    await write(a, c)
    // the cue is on preview and is taken; what stands in its place comes next
    expect(brief(await next())).toEqual([200, ['Lower third'], ['Score bug'], 'b', 'c'])
  })

  test('it is written as a whole: bad items, 201 of them and a list that was changed since are refused', async () => {
    const { updatedAt } = (await write(item('a', 'Home line-up'))) as { updatedAt: string }
    const put = (body: object) => production.call('PUT', at('rundown'), body)
    const bad = await put({
      items: [
        item('a', 'Head coach', { variableValues: { nobody: 1 } }),
        item('a', 'Head coach', { durationSeconds: 0 }),
      ],
    })
    expect(bad.status).toBe(400)
    const wrong = await put({
      items: [item('a', 'Head coach', { variableValues: { nobody: 1 } }), item('a', 'Score bug')],
    })
    expect([wrong.status, Object.keys(wrong.body.details as object).sort()]).toEqual([
      400,
      ['body.items[0].variableValues.nobody', 'body.items[1].id'],
    ])
    const many = await put({ items: Array.from({ length: 201 }, () => ({ presetId: id('Score bug') })) })
    expect([many.status, Object.keys(many.body.details as object)]).toEqual([400, ['body.items']])
    expect((await put({ items: [], ifUnchangedSince: updatedAt })).status).toBe(200)
    expect(await put({ items: [], ifUnchangedSince: updatedAt })).toMatchObject({
      status: 409,
      body: { code: 'TARGET_CHANGED' },
    })
    for (const [method, path, body] of [
      ['GET', 'rundown', undefined],
      ['PUT', 'rundown', { items: [] }],
      ['POST', 'rundown/next', {}],
    ] as const)
      expect((await stranger.call(method, at(path), body)).status).toBe(403)
  })

  test('the page of the control room moves it, with values that its operators may not set, and all pages are told at once', async () => {
    await write(item('a', 'Home line-up'), item('b', 'Head coach', { variableValues: { title: 'Fixed' } }))
    await rewind('a')
    const { origin } = production.server
    const page = new URL(production.overlay.controlRoomUrl).pathname
    const pages = await Promise.all([open(origin, page), open(origin, page)])
    await expect.poll(() => pages.map(({ of }) => of('SNAPSHOT').at(-1)?.payload.rundown.cuedId)).toEqual(['a', 'a'])
    const pressed = await fetch(`${origin}${page}/rest/rundown/next`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ifPosition: 'a' }),
    })
    expect([pressed.status, await pressed.json()]).toMatchObject([200, { position: { cuedId: 'b', takenId: 'a' } }])
    for (const { of } of pages)
      await expect
        .poll(() => of('CHANGE').at(-1)?.payload)
        .toMatchObject({
          action: 'next',
          by: { type: 'link' },
          shown: [{ presetId: id('Home line-up') }],
          cued: [{ presetId: id('Head coach'), variableValues: { title: 'Fixed' } }],
          rundown: { cuedId: 'b', takenId: 'a' },
        })
    await write(item('b', 'Head coach'))
    for (const { of } of pages) await expect.poll(() => of('ROOM').length).toBeGreaterThan(0)
    const listed = await fetch(`${origin}${page}/rest/rundown`)
    expect(await listed.json()).toMatchObject({ items: [{ id: 'b' }], position: { cuedId: 'b' } })
  })
})
