import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bench, type Fixture, type Lineup, lineupOf, starters, startFixture } from './lineup-support.ts'
import { badFields, newTeam, wide } from './roster-support.ts'
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

describe('replacing line-ups', () => {
  it('[domain 5.5] answers 200 with the line-ups of the match: starters first, each in the order sent', async () => {
    const order = [squad[3], squad[9], squad[0]] as number[]
    const answer = await fixture.put([
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
    expect(lineupOf(lineups, home)?.formation).toBe('4-2-3-1')
    expect(lineupOf(lineups, home)?.players.map(({ id, starting }) => [id, starting])).toEqual([
      [order[0], true],
      [order[1], true],
      [order[2], true],
      [squad[12], false],
    ])
    expect(lineupOf(lineups, home)?.players[1]).toMatchObject({ number: '07', position: 'F9', captain: true })
    expect(lineupOf(lineups, home)?.players[0]).toMatchObject({ number: '5', position: 'CB', captain: false })
    expect(await fixture.get()).toEqual(lineups)
  })

  it('[domain 5.5] replaces only the teams sent, and each of these whole', async () => {
    await fixture.put([
      { teamId: home, formation: '4-4-2', players: eleven() },
      { teamId: away, formation: '3-5-2', players: starters(guests.slice(0, 5)) },
    ])
    const before = lineupOf(await fixture.get(), away)
    await fixture.put([{ teamId: home, players: bench(squad.slice(0, 2)) }])
    const after = await fixture.get()
    expect(lineupOf(after, away)).toEqual(before)
    expect(lineupOf(after, home)).toMatchObject({
      formation: null,
      players: [{ starting: false }, { starting: false }],
    })
  })

  it('[domain 5.5] no players clears the line-up, which the roster does not fill again', async () => {
    await fixture.put([{ teamId: home, players: eleven() }])
    expect((await fixture.put([{ teamId: home, players: [] }])).status).toBe(200)
    const lineups = await fixture.get()
    expect(lineupOf(lineups, home)?.players).toEqual([])
    expect(lineupOf(lineups, away)?.players).toHaveLength(18)
  })

  it('[domain 5.5] a full team and bench are accepted, one more of either is refused by name', async () => {
    const full = [...eleven(), ...bench(squad.slice(11))]
    expect((await fixture.put([{ teamId: home, players: full }])).status).toBe(200)
    expect(badFields(await fixture.put([{ teamId: home, players: starters(squad.slice(0, 13)) }]))).toEqual([
      400,
      ['body.teams[0].players[11].starting', 'body.teams[0].players[12].starting'],
    ])
    expect(badFields(await fixture.put([{ teamId: home, players: bench(squad.slice(0, 8)) }]))).toEqual([
      400,
      ['body.teams[0].players[7].starting'],
    ])
    expect(lineupOf(await fixture.get(), home)?.players).toHaveLength(18)
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
    expect((await fixture.put([{ teamId: home, players: starters(squad.slice(0, 2)) }], id)).status).toBe(200)
    const players = [...starters(squad.slice(0, 3)), ...bench(squad.slice(3, 4))]
    const answer = await fixture.put([{ teamId: home, players }], id)
    expect(answer.body.details).toEqual({
      'body.teams[0].players[2].starting': { message: 'more than 2 starters', value: true },
      'body.teams[0].players[3].starting': { message: 'more than 0 on the bench', value: false },
    })
    const both = await production.call('GET', `/v2/matches?include=l`)
    const included = new Map((both.body.matches as { id: number; lineups: Lineup[] }[]).map((one) => [one.id, one]))
    expect(included.get(matchId)?.lineups).toEqual(await fixture.get())
    expect(included.get(id)?.lineups.map(({ players }) => players.length)).toEqual([2, 18])
  })

  it('[spec: lineup] a bad value each has an entry of its own, and nothing of any team changes', async () => {
    await fixture.put([{ teamId: home, players: eleven() }])
    const before = await fixture.get()
    const other = await newTeam(production, 'Elsewhere United')
    const [one = 0, two = 0, three = 0] = squad
    const answer = await fixture.put([
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
    expect(await fixture.get()).toEqual(before)
  })

  it('[contract: ownership] a foreign team in the body is 403', async () => {
    const answer = await fixture.put([{ teamId: stranger.teamIds[0], players: [] }])
    expect([answer.status, answer.body.code]).toEqual([403, 'FORBIDDEN'])
  })

  it('[domain 5.5] a number that a team mate keeps from the roster is taken; without one it is free', async () => {
    const [keeper = 0, back = 0] = squad
    const players = [
      { playerId: keeper, starting: true },
      { playerId: back, starting: true, number: '1' },
    ]
    expect(badFields(await fixture.put([{ teamId: home, players }]))).toEqual([
      400,
      ['body.teams[0].players[1].number'],
    ])
    const swapped = [
      { playerId: keeper, starting: true, number: '2' },
      { playerId: back, starting: true, number: '1' },
    ]
    expect((await fixture.put([{ teamId: home, players: swapped }])).status).toBe(200)
    const empty = swapped.map((player) => ({ ...player, number: '' }))
    expect((await fixture.put([{ teamId: home, players: empty }])).status).toBe(200)
    expect(
      (await fixture.put([{ teamId: home, players: swapped.map((one) => ({ ...one, number: null })) }])).status,
    ).toBe(200)
    expect(lineupOf(await fixture.get(), home)?.players.map(({ number }) => number)).toEqual(['1', '2'])
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
    const answer = await fixture.put([{ teamId: home, formation: wide(32), players: [player] }])
    expect(answer.status).toBe(200)
    expect(lineupOf(answer.body.lineups as Lineup[], home)).toMatchObject({
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
    await fixture.put([{ teamId: home, players: [] }])
    expect((await send()).body).toEqual(first.body)
    expect(lineupOf(await fixture.get(), home)?.players).toEqual([])
  })

  it('who left the roster since stays in the line-up, and cannot be named again', async () => {
    const player = await production.call('POST', `/v1/teams/${home}/players`, { firstName: 'Late', lastName: 'Leaver' })
    const id = Number(player.body.id)
    await fixture.put([{ teamId: home, players: [{ playerId: id, starting: true, number: '98' }] }])
    await production.call('DELETE', `/v1/teams/${home}/players/${id}`)
    expect(lineupOf(await fixture.get(), home)?.players).toMatchObject([{ id, firstName: 'Late', number: '98' }])
    expect(badFields(await fixture.put([{ teamId: home, players: starters([id]) }]))).toEqual([
      400,
      ['body.teams[0].players[0].playerId'],
    ])
  })
})
