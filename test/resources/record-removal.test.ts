import { setTimeout as pause } from 'node:timers/promises'
import type { TransactionSql } from 'postgres'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { connectProvider, disconnectProvider } from '../../src/resources/providers/commands.ts'
import { newKey } from '../support/app.ts'
import { type Production, produce, startProduction } from './support.ts'

let production: Production
let stranger: Omit<Production, 'close'>
beforeAll(async () => {
  production = await startProduction()
  stranger = await produce(production.server)
})
afterAll(() => production.close())

const PATHS = {
  competition: '/v1/competitions',
  club: '/v1/teams/clubs',
  team: '/v1/teams',
  player: '/v1/players',
  official: '/v1/officials',
  venue: '/v1/venues',
} as const
type Kind = keyof typeof PATHS
const KINDS = Object.keys(PATHS) as Kind[]

const at = (kind: Kind, id: unknown) => `${PATHS[kind]}/${id}`
const remove = (kind: Kind, id: unknown) => production.call('DELETE', at(kind, id))

async function made(path: string, body: object, method = 'POST') {
  const answer = await production.call(method, path, body)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return Number(answer.body.id)
}
const newTeam = (more: object = {}) => made('/v1/teams', { name: 'Fresh Rovers', sport: 'football', ...more })
const newPlayer = async (teamId: number) =>
  made(`/v1/teams/${teamId}/players`, { firstName: 'Nora', lastName: 'Fresh' })
const newVenue = () => made('/v1/venues', { name: 'Fresh Ground' })
const newMatch = (more: object = {}) =>
  made('/v2/matches', {
    competitionId: production.competitionId,
    homeTeamId: production.teamIds[0],
    awayTeamId: production.teamIds[1],
    date: '2027-03-01T18:00:00Z',
    ...more,
  })

/** One of a kind that nothing uses. */
const unused: Record<Kind, () => Promise<number>> = {
  competition: () =>
    made('/v1/competitions', {
      ...{ name: 'Fresh Cup', sport: 'football', age: 'Senior', gender: 'Mixed', gradeId: production.gradeId },
    }),
  club: () => made('/v1/teams/clubs', { name: 'Fresh Club' }),
  team: () => newTeam(),
  async player() {
    const team = await newTeam()
    const id = await newPlayer(team)
    await production.call('DELETE', `/v1/teams/${team}/players/${id}`)
    return id
  },
  official: () => made('/v1/officials', { firstName: 'Kari', lastName: 'Whistle' }),
  venue: () => newVenue(),
}
const ofStranger = (kind: Kind) =>
  ({
    competition: stranger.competitionId,
    club: 0,
    team: stranger.teamIds[0],
    player: Object.values(stranger.playerIds)[0]?.[0],
    official: stranger.officialIds[0],
    venue: stranger.venueId,
  })[kind]

/** The words of a refused deletion; the record is still there. */
async function usesOf(kind: Kind, id: unknown): Promise<string[]> {
  const { status, body } = await remove(kind, id)
  const uses = body.uses as string[]
  expect([status, body]).toEqual([
    409,
    { message: `The ${kind} is in use: ${uses?.join(', ')}`, code: 'IN_USE', uses: expect.any(Array) },
  ])
  expect((await production.call('GET', at(kind, id))).status).toBe(200)
  return uses
}

describe('[show-control: Records] [issue 21.5] a record that nothing uses', () => {
  it.each(KINDS)('%s is deleted once, told to the audit, and is gone', async (kind) => {
    const id = await unused[kind]()
    expect((await remove(kind, id)).status).toBe(204)
    for (const method of ['GET', 'DELETE'])
      expect([method, (await production.call(method, at(kind, id))).status]).toEqual([method, 404])
    const rows = await production.server.database.sql<{ events: { type: string; name?: string }[] }[]>`
      select events from journal where ref = ${`${kind}/${id}`} order by seq desc limit 1`
    expect(rows[0]?.events).toEqual([
      { type: `${kind}.deleted`, [`${kind}Id`]: id, name: expect.stringMatching(/Fresh|Whistle/) },
    ])
  })

  it.each(KINDS.filter((kind) => kind !== 'club'))(
    '[Authentication 11] %s of another organization is refused',
    async (kind) => {
      const { status, body } = await remove(kind, ofStranger(kind))
      expect([status, body.code]).toEqual([403, 'FORBIDDEN'])
      expect((await remove(kind, 2_147_483_647)).status).toBe(404)
    },
  )

  it.each(KINDS)('[Authentication 5] %s needs the write of its own resource', async (kind) => {
    const id = await unused[kind]()
    const scope = kind === 'official' || kind === 'player' ? 'players' : kind === 'club' ? 'teams' : `${kind}s`
    const call = async (scopes: string) => {
      const { key } = await newKey(production.server.database, production.organizationId, [scopes])
      return (await production.server.call('DELETE', at(kind, id), { key })).status
    }
    expect([await call(`${scope}:read`), await call('matches:write'), await call(`${scope}:write`)]).toEqual([
      403, 403, 204,
    ])
  })

  it('a team goes with its roster and its place in competitions; players stay', async () => {
    const team = await newTeam({ competitionIds: [production.competitionId] })
    const player = await newPlayer(team)
    expect((await remove('team', team)).status).toBe(204)
    expect((await production.call('GET', at('player', player))).status).toBe(200)
    const { body } = await production.call('GET', `/v1/competitions/${production.competitionId}/teams`)
    expect((body.teams as { id: number }[]).map(({ id }) => id)).not.toContain(team)
    expect((await remove('player', player)).status).toBe(204)
  })

  it('a competition goes with its theme profiles', async () => {
    const id = await unused.competition()
    await made(`/v2/competitions/${id}/theme-profiles`, {
      ...{ themeId: production.themeId, name: 'Fresh look', defaultControlRoomId: production.controlRoomId },
    })
    expect((await remove('competition', id)).status).toBe(204)
  })
})

describe('[show-control: Records] what uses a record is named', () => {
  it('a match: its competition, teams, venue, officials, and players of its line-ups', async () => {
    const matchId = await newMatch({
      venueId: production.venueId,
      officials: [{ id: production.officialIds[0], role: 'referee' }],
    })
    const [teamId = 0] = production.teamIds
    const named = new RegExp(`^match ${matchId} “.+ – .+”$`)
    const records: [Kind, unknown][] = [
      ['competition', production.competitionId],
      ['team', teamId],
      ['venue', production.venueId],
      ['official', production.officialIds[0]],
    ]
    for (const [kind, id] of records)
      expect([kind, await usesOf(kind, id)]).toEqual([kind, expect.arrayContaining([expect.stringMatching(named)])])
    const [playerId] = production.playerIds[teamId] ?? []
    const lineup = { teams: [{ teamId, players: [{ playerId, starting: true }] }] }
    expect((await production.call('PUT', `/v2/matches/${matchId}/lineup`, lineup)).status).toBe(200)
    expect(await usesOf('player', playerId)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(new RegExp(`^roster of team ${teamId} “`)),
        expect.stringMatching(named),
      ]),
    )
  })

  it('a fact, also of a player who left roster and line-up', async () => {
    const team = await newTeam({ competitionIds: [production.competitionId] })
    const player = await newPlayer(team)
    const matchId = await newMatch({ homeTeamId: team })
    const facts = `/v2/matches/${matchId}/facts`
    await made(facts, { type: 'matchStart' })
    await made(facts, { type: 'goal', teamId: team, playerId: player })
    await production.call('DELETE', `/v1/teams/${team}/players/${player}`)
    expect(await usesOf('player', player)).toEqual([expect.stringMatching(`^match ${matchId} `)])
  })

  it('teams: their club, and the venue at which team and club are at home', async () => {
    const venue = await newVenue()
    const club = await made('/v1/teams/clubs', { name: 'Fresh Club', defaultVenueId: venue })
    const team = await newTeam({ clubId: club, defaultVenueId: venue })
    expect(await usesOf('club', club)).toEqual([`team ${team} “Fresh Rovers”`])
    expect(await usesOf('venue', venue)).toEqual([`team ${team} “Fresh Rovers”`, `club ${club} “Fresh Club”`])
    expect((await remove('team', team)).status).toBe(204)
    expect((await remove('club', club)).status).toBe(204)
    expect((await remove('venue', venue)).status).toBe(204)
  })

  it('many matches: twenty by name, and how many more', async () => {
    const venue = await newVenue()
    for (let index = 0; index < 22; index++) await newMatch({ venueId: venue })
    const uses = await usesOf('venue', venue)
    expect([uses.length, uses.at(-1)]).toEqual([21, '2 more matches'])
  })

  it('a preset whose value names a player', async () => {
    const player = await unused.player()
    const room = `/v2/control-rooms/${production.controlRoomId}`
    const { body } = await production.call('GET', room)
    const presets = body.presets as { id: number; name: string; graphicId: string }[]
    const { sql } = production.server.database
    const drafts = await sql<{ graphicId: string; name: string }[]>`
      select graphic_id as "graphicId", v ->> 'name' as name from graphic_draft
      cross join jsonb_path_query(state_machine, '$.controlVariables[*]') v where v ->> 'type' = 'player'`
    const found = presets.flatMap((preset) => {
      const variable = drafts.find(({ graphicId }) => graphicId === preset.graphicId)
      return variable ? [{ preset, variable: variable.name }] : []
    })[0]
    if (!found) throw new Error('the demo has no preset with a player')
    await production.call('PATCH', `${room}/presets/${found.preset.id}`, {
      variableValues: { [found.variable]: player },
    })
    expect(await usesOf('player', player)).toEqual([
      `preset “${found.preset.name}” of control room ${production.controlRoomId}`,
    ])
  })

  it('a connection to the provider that tells of it', async () => {
    const { sql } = production.server.database
    const id = await newVenue()
    await sql`update venue set provider_name = 'custom', provider_id = 'removal-1' where id = ${id}`
    const connection = await connectProvider(production.server.database.db, production.organizationId, {
      ...{ provider: 'custom', url: 'http://127.0.0.1:9/feed.json', intervalSeconds: 3_600, token: null },
    })
    expect(await usesOf('venue', id)).toEqual(['the connection to provider custom'])
    await disconnectProvider(production.server.database.db, connection.id)
    expect((await remove('venue', id)).status).toBe(204)
  })
})

/** Runs `during` while a transaction with uncommitted changes is open, and commits once `during` waits for its locks. */
async function whileOpen(changes: (tx: TransactionSql) => Promise<unknown>, during: () => Promise<number>) {
  const { sql } = production.server.database
  let answer: Promise<number> | undefined
  await sql.begin(async (tx) => {
    await changes(tx)
    answer = during()
    await vi.waitFor(
      async () => {
        const [waiting] = await sql`select from pg_locks where not granted`
        expect(waiting).toBeDefined()
      },
      { timeout: 5_000, interval: 5 },
    )
    await pause(0)
  })
  return answer
}

describe('[show-control: Records] at the same moment', () => {
  it('a deletion waits for a match that names the record, and is then refused', async () => {
    const venue = await newVenue()
    const matchId = await newMatch()
    const status = await whileOpen(
      (tx) => tx`update match set venue_id = ${venue} where id = ${matchId}`,
      async () => (await remove('venue', venue)).status,
    )
    expect(status).toBe(409)
  })

  it('a team that names a venue which is just deleted is refused with 404', async () => {
    const [venue, team] = [await newVenue(), await newTeam()]
    const status = await whileOpen(
      (tx) => tx`delete from venue where id = ${venue}`,
      async () => (await production.call('PATCH', at('team', team), { defaultVenueId: venue })).status,
    )
    expect(status).toBe(404)
  })

  it.each(['venue', 'official'] as const)(
    'a match that names an %s which is just deleted is refused with 404, and goes on',
    async (kind) => {
      const [id, matchId] = [await unused[kind](), await newMatch()]
      const path = `/v2/matches/${matchId}`
      const status = await whileOpen(
        (tx) => tx`delete from ${tx(kind)} where id = ${id}`,
        async () => {
          const named = kind === 'venue' ? { venueId: id } : { officials: [{ id, role: 'referee' }] }
          return (await production.call('POST', path, named)).status
        },
      )
      expect(status).toBe(404)
      expect((await production.call('POST', path, { round: 'Round 7' })).body).toMatchObject({
        ...{ round: 'Round 7', officials: [], venueId: null },
      })
    },
  )

  it('a match is made with an official, or he is deleted, never both', async () => {
    const rounds = Array.from({ length: 8 }, async () => {
      const id = await unused.official()
      const [match, removed] = await Promise.all([
        production.call('POST', '/v2/matches', {
          ...{ competitionId: production.competitionId, homeTeamId: production.teamIds[0] },
          ...{ awayTeamId: production.teamIds[1], date: '2027-03-01T18:00:00Z' },
          officials: [{ id, role: 'umpire' }],
        }),
        remove('official', id),
      ])
      return [match.status, removed.status]
    })
    for (const pair of await Promise.all(rounds))
      expect([
        [200, 409],
        [404, 204],
      ]).toContainEqual(pair)
  })
})
