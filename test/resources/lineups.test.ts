import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { newKey } from '../support/app.ts'
import { Renderer } from '../support/renderer.ts'
import { type Fixture, type Lineup, lineupOf, starters, startFixture } from './lineup-support.ts'
import { badFields } from './roster-support.ts'
import type { Production } from './support.ts'

let fixture: Fixture
let production: Production
let stranger: Omit<Production, 'close'>
let matchId: number
let home: number
let away: number
let squad: readonly number[]
let guests: readonly number[]

beforeAll(async () => {
  fixture = await startFixture()
  ;({ production, stranger, matchId, home, away, squad, guests } = fixture)
})
afterAll(() => production.close())
beforeEach(() => fixture.clear())

const eleven = () => starters(squad.slice(0, 11))

describe('reading a line-up', () => {
  it('[domain 5.5] before any is set it is the roster’s starters and bench, home team first, with the staff', async () => {
    const [first, second, ...rest] = await fixture.get()
    expect(rest).toEqual([])
    expect([first?.teamId, second?.teamId]).toEqual([home, away])
    expect(first?.formation).toBeNull()
    expect(first?.players.map(({ starting }) => starting)).toEqual([...Array(11).fill(true), ...Array(7).fill(false)])
    expect(first?.players[0]).toEqual({
      id: squad[0],
      teamId: home,
      firstName: 'Matthías',
      lastName: 'Þórðarson',
      gfxFirstName: null,
      gfxLastName: null,
      number: '1',
      position: 'GK',
      positionType: 'goalkeeper',
      starting: true,
      captain: false,
      photoUrl: null,
    })
    expect(first?.staff).toContainEqual({
      firstName: expect.any(String),
      lastName: expect.any(String),
      role: 'manager',
    })
  })

  it('[Versioning 7] every player carries teamId and a boolean starting', async () => {
    for (const { teamId, players } of await fixture.get())
      for (const player of players) expect([player.teamId, typeof player.starting]).toEqual([teamId, 'boolean'])
  })

  it('[domain 5.5] teamId and starting narrow it; a team that does not play is refused', async () => {
    expect((await fixture.get(`?teamId=${away}`)).map(({ teamId }) => teamId)).toEqual([away])
    expect((await fixture.get('?starting=true')).map(({ players }) => players.length)).toEqual([11, 11])
    expect((await fixture.get(`?starting=false&teamId=${home}`)).map(({ players }) => players.length)).toEqual([7])
    const answer = await production.call('GET', `/v1/matches/${matchId}/lineup?teamId=${stranger.teamIds[0]}`)
    expect(badFields(answer)).toEqual([400, ['query.teamId']])
    expect(badFields(await production.call('GET', `/v1/matches/${matchId}/lineup?starting=maybe`))).toEqual([
      400,
      ['query.starting'],
    ])
  })

  it('[Authentication 11] foreign 403, missing 404, for reading and replacing', async () => {
    for (const [id, status] of [
      [stranger.matchId, 403],
      [2_147_483_647, 404],
    ] as const) {
      expect((await production.call('GET', `/v1/matches/${id}/lineup`)).status).toBe(status)
      expect((await fixture.put([{ teamId: home, players: [] }], id)).status).toBe(status)
    }
  })

  it('[Authentication 4] matches:read reads, matches:write replaces', async () => {
    const status = async (scope: string, method: string, version: string, body?: object) => {
      const { key } = await newKey(production.server.database, production.organizationId, [scope])
      return (await production.server.call(method, `/${version}/matches/${matchId}/lineup`, { key, body })).status
    }
    const body = { teams: [{ teamId: home, players: [] }] }
    expect(await status('matches:read', 'GET', 'v1')).toBe(200)
    expect(await status('teams:write', 'GET', 'v1')).toBe(403)
    expect(await status('matches:read', 'PUT', 'v2', body)).toBe(403)
    expect(await status('matches:write', 'PUT', 'v2', body)).toBe(200)
  })
})

describe('graphics on air', () => {
  type Data = { lineups: { home: Lineup; away: Lineup }; match: { venue: { name: string } | null } }
  const onAir = async () => {
    const { overlay, server } = production
    const renderer = new Renderer({ url: `ws://127.0.0.1:${server.port}/overlay/${overlay.key}/socket` })
    onTestFinished(async () => {
      renderer.close()
      await production.call('POST', `/v2/overlays/${overlay.id}/graphics/commands`, { action: 'hideAll' })
    })
    expect((await production.fire('show', 'Home line-up')).status).toBe(200)
    const data = () => [...renderer.shows().values()][0]?.data as Data | undefined
    await renderer.waitFor(() => data() !== undefined)
    return { data, until: (holds: (data: Data) => boolean) => renderer.waitFor(() => holds(data() as Data)) }
  }

  it('[issue: live data] follow the line-up, the roster, names and the venue without a reload', async () => {
    const { data, until } = await onAir()
    expect(data()?.lineups.home.players).toHaveLength(18)
    await fixture.put([{ teamId: home, formation: '4-3-3', players: eleven() }])
    await until(({ lineups }) => lineups.home.formation === '4-3-3' && lineups.home.players.length === 11)
    const [first = 0] = squad
    await production.call('PATCH', `/v1/teams/${home}/players/${first}`, { lastName: 'Renamed', number: '99' })
    await until(
      ({
        lineups: {
          home: { players },
        },
      }) => players.some(({ number }) => number === '99'),
    )
    expect(data()?.lineups.home.players[0]).toMatchObject({ id: first, lastName: 'Renamed', teamId: home })
    await production.call('PATCH', `/v1/venues/${production.venueId}`, { gfxName: 'New Venue' })
    await until(({ match }) => match.venue?.name === 'New Venue')
    await production.call('PATCH', `/v1/teams/${away}/players/${guests[0]}`, { defaultStarter: false })
    await until(({ lineups }) => lineups.away.players.length === 17)
    await production.call('PATCH', `/v1/teams/${home}/players/${first}`, { lastName: 'Þórðarson', number: '1' })
    await production.call('PATCH', `/v1/teams/${away}/players/${guests[0]}`, { defaultStarter: true })
  })
})

describe('line-ups sent at the same time', () => {
  it('of different teams both hold', async () => {
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all([
        fixture.put([{ teamId: home, players: starters(squad.slice(round, round + 6)) }]),
        fixture.put([{ teamId: away, players: starters(guests.slice(round, round + 7)) }]),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      const lineups = await fixture.get()
      expect(lineupOf(lineups, home)?.players.map(({ id }) => id)).toEqual(squad.slice(round, round + 6))
      expect(lineupOf(lineups, away)?.players.map(({ id }) => id)).toEqual(guests.slice(round, round + 7))
    }
  })

  it('of the same teams one holds whole, whatever order they name the teams in', async () => {
    const version = (from: number, reversed: boolean) => {
      const teams = [
        { teamId: home, formation: `${from}`, players: starters(squad.slice(from, from + 5)) },
        { teamId: away, formation: `${from}`, players: starters(guests.slice(from, from + 5)) },
      ]
      return fixture.put(reversed ? teams.reverse() : teams)
    }
    const answers = await Promise.all(Array.from({ length: 8 }, (_, from) => version(from, from % 2 === 1)))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    const lineups = await fixture.get()
    const from = Number(lineupOf(lineups, home)?.formation)
    expect(lineupOf(lineups, away)?.formation).toBe(String(from))
    expect(lineupOf(lineups, home)?.players.map(({ id }) => id)).toEqual(squad.slice(from, from + 5))
    expect(lineupOf(lineups, away)?.players.map(({ id }) => id)).toEqual(guests.slice(from, from + 5))
  })
})
