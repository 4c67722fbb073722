import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { Api } from '../../bench/api.ts'
import { createLeague } from '../../bench/match-day/production.ts'
import { statisticsOf } from '../../machines/sports.ts'
import { ControlVariableType } from '../../src/resources/code-graphics/schema.ts'
import { selectedSchemas } from '../../src/resources/matches/selected-records.schema.ts'
import { isRecordType, selectedRecords } from '../../src/resources/matches/selected-records.ts'
import { findScenario, scenariosOf } from '../../src/resources/scenarios/queries.ts'
import { SPORTS } from '../../src/schema/sport.ts'
import { Renderer } from '../support/renderer.ts'
import { type Production, startProduction } from './support.ts'

const TYPES = ControlVariableType.options.filter(isRecordType)
const VARIABLES = TYPES.map((type) => ({ name: type, type, defaultValue: null }))
const NOBODY = 2_000_000_000
const COLOURS = { primaryColor: '#102030', textColor: '#ffffff' }
const BRAND = { id: 7, name: 'Fjordline Coffee', logoUrl: null, tagline: null, ...COLOURS }

const dataOf = (id: string) => {
  const scenario = findScenario(id)
  if (!scenario) throw new Error(`no scenario ${id}`)
  return scenario.data
}

describe('[live-path 13] what the value of each entity variable names, in every situation of every sport', () => {
  it.each(SPORTS)('%s', (sport) => {
    const schemas: Record<string, { safeParse(value: unknown): { success: boolean } }> = selectedSchemas(sport)
    const seen = new Set<string>()
    for (const { id } of scenariosOf(sport)) {
      const data = dataOf(id)
      const { match, teams, competitors, players, facts, periods, venue } = data
      const [statistic = ''] = statisticsOf(sport)
      const expected: Record<string, [value: string | number | undefined, record: object]> = {
        match: [match.id, match],
        team: [
          teams.away?.id ?? competitors.find(({ teamId }) => teamId !== null)?.teamId ?? undefined,
          { ...teams.away },
        ],
        player: [players.at(-1)?.id, { ...players.at(-1) }],
        fact: [facts.at(-1)?.id, { ...facts.at(-1) }],
        period: [periods.at(-1)?.number, { ...periods.at(-1) }],
        set: [periods[0]?.number, { ...periods[0] }],
        round: [match.round ?? undefined, { name: match.round }],
        court: [venue?.courts.at(-1), { name: venue?.courts.at(-1) }],
        stat: [statistic, { name: statistic }],
        teamStat: [1, { name: statistic }],
        ad: [BRAND.id, BRAND],
      }
      expect(Object.keys(expected).sort()).toEqual([...TYPES].sort())
      const values = Object.fromEntries(
        Object.entries(expected).flatMap(([type, [value]]) => (value === undefined ? [] : [[type, value]])),
      )
      const selected = selectedRecords(values, VARIABLES, { ...data, brands: [BRAND] })
      // in singles no side is a team, before the match there are no facts and periods, and not every ground has courts
      expect(Object.keys(selected).sort(), id).toEqual(Object.keys(values).sort())
      for (const [type, record] of Object.entries(selected)) {
        seen.add(type)
        expect(record, `${id} ${type}`).toMatchObject(expected[type]?.[1] ?? {})
        expect(schemas[type]?.safeParse(record).success, `${id} ${type}`).toBe(true)
      }
    }
    const never = TYPES.filter((type) => !seen.has(type))
    expect(never.filter((type) => type !== (sport === 'tennis' ? 'team' : 'court'))).toEqual([])
  })

  it('a court and a statistic go by place, a round by the number at the end of its name', () => {
    const data = dataOf('tennis-live')
    const both = (values: Record<string, string | number>) => selectedRecords(values, VARIABLES, data)
    expect(both({ court: 2, stat: 1 })).toMatchObject({
      court: { name: 'Court 1' },
      stat: { name: statisticsOf('tennis')[0] },
    })
    expect(both({ court: 'Court 2', stat: 'aces' })).toMatchObject({
      court: { name: 'Court 2' },
      stat: { name: 'aces' },
    })
    const round = (name: string, value: string | number) =>
      selectedRecords({ round: value }, VARIABLES, { ...data, match: { ...data.match, round: name } }).round
    expect(round('Round 14', 14)).toEqual({ name: 'Round 14' })
    expect(round('Round 14', 'Round 14')).toEqual({ name: 'Round 14' })
    expect([round('Round 14', 4), round('Final', 1), round('Final', 'Semi-final')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it('what the match does not have is absent, whatever the type', () => {
    for (const sport of ['football', 'tennis', 'basketball', 'cricket']) {
      const data = dataOf(`${sport}-full-time`)
      for (const value of [NOBODY, 'nobody', 0, -1, 1.5, true]) {
        const values = Object.fromEntries(TYPES.map((type) => [type, value]))
        expect(selectedRecords(values, VARIABLES, data), `${sport} ${value}`).toEqual({})
      }
    }
  })

  it('without a value, or with null, the default selects', () => {
    const data = dataOf('basketball-full-time')
    const variables = [
      { name: 'quarter', type: 'period', defaultValue: 2 },
      { name: 'stat', type: 'stat', defaultValue: 'rebounds' },
      { name: 'none', type: 'period', defaultValue: null },
    ]
    const defaults = { quarter: { number: 2 }, stat: { name: 'rebounds' } }
    expect(selectedRecords({}, variables, data)).toMatchObject(defaults)
    expect(selectedRecords({ quarter: null, none: null }, variables, data)).toMatchObject(defaults)
    expect(selectedRecords({ quarter: 3 }, variables, data)).toMatchObject({ quarter: { number: 3 } })
    expect(selectedRecords({ quarter: 9 }, variables, data)).not.toHaveProperty('quarter')
  })

  it('statistics of a player and of a team: both sides, and who did it most', () => {
    const data = dataOf('basketball-full-time')
    const { stat } = selectedRecords({ stat: 'rebounds' }, VARIABLES, data) as {
      stat: { home: number; away: number; players: { value: number; side: string }[] }
    }
    expect(stat.home + stat.away).toBeGreaterThan(0)
    expect(stat.players.map(({ value }) => value)).toEqual(
      [...stat.players.map(({ value }) => value)].sort((a, b) => b - a),
    )
  })
})

describe('[live-path 13] on air', () => {
  let production: Production
  let api: Api
  const GRAPHIC = 'Match partner'

  beforeAll(async () => {
    production = await startProduction()
    api = new Api(production.server.origin, production.apiKey)
    const { sql } = production.server.database
    const controlVariables = TYPES.map((type) => ({
      id: type,
      name: type,
      type,
      ...(type === 'set' && { defaultValue: 1 }),
    }))
    await sql`update graphic_version set state_machine = ${sql.json({ controlVariables })}
      where graphic_id = ${production.preset(GRAPHIC).graphicId}`
    await sql`update preset set variable_values = '{}' where id = ${production.preset(GRAPHIC).id}`
    await sql`select pg_notify('catalog', ${JSON.stringify({ theme: production.themeId })}),
      pg_notify('catalog', ${JSON.stringify({ room: production.controlRoomId })})`
  })
  afterAll(() => production.close())

  async function onAir(match: object, values: object) {
    const { id: matchId } = await api.post<{ id: number }>('/v2/matches', { date: '2027-01-10T15:00:00Z', ...match })
    const overlay = await api.post<{ id: number; key: string }>('/v1/overlays', {
      name: 'Selected records',
      matchId,
      controlRoomId: production.controlRoomId,
    })
    const renderer = new Renderer({
      url: `${production.server.origin.replace('http', 'ws')}/overlay/${overlay.key}/socket`,
    })
    onTestFinished(() => renderer.close())
    const { id: presetId, graphicId } = production.preset(GRAPHIC)
    const command = (action: string, variableValues: object) =>
      production.call('POST', `/v2/overlays/${overlay.id}/graphics/commands`, { action, presetId, variableValues })
    await expect.poll(async () => (await command('show', values)).status).toBe(200)
    const selected = () => {
      const data = renderer.shows().get(graphicId)?.data as { selected?: Record<string, object> } | undefined
      return data?.selected ?? {}
    }
    await renderer.waitFor(() => renderer.shows().has(graphicId))
    const record = (fact: object) => api.post<{ id: number }>(`/v2/matches/${matchId}/facts`, fact)
    return { matchId, overlay, renderer, selected, command, record }
  }

  it('tennis singles: a set that has not begun is absent until it has, a player by id, a team is none of the match', async () => {
    const { competitionId, squads } = await createLeague(api, 'tennis', 2)
    const [home, away] = squads.map(({ playerIds }) => playerIds[0])
    const competitors = [
      { entityType: 'player', entityId: home, isHome: true },
      { entityType: 'player', entityId: away, isHome: false },
    ]
    const { venueId } = production
    await api.call('PATCH', `/v1/venues/${venueId}`, { courts: ['Centre Court', 'Court 1'] })
    const live = await onAir(
      { competitionId, competitorsType: 'singles', competitors, venueId },
      { player: away, court: 2, match: null },
    )
    expect(live.selected()).toMatchObject({ player: { id: away, teamId: null }, court: { name: 'Court 1' } })
    expect(live.selected()).not.toHaveProperty('set')
    await live.record({ type: 'matchStart', playerId: home })
    await live.record({ type: 'ace', playerId: home })
    await live.renderer.waitFor(() => 'set' in live.selected())
    expect(live.selected().set).toMatchObject({ number: 1, type: 'set', home: 0, away: 0 })
    const refused = await live.command('update', { team: squads[0]?.teamId })
    expect([refused.status, Object.keys(refused.body.details as object)]).toEqual([400, ['body.variableValues.team']])
    await live.command('update', { stat: 'aces', set: null })
    // the ace may come behind the update that selects it
    await live.renderer.waitFor(() => (live.selected().stat as { home?: number } | undefined)?.home === 1)
    expect(live.selected()).toMatchObject({
      set: { number: 1 },
      stat: { name: 'aces', home: 1, away: 0, players: [{ playerId: home, value: 1 }] },
    })
  })

  it('a player who leaves the roster and a fact that is erased become absent; the graphic stays', async () => {
    const { competitionId, squads } = await createLeague(api, 'basketball', 2)
    const [home, away] = squads
    const live = await onAir(
      { competitionId, homeTeamId: home?.teamId, awayTeamId: away?.teamId },
      { team: away?.teamId },
    )
    const gone = home?.playerIds.at(-1)
    await live.record({ type: 'matchStart' })
    const { id } = await live.record({ type: 'threePointer', teamId: home?.teamId, playerId: home?.playerIds[0] })
    expect((await live.command('update', { player: gone, fact: id, teamStat: 1 })).status).toBe(200)
    await live.renderer.waitFor(() => 'player' in live.selected() && 'fact' in live.selected())
    expect(live.selected()).toMatchObject({ player: { id: gone }, fact: { id, points: 3 } })
    expect(live.selected()).not.toHaveProperty('team')
    const { firstName, lastName } = live.selected().player as { firstName: string; lastName: string }
    const rows = async (path = `/v2/overlays/${live.overlay.id}/as-run`) => {
      const log = await production.call('GET', path)
      return (log.body.asRun as { values: object; names?: object }[]).map(({ values, names }) => ({ values, names }))
    }
    const named = {
      player: `${firstName} ${lastName}`,
      fact: expect.stringContaining('threePointer'),
      teamStat: expect.any(String),
    }
    expect(await rows()).toEqual([
      { values: { team: away?.teamId }, names: { team: expect.any(String) } },
      { values: expect.objectContaining({ player: gone, fact: id }), names: expect.objectContaining(named) },
    ])
    expect(await rows(`/v2/matches/${live.matchId}/as-run`)).toEqual(await rows())
    await api.call('DELETE', `/v2/matches/${live.matchId}/facts/${id}`)
    await live.renderer.waitFor(() => !('fact' in live.selected()))
    const left = await production.call('DELETE', `/v1/teams/${home?.teamId}/players/${gone}`)
    expect(left.status, JSON.stringify(left.body)).toBeLessThan(300)
    await live.renderer.waitFor(() => !('player' in live.selected()))
    expect(live.selected()).toHaveProperty('teamStat')
    // the ids of what is gone are all that is left
    const { names } = (await rows()).at(-1) ?? {}
    expect(names).toHaveProperty('teamStat')
    expect(names).not.toHaveProperty('player')
    expect(names).not.toHaveProperty('fact')
  })
})
