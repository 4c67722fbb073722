import { Environment } from '@marcbachmann/cel-js'
import { RE2JS } from 're2js'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { liveData } from '../../src/resources/matches/live-data.ts'
import { onAirOf } from '../../src/resources/overlays/recorded-commands.queries.ts'
import { Renderer } from '../support/renderer.ts'
import { type Production, startProduction } from './support.ts'

const PRESET = 'Match partner'
const EXPRESSIONS = [
  { id: '1', name: 'result', expression: 'match.score.home + "–" + match.score.away' },
  { id: '2', name: 'line', expression: 'variables.line.upper() + " " + expressions.result' },
  { id: '3', name: 'scorer', expression: 'selected.scorer.lastName + teams.nowhere' },
  { id: '4', name: 'goals', expression: 'facts.filter(f, f.type == "goal").map(f, f.playerName).join("\\n")' },
  { id: '5', name: 'who', expression: 'selected.scorer.lastName' },
  { id: '6', name: 'accent', expression: 'theme.primaryColor' },
  {
    id: '7',
    name: 'leaders',
    expression: 'dataSources.table.filter(row, row.points > 10).map(row, row.team).join(", ")',
  },
]
const VARIABLES = [
  { id: 'line', name: 'line', type: 'string', defaultValue: 'so far' },
  { id: 'scorer', name: 'scorer', type: 'player' },
]

let production: Production
let graphicId: string

beforeAll(async () => {
  production = await startProduction()
  graphicId = production.preset(PRESET).graphicId
  const { sql } = production.server.database
  const machine = { controlVariables: VARIABLES, userExpressions: EXPRESSIONS, selectedSchemas: ['venue'] }
  await sql`update graphic_version set state_machine = ${sql.json(machine)} where graphic_id = ${graphicId}`
  await sql`update preset set variable_values = '{}' where id = ${production.preset(PRESET).id}`
  await sql`select pg_notify('catalog', ${JSON.stringify({ theme: production.themeId })})`
  await sql`select pg_notify('catalog', ${JSON.stringify({ room: production.controlRoomId })})`
})
afterAll(() => production.close())

type Data = { expressions?: Record<string, unknown>; defaults?: object; match?: object; venue?: object }

function look() {
  const frames: { type: string; payload: { graphicId: string; data?: Data } }[] = []
  const renderer = new Renderer({
    url: `${production.overlay.url.replace('http', 'ws')}/socket`,
    onFrame: (text) => void frames.push(JSON.parse(text)),
  })
  onTestFinished(() => renderer.close())
  const data = (preset = PRESET) => renderer.shows().get(production.preset(preset).graphicId)?.data as Data | undefined
  const ofGraphic = () => frames.filter(({ payload }) => payload.graphicId === graphicId)
  return { renderer, data, ofGraphic }
}

const post = async (path: string, body: object) => {
  const answer = await production.call('POST', path, body)
  expect([200, 201], JSON.stringify(answer.body)).toContain(answer.status)
  return answer.body
}

describe('[UserExpression] data.expressions of a graphic on air', () => {
  it('follows values, facts and theme; what fails is null; schemas that are not selected are still seen', async () => {
    const seen = look()
    const [home = 0] = production.teamIds
    const playerId = production.playerIds[home]?.[10] ?? 0
    await expect.poll(async () => (await production.fire('show', PRESET, { line: 'now' })).status).toBe(200)
    await production.fire('show', PRESET)
    await seen.renderer.waitFor(() => seen.data()?.expressions?.line === 'SO FAR 0–0')
    expect(seen.data()?.match).toBeUndefined()
    expect(seen.data()?.venue).toBeDefined()
    expect(seen.data()?.defaults).toEqual({ line: 'so far' })
    expect(seen.data()?.expressions).toEqual({
      result: '0–0',
      line: 'SO FAR 0–0',
      scorer: null,
      goals: '',
      who: null,
      accent: '#0b1020',
      leaders: null,
    })

    // a value that expressions read brings the data with it
    await production.fire('update', PRESET, { line: 'half time', scorer: playerId })
    await seen.renderer.waitFor(() => seen.data()?.expressions?.line === 'HALF TIME 0–0')
    expect(seen.data()?.expressions?.who).toBe('Ståhlberg')

    await post(`/v2/matches/${production.matchId}/facts`, { type: 'periodStart' })
    await post(`/v2/matches/${production.matchId}/facts`, { type: 'goal', teamId: home, playerId })
    await post(`/v2/matches/${production.matchId}/facts`, { type: 'goal', teamId: home, playerId })
    await seen.renderer.waitFor(() => seen.data()?.expressions?.goals === 'Ståhlberg\nStåhlberg')
    expect(seen.data()?.expressions?.line).toBe('HALF TIME 2–0')

    const late = look()
    await late.renderer.waitFor(() => late.data() !== undefined)
    expect(late.data()).toEqual(seen.data())
  })

  it('a graphic without expressions has no such member, and an update that changes none carries no data', async () => {
    const seen = look()
    await production.fire('show', 'Score bug')
    await seen.renderer.waitFor(() => seen.data('Score bug') !== undefined)
    expect(seen.data('Score bug')).not.toHaveProperty('expressions')
    await production.fire('show', PRESET, { line: 'still' })
    await seen.renderer.waitFor(() => seen.data()?.expressions?.line === 'STILL 2–0')
    await production.fire('update', PRESET, { line: 'Still' })
    await seen.renderer.waitFor(() => seen.ofGraphic().at(-1)?.type === 'GRAPHIC_UPDATE')
    expect(seen.ofGraphic().at(-1)?.payload).not.toHaveProperty('data')
  })

  it('follows pushed rows, also of an alias that the graphic does not select', async () => {
    const seen = look()
    const { themeId, themeProfileId } = production
    const template = { alias: 'table', sourceType: 'csv', shape: 'rows', sample: 'team,points\nNorrvik,3\n' }
    await post(`/v2/themes/${themeId}/data-source-templates`, template)
    await production.fire('show', PRESET)
    await seen.renderer.waitFor(() => seen.data() !== undefined)
    expect(seen.data()?.expressions?.leaders).toBeNull()
    const push = (points: number) =>
      post(`/v2/data-sources/${themeProfileId}/table`, {
        rows: [
          { team: 'Norrvik', points: 31 },
          { team: 'Harbour', points },
        ],
      })
    await push(9)
    await seen.renderer.waitFor(() => seen.data()?.expressions?.leaders === 'Norrvik')
    await push(11)
    await seen.renderer.waitFor(() => seen.data()?.expressions?.leaders === 'Norrvik, Harbour')
    expect(seen.data()).not.toHaveProperty('dataSources')
  })
})

describe('[live-path 11] what is on air, or may be, is compiled before a command or a refresh comes to it', () => {
  const computed = async (marker: string) => {
    const { sql } = production.server.database
    const machine = { userExpressions: [{ id: '1', name: 'it', expression: `"${marker}".matches("^${marker}$")` }] }
    await sql`update graphic_version set state_machine = ${sql.json(machine)} where graphic_id = ${graphicId}`
    const live = await liveData(sql, production.server.origin, production.overlay.id)
    vi.restoreAllMocks()
    const parsing = vi.spyOn(Environment.prototype, 'parse')
    const compiling = vi.spyOn(RE2JS, 'compile')
    onTestFinished(() => void vi.restoreAllMocks())
    const [graphic] = await onAirOf(sql, production.overlay.id)
    if (!graphic || !('computed' in live)) throw new Error('nothing is on air')
    expect(live.computed(graphic)?.expressions).toEqual({ it: true })
    return parsing.mock.calls.length + compiling.mock.calls.length
  }

  it('of the active version, and of one that is on air and active no more', async () => {
    const { sql } = production.server.database
    await production.fire('show', PRESET)
    expect(await computed('active')).toBe(0)
    const [theme] = await sql`select active_version as version from theme where id = ${production.themeId}`
    await sql`update theme set active_version = null where id = ${production.themeId}`
    expect(await computed('former')).toBe(0)
    await sql`update theme set active_version = ${theme?.version ?? null} where id = ${production.themeId}`
  })
})
