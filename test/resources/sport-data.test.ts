import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { Api } from '../../bench/api.ts'
import { createLeague } from '../../bench/match-day/production.ts'
import { SPORTS, type SportName } from '../../machines/sports.ts'
import { newKey } from '../support/app.ts'
import { Renderer } from '../support/renderer.ts'
import { closedValidator } from './closed-schema.ts'
import { type Production, startProduction } from './support.ts'

let production: Production
let api: Api

/** A graphic that selects no schemas is given every part. */
const EVERYTHING = 'Match partner'

beforeAll(async () => {
  production = await startProduction()
  api = new Api(production.server.origin, production.apiKey)
  const { sql } = production.server.database
  await sql`update graphic_version set state_machine = state_machine - 'selectedSchemas'
    where graphic_id = ${production.preset(EVERYTHING).graphicId}`
  await sql`select pg_notify('catalog', ${JSON.stringify({ theme: production.themeId })})`
})
afterAll(() => production.close())

const sports = Object.keys(SPORTS) as SportName[]

type Schema = { properties: Record<string, unknown>; $schema: string; required?: string[] }

const schemaOf = async (sport: string) => {
  const { status, body } = await production.call('GET', `/v2/schemas/sports/${sport}`)
  expect(status).toBe(200)
  return body as unknown as Schema
}

const validatorOf = async (sport: string): Promise<ValidateFunction> => closedValidator(await schemaOf(sport))

describe('GET /v2/schemas/sports', () => {
  it.each(sports)('[op: schemas] the schema of %s is one of draft 2020-12 that ajv takes strictly', async (sport) => {
    const schema = await schemaOf(sport)
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false })
    expect(() => ajv.compile(schema)).not.toThrow()
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema')
    expect(schema.required).toBeUndefined()
    const { facts, periods, statistics } = schema.properties as Record<string, object>
    expect(JSON.stringify(facts)).toContain('"matchStart"')
    expect(JSON.stringify(periods)).toContain(`"${SPORTS[sport].periodType}"`)
    expect(JSON.stringify(statistics)).toContain('"enum"')
  })

  it('[op: schemas] the list names every sport with the parts of its schema', async () => {
    const { body } = await production.call('GET', '/v2/schemas/sports')
    const list = body.sports as { sport: string; parts: string[]; url: string }[]
    expect(list.map(({ sport }) => sport).sort()).toEqual([...sports].sort())
    const [first] = list
    const { properties } = await schemaOf(first?.sport ?? '')
    expect([...(first?.parts ?? []), 'selected', 'expressions', 'defaults', 'dataSources']).toEqual(
      Object.keys(properties),
    )
    expect(first?.url).toContain(`/rest/v2/schemas/sports/${first?.sport}`)
  })

  it('[domain 5.11] an unknown sport answers 400 naming it, and themes:read is needed', async () => {
    for (const sport of ['chess', 'toString', '__proto__']) {
      const { status, body } = await production.call('GET', `/v2/schemas/sports/${sport}`)
      expect([status, Object.keys(body.details as object)]).toEqual([400, ['path.sport']])
    }
    const { server, organizationId } = production
    const { key } = await newKey(server.database, organizationId, ['matches:write', 'overlays:write'])
    const refused = await server.call('GET', '/v2/schemas/sports/football', { key })
    expect([refused.status, refused.body.message]).toEqual([403, 'Missing scope: themes:read'])
  })
})

type Data = Record<string, unknown> & {
  match: { state: string; score: { home: number; away: number }; competitorsType: string }
  facts: { id: number; type: string; side: string | null; playerName: string | null }[]
  competitors: { name: string; score: number }[]
  teams: { home: { name: string } | null; away: object | null }
}

/** A match of this kind with everything on screen; `data` is what the renderer has, every frame of it checked. */
async function onScreen(sport: SportName, competitors: object) {
  const validate = await validatorOf(sport)
  const match = await api.post<{ id: number }>('/v2/matches', { date: '2027-01-10T15:00:00Z', ...competitors })
  const overlay = await api.post<{ id: number; key: string }>('/v1/overlays', {
    name: `Data of ${sport}`,
    matchId: match.id,
    controlRoomId: production.controlRoomId,
  })
  const wrong: string[] = []
  let frames = 0
  const renderer = new Renderer({
    url: `${production.server.origin.replace('http', 'ws')}/overlay/${overlay.key}/socket`,
    onFrame(text) {
      const { type, payload } = JSON.parse(text)
      if (type === 'HELLO' || !('data' in payload)) return
      frames++
      expect(payload.sport).toBe(sport)
      if (!validate(payload.data))
        wrong.push(...(validate.errors ?? []).map((one) => `${one.instancePath} ${one.message}`))
    },
  })
  onTestFinished(() => renderer.close())
  const { id: presetId, graphicId } = production.preset(EVERYTHING)
  const shown = () => renderer.shows().get(graphicId)?.data as Data | undefined
  await api.post(`/v2/overlays/${overlay.id}/graphics/commands`, { action: 'show', presetId })
  await renderer.waitFor(() => shown() !== undefined)
  return {
    matchId: match.id,
    data: () => shown() as Data,
    /** Records a fact and waits until the renderer has it. */
    async record(fact: object) {
      const { id } = await api.post<{ id: number }>(`/v2/matches/${match.id}/facts`, fact)
      await renderer.waitFor(() => shown()?.facts.some((one) => one.id === id) ?? false)
    },
    judge() {
      expect(wrong).toEqual([])
      expect(frames).toBeGreaterThan(1)
    },
  }
}

const leagues = new Map<string, Promise<Awaited<ReturnType<typeof createLeague>>>>()
const leagueOf = (sport: string) => {
  const known = leagues.get(sport) ?? createLeague(api, sport, 2)
  leagues.set(sport, known)
  return known
}

/** Whatever of a sport a fact can be recorded with no more than a team and a player. */
const plainFacts = (sport: SportName) =>
  Object.entries(SPORTS[sport].factTypes)
    .filter(([, { structural }]) => !structural)
    .map(([type, { points }]) => ({
      type,
      ...(typeof points === 'object' && { points: points.default ?? points.max }),
    }))

describe('[live-path 14] what renderers are given is valid against the served schema, frame by frame', () => {
  it.each(sports)('%s, with one fact of every type it knows', async (sport) => {
    const { competitionId, squads } = await leagueOf(sport)
    const [home, away] = squads
    const live = await onScreen(sport, { competitionId, homeTeamId: home?.teamId, awayTeamId: away?.teamId })
    expect(live.data()).toMatchObject({ match: { state: 'scheduled' }, facts: [] })
    await live.record({ type: 'matchStart', teamId: home?.teamId })
    expect(live.data().match.state).toBe('live')
    let recorded = 0
    for (const fact of plainFacts(sport)) {
      const { status } = await production.call('POST', `/v2/matches/${live.matchId}/facts`, {
        ...fact,
        teamId: home?.teamId,
        playerId: home?.playerIds[0],
      })
      if (status === 201) recorded++
      // an innings that was declared, or a side that may not score now
      else expect([400]).toContain(status)
    }
    await live.record({ type: 'matchEnd' })
    expect(recorded).toBeGreaterThan(1)
    expect(live.data()).toMatchObject({ match: { state: 'finished' }, facts: { length: recorded + 2 } })
    const { body } = await production.call('GET', `/v2/matches/${live.matchId}`)
    expect(live.data().match.score).toEqual(body.score)
    live.judge()
  })

  it('[domain 5.3] singles: the sides are players, and facts of a player are of his side', async () => {
    const { competitionId, squads } = await leagueOf('tennis')
    const [home, away] = squads.map(({ playerIds }) => playerIds[0])
    const competitors = [
      { entityType: 'player', entityId: home, isHome: true },
      { entityType: 'player', entityId: away, isHome: false },
    ]
    const live = await onScreen('tennis', { competitionId, competitorsType: 'singles', competitors })
    await live.record({ type: 'matchStart', playerId: home })
    await live.record({ type: 'point', playerId: away })
    expect(live.data()).toMatchObject({
      teams: { home: null, away: null },
      competitors: [
        { name: 'Player 1 Norrvik', shortName: 'Norrvik', isHome: true },
        { name: 'Player 1 Harbour', shortName: 'Harbour', isHome: false },
      ],
      facts: [{ side: 'home' }, { side: 'away', playerName: 'Harbour' }],
      situation: { points: { home: '0', away: '15' } },
    })
    live.judge()
  })

  it('[domain 5.3] doubles: two players a side', async () => {
    const { competitionId, squads } = await leagueOf('tennis')
    const competitors = squads.flatMap(({ playerIds }, side) =>
      playerIds.map((entityId) => ({ entityType: 'player', entityId, isHome: side === 0 })),
    )
    const live = await onScreen('tennis', { competitionId, competitorsType: 'doubles', competitors })
    await live.record({ type: 'matchStart', playerId: squads[0]?.playerIds[1] })
    await live.record({ type: 'point', playerId: squads[0]?.playerIds[0] })
    expect(live.data().competitors).toHaveLength(4)
    expect(live.data().facts.map(({ side }) => side)).toEqual(['home', 'home'])
    live.judge()
  })

  it('[domain 5.3] a group: everyone has a score of his own', async () => {
    const { competitionId, squads } = await leagueOf('basketball')
    const more = await api.post<{ id: number }>('/v1/teams', {
      name: 'Eastern Lights',
      sport: 'basketball',
      competitionIds: [competitionId],
    })
    const competitors = [...squads.map(({ teamId }) => teamId), more.id].map((entityId) => ({
      entityType: 'team',
      entityId,
    }))
    const live = await onScreen('basketball', { competitionId, competitorsType: 'group', competitors })
    await live.record({ type: 'matchStart' })
    await live.record({ type: 'threePointer', teamId: more.id })
    expect(live.data().competitors.map(({ name, score }) => [name, score])).toEqual([
      ['Norrvik Athletic', 0],
      ['Harbour Rovers', 0],
      ['Eastern Lights', 3],
    ])
    live.judge()
  })
})
