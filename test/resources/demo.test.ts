import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { liveData } from '../../src/resources/matches/live-data.ts'
import { type Production, produce, startProduction } from './support.ts'

let production: Production

beforeAll(async () => {
  production = await startProduction()
})
afterAll(() => production.close())

const sections = async () =>
  (await production.call('GET', `/v2/control-rooms/${production.controlRoomId}/sections`)).body as unknown as {
    id: string
  }[]

describe('the demo organization', () => {
  it('[contract: demo] has every part of its result', async () => {
    const { server: _, call: __, preset: ___, fire: ____, close: _____, ...demo } = production
    expect(Object.keys(demo).sort()).toEqual([
      'apiKey',
      'competitionId',
      'controlRoomId',
      'destinationIds',
      'gradeId',
      'inputId',
      'matchId',
      'officialIds',
      'organizationId',
      'overlay',
      'playerIds',
      'presets',
      'sectionIds',
      'streamSettingsId',
      'teamIds',
      'themeId',
      'themeProfileId',
      'venueId',
    ])
    expect(demo.apiKey).toMatch(/^service_/)
    expect(demo.sectionIds).toEqual((await sections()).map(({ id }) => id))
    for (const teamId of demo.teamIds) expect(demo.playerIds[teamId]).toHaveLength(18)
    expect(demo.destinationIds).toHaveLength(2)
    expect(Object.keys(demo.overlay).sort()).toEqual(['controlRoomUrl', 'id', 'key', 'monitoringUrl', 'url'])
    expect(demo.overlay.url).toBe(`${production.server.origin}/overlay/${demo.overlay.key}`)
  })

  it('[contract: demo] has a preset with stored values and exposed variables for each of seven graphics', async () => {
    const { body } = await production.call('GET', `/v2/control-rooms/${production.controlRoomId}/presets`)
    const stored = body as unknown as { id: number; variableValues: object }[]
    expect(new Set(production.presets.map(({ graphicName }) => graphicName)).size).toBe(7)
    for (const preset of production.presets) {
      expect(preset.exposedVariables).not.toHaveLength(0)
      expect(Object.keys(stored.find(({ id }) => id === preset.id)?.variableValues ?? {})).not.toHaveLength(0)
    }
  })

  it('[contract: demo] every preset can be shown, so none stores what its graphic does not know', async () => {
    for (const { name } of production.presets) expect((await production.fire('show', name)).status).toBe(200)
    const read = await production.call('GET', `/v2/overlays/${production.overlay.id}`)
    expect(Object.keys(read.body.manualGraphicState as object)).toHaveLength(7)
    for (const { name } of production.presets) expect((await production.fire('hide', name)).status).toBe(200)
  })

  it('[contract: demo] each call makes an organization of its own', async () => {
    const other = await produce(production.server)
    expect(other.organizationId).not.toBe(production.organizationId)
    expect(other.overlay.key).not.toBe(production.overlay.key)
    expect((await other.call('GET', '/v1/overlays')).body.total).toBe(1)
  })
})

describe('what its graphics show', () => {
  it('[live-path 14] carries match, teams with coach, line-ups, and theme values of the profile over the defaults', async () => {
    const live = await liveData(production.server.database.sql, production.server.origin, production.overlay.id)
    expect(live.themeVariables).toMatchObject({ primaryColor: '#0b1020', accentColor: '#ffd23f' })
    expect(live.data).toMatchObject({
      match: {
        id: production.matchId,
        sport: 'football',
        venue: { name: 'Harbour Lane' },
        score: { home: 0, away: 0 },
      },
      teams: {
        home: { id: production.teamIds[0], abbreviation: 'NOR', coach: 'Astrid Holmgren' },
        away: { id: production.teamIds[1], coach: 'Declan Prycehurst' },
      },
    })
    const lineups = live.data?.lineups
    for (const { players } of [lineups?.home, lineups?.away].filter((lineup) => lineup !== undefined)) {
      expect(players.filter(({ starting }) => starting)).toHaveLength(11)
      expect(players.slice(11).every(({ starting }) => !starting)).toBe(true)
      expect(players.filter(({ captain }) => captain)).toHaveLength(1)
    }
  })

  it('[domain 5.5] a stored line-up takes the place of the roster', async () => {
    const { sql } = production.server.database
    const [teamId = 0] = production.teamIds
    const [player = 0] = production.playerIds[teamId] ?? []
    await sql`insert into lineup (match_id, team_id) values (${production.matchId}, ${teamId})`
    await sql`insert into lineup_player (match_id, team_id, player_id, position_order, starting, number)
      values (${production.matchId}, ${teamId}, ${player}, 1, true, '07')`
    const { data } = await liveData(sql, production.server.origin, production.overlay.id)
    expect(data?.lineups.home.players).toMatchObject([{ id: player, number: '07', starting: true }])
    expect(data?.lineups.away.players).toHaveLength(18)
  })

  it('[live-path 13] a variable that names a record brings the record as data.selected, of the match only', async () => {
    const { sql } = production.server.database
    const { graphicId } = production.preset('Head coach')
    await sql`
      update graphic_version set state_machine = jsonb_set(state_machine, '{controlVariables}',
        state_machine->'controlVariables' || '[{"id":"scorer","name":"scorer","type":"player"}]')
      where graphic_id = ${graphicId}`
    await sql`select pg_notify('catalog', ${JSON.stringify({ theme: production.themeId })})`
    const [, awayId = 0] = production.teamIds
    const [player = 0] = production.playerIds[awayId] ?? []
    await expect.poll(async () => (await production.fire('show', 'Head coach', { scorer: player })).status).toBe(200)
    const live = await liveData(sql, production.server.origin, production.overlay.id)
    const state = await production.server.database.sql`
      select snapshot->'context'->'graphics'->${graphicId} as graphic from actor where ref = ${`overlay/${production.overlay.id}`}`
    expect(live.selected?.(state[0]?.graphic)).toMatchObject({ scorer: { id: player, teamId: awayId } })
    const refused = await production.fire('show', 'Head coach', { scorer: 2_000_000_000 })
    expect([refused.status, refused.body.details]).toEqual([
      400,
      { 'body.variableValues.scorer': { message: 'not a player of the match', value: 2_000_000_000 } },
    ])
    expect((await production.fire('show', 'Head coach', { scorer: 'x' })).status).toBe(400)
  })
})
