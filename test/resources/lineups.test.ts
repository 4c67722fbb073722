import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { newKey } from '../support/app.ts'
import { Renderer } from '../support/renderer.ts'
import { badFields, newTeam, wide } from './roster-support.ts'
import { type Production, produce, startProduction } from './support.ts'

type Player = { id: number; teamId: number; number: string | null; starting: boolean; captain: boolean }
type Lineup = { teamId: number; formation: string | null; players: Player[]; staff: object[] }

let production: Production
let stranger: Omit<Production, 'close'>
let matchId: number
let home: number
let away: number
/** The eighteen of each squad; the first eleven start by default, and the match allows a bench of seven. */
let squad: number[]
let guests: number[]

beforeAll(async () => {
  production = await startProduction()
  stranger = await produce(production.server)
  matchId = production.matchId
  ;[home = 0, away = 0] = production.teamIds
  squad = production.playerIds[home] ?? []
  guests = production.playerIds[away] ?? []
})
afterAll(() => production.close())
beforeEach(async () => {
  await production.server.database.sql`delete from lineup where match_id = ${matchId}`
})

const get = async (query = '') => {
  const { body } = await production.call('GET', `/v1/matches/${matchId}/lineup${query}`)
  return body.lineups as Lineup[]
}
const of = (lineups: Lineup[], teamId: number) => lineups.find((one) => one.teamId === teamId)
const put = (teams: unknown, id = matchId) => production.call('PUT', `/v2/matches/${id}/lineup`, { teams })
const starters = (ids: readonly number[]) => ids.map((playerId) => ({ playerId, starting: true }))
const bench = (ids: readonly number[]) => ids.map((playerId) => ({ playerId, starting: false }))
const eleven = () => starters(squad.slice(0, 11))

describe('reading a line-up', () => {
  it('[domain 5.5] before any is set it is the roster’s starters and bench, home team first, with the staff', async () => {
    const [first, second, ...rest] = await get()
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
    for (const { teamId, players } of await get())
      for (const player of players) expect([player.teamId, typeof player.starting]).toEqual([teamId, 'boolean'])
  })

  it('[domain 5.5] teamId and starting narrow it; a team that does not play is refused', async () => {
    expect((await get(`?teamId=${away}`)).map(({ teamId }) => teamId)).toEqual([away])
    expect((await get('?starting=true')).map(({ players }) => players.length)).toEqual([11, 11])
    expect((await get(`?starting=false&teamId=${home}`)).map(({ players }) => players.length)).toEqual([7])
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
      expect((await put([{ teamId: home, players: [] }], id)).status).toBe(status)
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

describe('replacing line-ups', () => {
  it('[domain 5.5] answers 200 with the line-ups of the match: starters first, each in the order sent', async () => {
    const order = [squad[3], squad[9], squad[0]] as number[]
    const answer = await put([
      {
        teamId: home,
        formation: '4-2-3-1',
        players: [...bench([squad[12] ?? 0]), ...starters(order)].map((player) =>
          player.playerId === order[1] ? { ...player, number: '07', position: 'F9', captain: true } : player,
        ),
      },
    ])
    expect(answer.status).toBe(200)
    expect(answer.body.matchId).toBe(matchId)
    const lineups = answer.body.lineups as Lineup[]
    expect(of(lineups, home)?.formation).toBe('4-2-3-1')
    expect(of(lineups, home)?.players.map(({ id, starting }) => [id, starting])).toEqual([
      [order[0], true],
      [order[1], true],
      [order[2], true],
      [squad[12], false],
    ])
    expect(of(lineups, home)?.players[1]).toMatchObject({ number: '07', position: 'F9', captain: true })
    expect(of(lineups, home)?.players[0]).toMatchObject({ number: '5', position: 'CB', captain: false })
    expect(await get()).toEqual(lineups)
  })

  it('[domain 5.5] replaces only the teams sent, and each of these whole', async () => {
    await put([
      { teamId: home, formation: '4-4-2', players: eleven() },
      { teamId: away, formation: '3-5-2', players: starters(guests.slice(0, 5)) },
    ])
    const before = of(await get(), away)
    await put([{ teamId: home, players: bench(squad.slice(0, 2)) }])
    const after = await get()
    expect(of(after, away)).toEqual(before)
    expect(of(after, home)).toMatchObject({ formation: null, players: [{ starting: false }, { starting: false }] })
  })

  it('[domain 5.5] no players clears the line-up, which the roster does not fill again', async () => {
    await put([{ teamId: home, players: eleven() }])
    expect((await put([{ teamId: home, players: [] }])).status).toBe(200)
    const lineups = await get()
    expect(of(lineups, home)?.players).toEqual([])
    expect(of(lineups, away)?.players).toHaveLength(18)
  })

  it('[domain 5.5] a full team and bench are accepted, one more of either is refused by name', async () => {
    const full = [...eleven(), ...bench(squad.slice(11))]
    expect((await put([{ teamId: home, players: full }])).status).toBe(200)
    expect(badFields(await put([{ teamId: home, players: starters(squad.slice(0, 13)) }]))).toEqual([
      400,
      ['body.teams[0].players[11].starting', 'body.teams[0].players[12].starting'],
    ])
    expect(badFields(await put([{ teamId: home, players: bench(squad.slice(0, 8)) }]))).toEqual([
      400,
      ['body.teams[0].players[7].starting'],
    ])
    expect(of(await get(), home)?.players).toHaveLength(18)
  })

  it('[domain 5.5] the sizes are those that the match was configured with', async () => {
    const match = await production.call('POST', '/v2/matches', {
      competitionId: production.competitionId,
      date: '2026-12-01T12:00:00Z',
      homeTeamId: home,
      awayTeamId: away,
      config: { startingSize: 2, benchSize: 0 },
    })
    const id = Number(match.body.id)
    expect((await put([{ teamId: home, players: starters(squad.slice(0, 2)) }], id)).status).toBe(200)
    const players = [...starters(squad.slice(0, 3)), ...bench(squad.slice(3, 4))]
    const answer = await put([{ teamId: home, players }], id)
    expect(answer.body.details).toEqual({
      'body.teams[0].players[2].starting': { message: 'more than 2 starters', value: true },
      'body.teams[0].players[3].starting': { message: 'more than 0 on the bench', value: false },
    })
    const both = await production.call('GET', `/v2/matches?include=l`)
    const included = new Map((both.body.matches as { id: number; lineups: Lineup[] }[]).map((one) => [one.id, one]))
    expect(included.get(matchId)?.lineups).toEqual(await get())
    expect(included.get(id)?.lineups.map(({ players }) => players.length)).toEqual([2, 18])
  })

  it('[spec: lineup] a bad value each has an entry of its own, and nothing of any team changes', async () => {
    await put([{ teamId: home, players: eleven() }])
    const before = await get()
    const other = await newTeam(production, 'Elsewhere United')
    const [one = 0, two = 0, three = 0] = squad
    const answer = await put([
      {
        teamId: home,
        players: [
          { playerId: one, starting: true, captain: true, number: '77' },
          { playerId: one, starting: true },
          { playerId: guests[0], starting: true },
          { playerId: two, starting: true, captain: true, number: '77' },
          { playerId: 2_147_483_647, starting: true },
          { playerId: stranger.playerIds[stranger.teamIds[0] ?? 0]?.[0], starting: true },
          { playerId: three, starting: false, captain: true },
        ],
      },
      { teamId: away, players: starters(guests.slice(0, 11)) },
      { teamId: other, players: [] },
      { teamId: home, players: [] },
      { teamId: 2_147_483_647, players: [] },
    ])
    expect(answer.status).toBe(400)
    expect(answer.body.details).toEqual({
      'body.teams[0].players[1].playerId': { message: 'named twice', value: one },
      'body.teams[0].players[2].playerId': { message: 'not on the roster of the team', value: guests[0] },
      'body.teams[0].players[3].captain': { message: 'a second captain', value: true },
      'body.teams[0].players[3].number': { message: 'worn by another player', value: '77' },
      'body.teams[0].players[4].playerId': { message: 'not on the roster of the team', value: 2_147_483_647 },
      'body.teams[0].players[5].playerId': expect.objectContaining({ message: 'not on the roster of the team' }),
      'body.teams[0].players[6].captain': { message: 'a second captain', value: true },
      'body.teams[2].teamId': { message: 'not a team of the match', value: other },
      'body.teams[3].teamId': { message: 'named twice', value: home },
      'body.teams[4].teamId': { message: 'not a team of the match', value: 2_147_483_647 },
    })
    expect(await get()).toEqual(before)
  })

  it('[contract: ownership] a foreign team in the body is 403', async () => {
    const answer = await put([{ teamId: stranger.teamIds[0], players: [] }])
    expect([answer.status, answer.body.code]).toEqual([403, 'FORBIDDEN'])
  })

  it('[domain 5.5] a number that a team mate keeps from the roster is taken; without one it is free', async () => {
    const [keeper = 0, back = 0] = squad
    const players = [
      { playerId: keeper, starting: true },
      { playerId: back, starting: true, number: '1' },
    ]
    expect(badFields(await put([{ teamId: home, players }]))).toEqual([400, ['body.teams[0].players[1].number']])
    const swapped = [
      { playerId: keeper, starting: true, number: '2' },
      { playerId: back, starting: true, number: '1' },
    ]
    expect((await put([{ teamId: home, players: swapped }])).status).toBe(200)
    const empty = swapped.map((player) => ({ ...player, number: '' }))
    expect((await put([{ teamId: home, players: empty }])).status).toBe(200)
    expect((await put([{ teamId: home, players: swapped.map((one) => ({ ...one, number: null })) }])).status).toBe(200)
    expect(of(await get(), home)?.players.map(({ number }) => number)).toEqual(['1', '2'])
  })

  const one = () => ({ playerId: squad[0], starting: true })
  const team = (players: unknown, more: object = {}) => ({ teams: [{ teamId: home, players, ...more }] })
  it.each<[string, () => unknown, string]>([
    ['no teams', () => ({}), 'body.teams'],
    ['an empty list of teams', () => ({ teams: [] }), 'body.teams'],
    ['101 teams', () => ({ teams: Array(101).fill({ teamId: home, players: [] }) }), 'body.teams'],
    ['no players', () => team(undefined), 'body.teams[0].players'],
    ['players that are no list', () => team({}), 'body.teams[0].players'],
    ['201 players', () => team(Array(201).fill(one())), 'body.teams[0].players'],
    ['a teamId of 0', () => ({ teams: [{ teamId: 0, players: [] }] }), 'body.teams[0].teamId'],
    ['a teamId beyond int32', () => ({ teams: [{ teamId: 2_147_483_648, players: [] }] }), 'body.teams[0].teamId'],
    ['a playerId as text', () => team([{ ...one(), playerId: '1' }]), 'body.teams[0].players[0].playerId'],
    ['a playerId of 0', () => team([{ ...one(), playerId: 0 }]), 'body.teams[0].players[0].playerId'],
    ['no starting', () => team([{ playerId: squad[0] }]), 'body.teams[0].players[0].starting'],
    ['starting of null', () => team([{ ...one(), starting: null }]), 'body.teams[0].players[0].starting'],
    ['captain as text', () => team([{ ...one(), captain: 'yes' }]), 'body.teams[0].players[0].captain'],
    ['a number of 4 characters', () => team([{ ...one(), number: '1000' }]), 'body.teams[0].players[0].number'],
    ['a number that is no text', () => team([{ ...one(), number: 7 }]), 'body.teams[0].players[0].number'],
    ['a number with NUL', () => team([{ ...one(), number: '\u0000' }]), 'body.teams[0].players[0].number'],
    ['half a surrogate pair', () => team([{ ...one(), position: '\ud800' }]), 'body.teams[0].players[0].position'],
    ['an empty position', () => team([{ ...one(), position: '' }]), 'body.teams[0].players[0].position'],
    ['a position of 256', () => team([{ ...one(), position: wide(256) }]), 'body.teams[0].players[0].position'],
    ['an empty formation', () => team([], { formation: '' }), 'body.teams[0].formation'],
    ['a formation of 33', () => team([], { formation: wide(33) }), 'body.teams[0].formation'],
  ])('[Limits] %s is refused and named', async (_, body, field) => {
    const answer = await production.call('PUT', `/v2/matches/${matchId}/lineup`, body())
    expect(badFields(answer)).toEqual([400, [field]])
  })

  it('[Limits] the longest number, position and formation are accepted, in code points', async () => {
    const player = { ...one(), number: wide(3), position: wide(255) }
    const answer = await put([{ teamId: home, formation: wide(32), players: [player] }])
    expect(answer.status).toBe(200)
    expect(of(answer.body.lineups as Lineup[], home)).toMatchObject({
      formation: wide(32),
      players: [{ number: wide(3), position: wide(255) }],
    })
  })

  it('[contract: Idempotency-Key] a repeated request answers the same without doing it again', async () => {
    const headers = { 'Idempotency-Key': randomUUID() }
    const send = () =>
      production.server.call('PUT', `/v2/matches/${matchId}/lineup`, {
        key: production.apiKey,
        body: { teams: [{ teamId: home, players: eleven() }] },
        headers,
      })
    const first = await send()
    await put([{ teamId: home, players: [] }])
    expect((await send()).body).toEqual(first.body)
    expect(of(await get(), home)?.players).toEqual([])
  })

  it('who left the roster since stays in the line-up, and cannot be named again', async () => {
    const player = await production.call('POST', `/v1/teams/${home}/players`, { firstName: 'Late', lastName: 'Leaver' })
    const id = Number(player.body.id)
    await put([{ teamId: home, players: [{ playerId: id, starting: true, number: '98' }] }])
    await production.call('DELETE', `/v1/teams/${home}/players/${id}`)
    expect(of(await get(), home)?.players).toMatchObject([{ id, firstName: 'Late', number: '98' }])
    expect(badFields(await put([{ teamId: home, players: starters([id]) }]))).toEqual([
      400,
      ['body.teams[0].players[0].playerId'],
    ])
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
    await put([{ teamId: home, formation: '4-3-3', players: eleven() }])
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
        put([{ teamId: home, players: starters(squad.slice(round, round + 6)) }]),
        put([{ teamId: away, players: starters(guests.slice(round, round + 7)) }]),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      const lineups = await get()
      expect(of(lineups, home)?.players.map(({ id }) => id)).toEqual(squad.slice(round, round + 6))
      expect(of(lineups, away)?.players.map(({ id }) => id)).toEqual(guests.slice(round, round + 7))
    }
  })

  it('of the same teams one holds whole, whatever order they name the teams in', async () => {
    const version = (from: number, reversed: boolean) => {
      const teams = [
        { teamId: home, formation: `${from}`, players: starters(squad.slice(from, from + 5)) },
        { teamId: away, formation: `${from}`, players: starters(guests.slice(from, from + 5)) },
      ]
      return put(reversed ? teams.reverse() : teams)
    }
    const answers = await Promise.all(Array.from({ length: 8 }, (_, from) => version(from, from % 2 === 1)))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    const lineups = await get()
    const from = Number(of(lineups, home)?.formation)
    expect(of(lineups, away)?.formation).toBe(String(from))
    expect(of(lineups, home)?.players.map(({ id }) => id)).toEqual(squad.slice(from, from + 5))
    expect(of(lineups, away)?.players.map(({ id }) => id)).toEqual(guests.slice(from, from + 5))
  })
})
