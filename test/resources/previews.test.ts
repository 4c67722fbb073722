import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newKey, newOrganization } from '../support/app.ts'
import { type Production, produce, startProduction } from './support.ts'
import { makeGraphic, makeTheme } from './themes-support.ts'

let production: Production
beforeAll(async () => {
  production = await startProduction()
})
afterAll(() => production.close())

const pathOf = (graphicId: string) => `/v2/themes/${production.themeId}/code-graphics/${graphicId}/previews`
const graphicOf = (preset: string) => production.preset(preset).graphicId

async function preview(preset: string, body: object = {}): Promise<string> {
  const answer = await production.call('POST', pathOf(graphicOf(preset)), body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  expect(answer.headers.get('x-service-beta')).toBe('true')
  return String(answer.body.url)
}

const get = async (url: string) => {
  const response = await fetch(url)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

type Payload = Record<string, unknown> & {
  url: string
  data: Record<string, Record<string, unknown>>
  variableValues: object
  themeVariables: Record<string, string>
}
type Framed = {
  frame: { type: string; payload: Payload }
  variables: { name: string }[]
  choices: Record<string, { value: unknown; label: string }[]>
  leftOut: string[]
}

async function frame(url: string, asked: object = {}): Promise<Framed> {
  const response = await ask(url, asked)
  const text = await response.text()
  expect(response.status, text).toBe(200)
  return JSON.parse(text)
}

const ask = (url: string, asked: object) =>
  fetch(`${url}/frame`, {
    method: 'POST',
    body: JSON.stringify({
      version: 'working',
      scenarioId: 'football-live',
      variableValues: {},
      themeVariableValues: {},
      ...asked,
    }),
  })

describe('POST …/previews', () => {
  it('[issue 4.8] answers an address that opens without a key, and whose token is kept nowhere', async () => {
    const { body } = await production.call('POST', pathOf(graphicOf('Score bug')), {})
    const url = String(body.url)
    expect(url).toMatch(/^http:\/\/localhost:\d+\/preview\/[\w-]{43}$/)
    const inHours = (Date.parse(String(body.expiresAt)) - Date.now()) / 3_600_000
    expect(inHours).toBeGreaterThan(23.9)
    expect(inHours).toBeLessThan(24.1)
    const page = await get(url)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    const token = url.split('/').at(-1) ?? ''
    const { sql } = production.server.database
    const kept = await sql<{ text: string }[]>`
      select p::text as text from preview p union all select j::text from journal j where j.ref like 'preview/%'`
    expect(kept.length).toBeGreaterThan(1)
    for (const { text } of kept) expect(text).not.toContain(token)
  })

  it('[auth.6] needs themes:write, and is 404 for a graphic of another organization or theme', async () => {
    const { server, organizationId } = production
    const { key } = await newKey(server.database, organizationId, ['themes:read'])
    const path = pathOf(graphicOf('Score bug'))
    expect((await server.call('POST', path, { key, body: {} })).body.message).toBe('Missing scope: themes:write')
    const foreign = await newOrganization(server.database)
    expect((await server.call('POST', path, { key: foreign.key, body: {} })).status).toBe(404)
    expect((await production.call('POST', pathOf('nothing'), {})).status).toBe(404)
  })

  it('[contract] names every bad field', async () => {
    const { status, body } = await production.call('POST', pathOf(graphicOf('Score bug')), {
      version: 9,
      scenarioId: 'football-nothing',
      profileId: 2_000_000,
      themeVariableValues: { nobody: 'x' },
    })
    expect([status, Object.keys(body.details as object).sort()]).toEqual([
      400,
      ['body.profileId', 'body.scenarioId', 'body.themeVariableValues.nobody', 'body.version'],
    ])
    const values = await production.call('POST', pathOf(graphicOf('Score bug')), {
      variableValues: { homeScore: 'three', unknown: 1 },
    })
    expect(Object.keys(values.body.details as object).sort()).toEqual([
      'body.variableValues.homeScore',
      'body.variableValues.unknown',
    ])
  })

  it('[auth.11] a profile of another organization is refused', async () => {
    const { server } = production
    const foreign = await newOrganization(server.database)
    const answer = await server.call('POST', pathOf(graphicOf('Score bug')), {
      key: foreign.key,
      body: { profileId: production.themeProfileId },
    })
    expect(answer.status).toBe(404)
  })
})

describe('the address of a preview', () => {
  it('tells what there is to choose: versions, every scenario, theme variables with the values of the profile', async () => {
    const url = await preview('Score bug', { profileId: production.themeProfileId, scenarioId: 'tennis-tie-break' })
    const info = JSON.parse((await get(`${url}/info`)).text)
    expect(info).toMatchObject({
      graphic: { name: 'Score bug', sports: ['football'] },
      versions: [
        { version: 'working', empty: false },
        { version: 1, empty: false },
      ],
      settings: { version: 'working', scenarioId: 'tennis-tie-break' },
    })
    expect(info.scenarios.length).toBeGreaterThan(180)
    expect(info.themeVariables).toContainEqual(expect.objectContaining({ name: 'accentColor', value: '#ffd23f' }))
    expect(JSON.stringify(info)).not.toContain('organization')
  })

  it('[issue 4.8] composes what the graphic would be given on air, with a clock that shows now what the scenario says', async () => {
    const url = await preview('Score bug')
    const before = Date.now()
    const {
      frame: load,
      variables,
      choices,
      leftOut,
    } = await frame(url, {
      variableValues: { homeScore: 7, gone: 'x', addedTime: 'much' },
      themeVariableValues: { accentColor: '#112233' },
    })
    const { payload } = load
    expect(load.type).toBe('LOAD_GRAPHIC')
    expect(payload).toMatchObject({
      graphicName: 'Score bug',
      kind: 'code',
      sport: 'football',
      variableValues: { homeScore: 7 },
      themeVariables: { accentColor: '#112233' },
    })
    // the parts that the graphic selects, and no others
    expect(Object.keys(payload.data).sort()).toEqual(expect.arrayContaining(['competitors', 'match', 'teams']))
    expect(payload.data.players).toBeUndefined()
    const { clock } = payload.data.match as { clock: { running: boolean; valueMs: number; asOf: string } }
    expect(clock).toMatchObject({ running: true, valueMs: 2_067_000 })
    expect(Date.parse(clock.asOf)).toBeGreaterThanOrEqual(before)
    expect(leftOut).toEqual(['gone', 'addedTime'])
    expect(variables.map(({ name }) => name)).toContain('homeScore')
    expect(choices.team?.map(({ label }) => label)).toEqual(['Real Peñarrubia', 'Wolverstone & Harrowgate Wanderers'])
    expect((await fetch(payload.url)).status).toBe(200)
  })

  it('[live-path 13] gives the record that a value selects and what expressions come to, also of the working copy', async () => {
    const { graphicId, version } = (
      await production.call('POST', `/v2/themes/${production.themeId}/code-graphics`, {
        name: 'Selecting',
        stateMachine: {
          runtime: { entry: 'index.html' },
          selectedSchemas: ['match', 'table'],
          controlVariables: [{ id: 'p', name: 'player', type: 'player' }],
          userExpressions: [{ id: 'e', name: 'goals', expression: 'match.score.home + match.score.away' }],
        },
      })
    ).body as unknown as { graphicId: string; version: number }
    expect(version).toBe(1)
    await production.call('POST', `/v2/themes/${production.themeId}/data-source-templates`, {
      alias: 'table',
      sourceType: 'csv',
      shape: 'rows',
      sample: 'team,points\nPeñarrubia,12\n',
    })
    const answer = await production.call('POST', pathOf(graphicId), {})
    const url = String(answer.body.url)
    const empty = await ask(url, {})
    expect([empty.status, JSON.parse(await empty.text()).details]).toEqual([
      400,
      { 'body.version': { message: 'it has no files yet', value: 'working' } },
    ])
    const { sql } = production.server.database
    await sql`update graphic_draft set bundle_hash = (select bundle_hash from graphic_version limit 1)
      where graphic_id = ${graphicId}`
    const { choices } = await frame(url, { scenarioId: 'football-goal' })
    const [chosen] = choices.player ?? []
    const { frame: load } = await frame(url, {
      scenarioId: 'football-goal',
      variableValues: { player: chosen?.value },
    })
    expect(load.payload.data).toMatchObject({
      selected: { player: { lastName: 'Conceição' } },
      expressions: { goals: 3 },
      dataSources: { table: [{ team: 'Peñarrubia', points: 12 }] },
    })
    expect(load.payload.data.teams).toBeUndefined()
  })

  it('refuses at once when its time is over, when its graphic is deleted, and when nobody was given it', async () => {
    const { sql } = production.server.database
    const over = await preview('Score bug')
    await sql`update preview set expires_at = clock_timestamp() where expires_at = (select max(expires_at) from preview)`
    const { body } = await production.call('POST', `/v2/themes/${production.themeId}/code-graphics`, { name: 'Doomed' })
    const graphicId = String(body.graphicId)
    const doomed = String((await production.call('POST', pathOf(graphicId), {})).body.url)
    expect((await get(doomed)).status).toBe(200)
    expect(
      (await production.call('DELETE', `/v2/themes/${production.themeId}/code-graphics/${graphicId}`)).status,
    ).toBe(204)
    for (const url of [over, doomed, `${production.server.origin}/preview/${'x'.repeat(43)}`]) {
      expect((await get(url)).status).toBe(404)
      expect((await get(`${url}/info`)).status).toBe(404)
      expect((await ask(url, {})).status).toBe(404)
    }
  })

  it('made while its theme is deleted, it is made or 404', async () => {
    for (let each = 0; each < 8; each++) {
      const themeId = await makeTheme(production, 'Raced')
      const graphicId = await makeGraphic(production, themeId)
      const create = () => production.call('POST', `/v2/themes/${themeId}/code-graphics/${graphicId}/previews`, {})
      const answers = await Promise.all([
        create(),
        create(),
        production.call('DELETE', `/v2/themes/${themeId}`),
        create(),
        create(),
      ])
      const [deleted] = answers.splice(2, 1)
      expect(deleted?.status).toBe(204)
      expect(answers.filter(({ status }) => status !== 201 && status !== 404)).toEqual([])
    }
  })

  it('[issue 18.5] shows a moment of the match before that of the scenario, with its score and its clock', async () => {
    const url = await preview('Score bug')
    const { at, data } = (await production.call('GET', '/v2/scenarios/football-full-time')).body as {
      at: string
      data: { match: { date: string }; facts: { type: string; timestamp: string; points: number }[] }
    }
    const [goal] = data.facts.filter(({ points }) => points > 0)
    const shownAt = async (ms: number) => {
      const moment = new Date(ms).toISOString()
      const { frame: load } = await frame(url, { scenarioId: 'football-full-time', at: moment })
      return (load.payload.data as { match: { state: string; score: { home: number; away: number } } }).match
    }
    const scored = Date.parse(goal?.timestamp ?? '')
    expect(await shownAt(scored - 1_000)).toMatchObject({ state: 'live', score: { home: 0, away: 0 } })
    const { score } = await shownAt(scored)
    expect(score.home + score.away).toBe(1)
    expect(await shownAt(Date.parse(data.match.date) - 60_000)).toMatchObject({ state: 'scheduled' })
    // never further than the scenario goes
    expect(await shownAt(Date.parse(at) + 3_600_000)).toMatchObject({ state: 'finished' })
  })

  it('[issue 18.5] of a match is drawn with its own records: as it stands, and as it stood', async () => {
    const { matchId, teamIds } = production
    const fact = async (type: string, more: object = {}) =>
      (await production.call('POST', `/v2/matches/${matchId}/facts`, { type, ...more })).body as { timestamp: string }
    await fact('matchStart', { timestamp: new Date(Date.now() - 60_000).toISOString() })
    await fact('goal', { teamId: teamIds[1], timestamp: new Date(Date.now() - 40_000).toISOString() })
    const url = await preview('Score bug', { matchId })
    const shown = async (at?: number) => {
      const more = at === undefined ? {} : { at: new Date(Date.now() - at).toISOString() }
      const { frame: load, choices } = await frame(url, { scenarioId: undefined, ...more })
      const { match, teams } = load.payload.data as unknown as {
        match: { id: number; state: string; score: { home: number; away: number } }
        teams: { away: { id: number } }
      }
      expect([match.id, teams.away.id]).toEqual([matchId, teamIds[1]])
      expect(choices.fact?.length).toBeGreaterThan(1)
      return [match.state, match.score.away]
    }
    expect(await shown()).toEqual(['live', 1])
    expect(await shown(-3_600_000)).toEqual(['live', 1])
    expect(await shown(50_000)).toEqual(['live', 0])
    expect(await shown(90_000)).toEqual(['scheduled', 0])
    const info = JSON.parse((await get(`${url}/info`)).text)
    expect(info.settings).not.toHaveProperty('scenarioId')
    expect(info.match).toMatchObject({ name: expect.stringContaining(' – '), sport: 'football' })
    // anybody with the address may look at a scenario, and at no other match
    expect((await frame(url, { scenarioId: 'football-full-time' })).frame.payload.data.match?.id).not.toBe(matchId)
    expect((await ask(await preview('Score bug'), { scenarioId: undefined })).status).toBe(400)
  })

  it('[auth.6] of a match needs matches:read, too', async () => {
    const { server, organizationId, matchId } = production
    const { key } = await newKey(server.database, organizationId, ['themes:write'])
    const { body } = await server.call('POST', pathOf(graphicOf('Score bug')), { key, body: { matchId } })
    expect(body.message).toBe('Missing scope: matches:read')
  })

  it('[auth.11] a match of another organization is refused, and one that is not there', async () => {
    const stranger = await produce(production.server)
    const refused = async (body: object) => {
      const answer = await production.call('POST', pathOf(graphicOf('Score bug')), body)
      return [answer.status, Object.keys((answer.body.details ?? {}) as object)]
    }
    expect(await refused({ matchId: 2_000_000_000 })).toEqual([400, ['body.matchId']])
    expect(await refused({ matchId: production.matchId, scenarioId: 'football-live' })).toEqual([400, ['body.matchId']])
    expect((await refused({ matchId: stranger.matchId }))[0]).toBe(403)
  })

  it('answers 400 to what is no request for a frame', async () => {
    const url = await preview('Score bug')
    for (const body of ['', '{', '[]', '{"version":0}', `{"version":1,"scenarioId":"${'x'.repeat(300)}"}`])
      expect((await fetch(`${url}/frame`, { method: 'POST', body })).status, body).toBe(400)
    expect((await ask(url, { scenarioId: 'football-nothing' })).status).toBe(400)
    expect((await ask(url, { version: 99 })).status).toBe(400)
    expect((await fetch(`${url}/frame`, { method: 'POST', body: 'x'.repeat(300_000) })).status).toBe(413)
  })
})
