import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pruneRows } from '../../workers/retention/rows.ts'
import { testMedia } from '../support/media-plane.ts'
import { type Production, produce, startProduction } from './support.ts'

let production: Production
const media = testMedia()
/** What was drawn, and what is drawn next. */
let drawn: { organizationId: number; key: string; payload: string }[] = []
let draw: (key: string) => Promise<Buffer>
const picture = async (key: string) => Buffer.from(`a picture of ${key}`)

beforeAll(async () => {
  production = await startProduction('empty', {
    ...media,
    async still(asked) {
      drawn.push(asked)
      return draw(asked.key)
    },
  })
})
afterAll(() => production.close())
beforeEach(() => {
  drawn = []
  draw = picture
  media.missing.clear()
})

const presetPath = (name = 'Head coach') =>
  `/v2/control-rooms/${production.controlRoomId}/presets/${production.preset(name).id}`
async function get(path: string, { key = production.apiKey, tag = '' } = {}) {
  const headers = { Authorization: `Bearer ${key}`, ...(tag && { 'If-None-Match': tag }) }
  const answer = await fetch(`${production.server.origin}/rest${path}`, { headers })
  const bytes = Buffer.from(await answer.arrayBuffer())
  return { status: answer.status, headers: answer.headers, tag: answer.headers.get('ETag') ?? '', text: String(bytes) }
}
const asked = (query = '', more = {}) => get(`${presetPath()}/still${query}`, more)
/** As every page asks: one that takes its time is asked for again. */
async function still(query = '', more = {}) {
  for (;;) {
    const answer = await asked(query, more)
    if (answer.status !== 503) return answer
  }
}
const change = (body: object) => production.call('PATCH', presetPath(), body)

describe('[show-control: Pictures] the still of a preset', () => {
  test('is drawn once as a show would put it on air, and is the same for whoever asks again', async () => {
    const first = await still()
    expect([first.status, first.headers.get('Content-Type')]).toEqual([200, 'image/png'])
    expect(JSON.parse(drawn[0]?.payload ?? '')).toMatchObject({
      graphicName: 'Lower third',
      variableValues: { about: 'homeCoach' },
      data: { match: { sport: 'football' } },
    })
    expect(first.text).toBe(`a picture of ${drawn[0]?.key}`)
    const again = await still()
    expect([again.text, again.tag, drawn.length]).toEqual([first.text, first.tag, 1])
    const held = await still('', { tag: first.tag })
    expect([held.status, held.text, held.tag]).toEqual([304, '', first.tag])
  })

  test('is another with other values, and the one of before when they are as before', async () => {
    const { variableValues } = (await production.call('GET', presetPath())).body as { variableValues: object }
    const before = await still()
    await change({ variableValues: { ...variableValues, title: 'Another' } })
    const after = await still()
    expect(after.tag).not.toBe(before.tag)
    expect(JSON.parse(drawn.at(-1)?.payload ?? '').variableValues.title).toBe('Another')
    const count = drawn.length
    await change({ variableValues })
    expect([(await still()).tag, drawn.length]).toEqual([before.tag, count])
  })

  test('with a match it has the records of that, and is another when they change', async () => {
    const path = `?matchId=${production.matchId}`
    await still(path)
    const payload = () => JSON.parse(drawn.at(-1)?.payload ?? '')
    // the competition has another accent than the theme
    expect(payload()).toMatchObject({
      data: { match: { id: production.matchId } },
      themeVariables: { accentColor: '#ffd23f' },
    })
    await change({ variableValues: { title: 'Of no match' } })
    await still()
    expect(payload()).toMatchObject({ themeVariables: { accentColor: '#d4ff3a' } })
    const before = await still(path)
    expect(
      (await production.call('POST', `/v2/matches/${production.matchId}/facts`, { type: 'matchStart' })).status,
    ).toBe(201)
    expect((await still(path)).tag).not.toBe(before.tag)
    expect((await still('?matchId=999999')).status).toBe(404)
    const stranger = await produce(production.server)
    expect((await still(`?matchId=${stranger.matchId}`)).status).toBe(403)
    expect((await still('', { key: stranger.apiKey })).status).toBe(404)
  })

  test('without a browser there is none, and the reason is told', async () => {
    media.missing.set('still', 'A browser is missing on this server')
    await change({ variableValues: { title: 'Nobody has seen it' } })
    const answer = await still()
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      404,
      { message: 'A browser is missing on this server', code: 'NO_STILL' },
    ])
  })

  test('one that cannot be drawn is told with the reason, and is tried again by whoever asks again', async () => {
    await change({ variableValues: { title: 'Broken' } })
    draw = async () => {
      throw new Error('The graphic does not paint')
    }
    const answer = await still()
    expect([answer.status, JSON.parse(answer.text).message]).toEqual([404, 'The graphic does not paint'])
    draw = picture
    expect((await still()).status).toBe(200)
  })

  test('one that takes its time is asked for again', async () => {
    await change({ variableValues: { title: 'Slow' } })
    let finish = () => {}
    const slow = new Promise<void>((resolve) => {
      finish = resolve
    })
    draw = async (key) => {
      await slow
      return picture(key)
    }
    const early = await asked()
    expect([early.status, early.headers.get('Retry-After')]).toEqual([503, '1'])
    finish()
    expect((await still()).status).toBe(200)
  })

  test('the page of a control room has them for its own match and no other', async () => {
    const page = new URL(production.overlay.controlRoomUrl).pathname
    const answer = await fetch(
      `${production.server.origin}${page}/rest/presets/${production.preset('Score bug').id}/still`,
    )
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'image/png'])
    expect(JSON.parse(drawn.at(-1)?.payload ?? '').data.match.id).toBe(production.matchId)
    expect((await fetch(`${production.server.origin}${page}/rest/presets/999999/still`)).status).toBe(404)
  })

  test('those that nobody has looked at for days go, and of one organization only the newest stay', async () => {
    const { sql } = production.server.database
    const [{ count } = { count: 0 }] = await sql<{ count: number }[]>`select count(*)::int as count from still`
    expect(count).toBeGreaterThan(3)
    await sql`update still set used_at = now() - interval '4 days' where key = (select min(key) from still)`
    await sql.begin((tx) => pruneRows(tx, { journalDays: 1, paintDays: 1, deletedDays: 1, fileDays: 1 }))
    const left = await sql<{ count: number }[]>`select count(*)::int as count from still`
    expect(left).toEqual([{ count: count - 1 }])
  })
})
