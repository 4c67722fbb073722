import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decideMatch, foldMatch, judgeMatch, newMatch, UNSAID } from '../../machines/match.ts'
import type { Match } from '../../machines/match-model.ts'
import { sportOf } from '../../machines/sports.ts'
import { findScenario, scenariosOf } from '../../src/resources/scenarios/queries.ts'
import { sportSchema } from '../../src/resources/schemas/queries.ts'
import { Abbreviation, GfxFullName, GfxName, Name } from '../../src/schema/fields.ts'
import { SPORTS, type SportKey } from '../../src/schema/sport.ts'
import { newKey } from '../support/app.ts'
import { closedValidator } from './closed-schema.ts'
import { type Production, startProduction } from './support.ts'

const found = (id: string) => {
  const scenario = findScenario(id)
  if (!scenario) throw new Error(`no scenario ${id}`)
  return scenario
}
const all = (sport: SportKey) => scenariosOf(sport).map(({ id }) => found(id))

describe.each(SPORTS)('the scenarios of %s', (sport) => {
  const scenarios = all(sport)

  it('[domain 5.11] are valid against the schema of the sport', () => {
    const validate = closedValidator(sportSchema(sport))
    for (const { id, data } of scenarios) {
      validate(JSON.parse(JSON.stringify(data)))
      expect(validate.errors, id).toBeNull()
    }
  })

  it('[domain 2] tell a match from before it starts until it is over, with a score, a break, late drama and a stop', () => {
    const states = new Set(scenarios.map(({ data }) => data.match.state))
    expect([...states]).toEqual(expect.arrayContaining(['scheduled', 'live', 'finished', 'postponed', 'suspended']))
    const situations = new Set(scenarios.map(({ situation }) => situation))
    expect([...situations]).toEqual(
      expect.arrayContaining(['preMatch', 'live', 'scored', 'break', 'late', 'decider', 'finished', 'stopped']),
    )
    for (const { id, situation, data } of scenarios) {
      const { state } = data.match
      if (situation === 'finished') expect(state, id).toBe('finished')
      if (situation === 'decider' || situation === 'late' || situation === 'live') expect(state, id).toBe('live')
      if (situation === 'scored') expect(data.scoringFacts.length, id).toBeGreaterThan(0)
    }
  })

  it('[issue 4.8] come to what the machine of matches makes of the same facts', () => {
    for (const { id, data } of scenarios) {
      const { competitorsType, state } = data.match
      const at = data.facts[0]?.timestamp ?? data.match.date
      const competitors = data.competitors.map(({ entityType, teamId, playerId, isHome }) => ({
        entityType,
        teamId,
        playerId,
        isHome,
      }))
      const settings = { ...UNSAID, competitorsType, date: data.match.date }
      let match: Match = newMatch({ sport, settings, config: data.match.config, competitors, at })
      for (const { playerName: _, secondaryPlayerName: __, side: ___, id: factId, ...fact } of data.facts) {
        const { clockMs, minute, addedMinute, period, periodType, points, value, ...asked } = fact
        const open = typeof sportOf(sport).factTypes[fact.type]?.points === 'object'
        const said = { ...asked, value, ...(open && { points }) }
        const command = { type: 'record' as const, seq: 1, at: fact.timestamp, id: factId, fact: said }
        expect(judgeMatch(match, command), `${id}, fact ${factId}`).toBeUndefined()
        match = decideMatch(match, command).reduce(foldMatch, match)
        expect(match.facts.at(-1), `${id}, fact ${factId}`).toMatchObject({
          clockMs,
          minute,
          addedMinute,
          period,
          periodType,
        })
      }
      const { play } = match
      expect(data.score, id).toEqual(play.score)
      if (play.situation) expect(data.situation, id).toMatchObject(play.situation)
      expect(data.statistics, id).toMatchObject(play.statistics)
      if (state !== 'suspended' && state !== 'postponed') expect(state, id).toBe(play.state)
    }
  })

  it('[domain 1.2] name their teams within the limits of the API, and everybody of a side once', () => {
    for (const { data } of scenarios) {
      for (const team of [data.teams.home, data.teams.away]) {
        if (!team) continue
        expect(Name.safeParse(team.name).success, team.name).toBe(true)
        expect(GfxName.safeParse(team.gfxName).success, team.gfxName).toBe(true)
        expect(Abbreviation.safeParse(team.abbreviation).success, team.abbreviation).toBe(true)
        if (team.gfxFullName) expect(GfxFullName.safeParse(team.gfxFullName).success, team.gfxFullName).toBe(true)
      }
      const names = data.players.map(({ firstName, lastName }) => `${firstName} ${lastName}`)
      expect(new Set(names).size).toBe(names.length)
      const { startingSize, benchSize } = data.match.config
      for (const { players } of [data.lineups.home, data.lineups.away]) {
        if (players.length === 0) continue
        expect(players.filter(({ starting }) => starting).length).toBe(startingSize)
        expect(players.filter(({ starting }) => !starting).length).toBeLessThanOrEqual(benchSize)
        expect(players.filter(({ captain }) => captain).length).toBe(1)
        expect(new Set(players.map(({ number }) => number)).size).toBe(players.length)
      }
    }
  })
})

describe('every sport', () => {
  const scenarios = SPORTS.flatMap(all)

  it('[domain 5.11] has what makes graphics break: long names, accents, 07, three digits, no facts', () => {
    const players = scenarios.flatMap(({ data }) => data.players)
    expect(players.some(({ number }) => number === '07')).toBe(true)
    expect(players.some(({ lastName }) => lastName.length > 20)).toBe(true)
    expect(players.some(({ lastName }) => /[^\u0020-\u024f’-]/.test(lastName))).toBe(true)
    expect(scenarios.some(({ data }) => data.score.home > 99)).toBe(true)
    expect(scenarios.some(({ data }) => data.match.state === 'live' && data.scoringFacts.length === 0)).toBe(true)
  })

  it('a clock that runs shows at the moment of the scenario what it shows in the data', () => {
    const running = scenarios.filter(({ data }) => data.clock.running)
    expect(running.length).toBeGreaterThan(50)
    for (const { id, at, data } of running) expect(data.clock.asOf, id).toBe(at)
  })
})

describe('GET /v2/scenarios', () => {
  let production: Production
  beforeAll(async () => {
    production = await startProduction()
  })
  afterAll(() => production.close())

  it('[op: scenarios] lists all of them in pages, or those of one sport', async () => {
    const { call } = production
    const { body } = await call('GET', '/v2/scenarios?limit=5&offset=2')
    const count = SPORTS.reduce((sum, sport) => sum + scenariosOf(sport).length, 0)
    expect(body).toMatchObject({ total: count, returned: 5 })
    const ofTennis = await call('GET', '/v2/scenarios?sport=tennis')
    expect(ofTennis.body).toEqual({
      scenarios: scenariosOf('tennis'),
      total: scenariosOf('tennis').length,
      returned: scenariosOf('tennis').length,
    })
    expect((await call('GET', '/v2/scenarios?sport=chess')).status).toBe(400)
  })

  it('[op: scenarios] reads one with its data, the same each time', async () => {
    const { call } = production
    const first = await call('GET', '/v2/scenarios/tennis-tie-break')
    expect(first.status).toBe(200)
    expect(first.body).toMatchObject({
      id: 'tennis-tie-break',
      sport: 'tennis',
      data: { situation: { tieBreak: true, points: { home: '5', away: '5' } }, teams: { home: null, away: null } },
    })
    expect((await call('GET', '/v2/scenarios/tennis-tie-break')).body).toEqual(first.body)
    for (const id of ['football-nothing', 'chess-goal', '__proto__', 'football-', 'football-__proto__'])
      expect((await call('GET', `/v2/scenarios/${id}`)).status, id).toBe(404)
  })

  it('[contract] needs themes:read', async () => {
    const { server, organizationId } = production
    const { key } = await newKey(server.database, organizationId, ['matches:write'])
    expect((await server.call('GET', '/v2/scenarios', { key })).body.message).toBe('Missing scope: themes:read')
  })
})
