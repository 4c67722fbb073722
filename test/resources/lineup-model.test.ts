import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Random, seeded } from '../support/random.ts'
import { type Production, startProduction } from './support.ts'

type Player = { playerId: number; starting: boolean; captain: boolean; number: string | null }
type Team = { teamId: number; players: Player[] }

let production: Production

beforeAll(async () => {
  production = await startProduction()
})
afterAll(() => production.close())

const STARTING = 11
const BENCH = 7

/** Mostly right: now and then a player comes twice, comes from elsewhere, or one too many is picked. */
function anyPlayers(random: Random, squad: readonly number[], elsewhere: number): Player[] {
  const bag = [...squad]
  return Array.from({ length: random.below(19) }, () => {
    const own = bag.splice(random.below(bag.length), random.chance(0.99) ? 1 : 0)[0] ?? squad[0] ?? 0
    return {
      playerId: random.chance(0.01) ? elsewhere : own,
      starting: random.chance(0.6),
      captain: random.chance(0.06),
      number: random.chance(0.1) ? String(random.below(40)) : null,
    }
  })
}

/** The rules said another way: over pairs of players instead of one after the other. */
function isAllowed({ players }: Team, numbers: ReadonlyMap<number, string>): boolean {
  const count = (accept: (player: Player) => boolean) => players.filter(accept).length
  const clash = (one: Player, other: Player) => {
    const worn = one.number ?? numbers.get(one.playerId)
    const same = worn !== '' && worn === (other.number ?? numbers.get(other.playerId))
    return one.playerId === other.playerId || (same && (one.number !== null || other.number !== null))
  }
  return (
    players.every(({ playerId }) => numbers.has(playerId)) &&
    !players.some((one, index) => players.slice(index + 1).some((other) => clash(one, other))) &&
    count(({ captain }) => captain) <= 1 &&
    count(({ starting }) => starting) <= STARTING &&
    count(({ starting }) => !starting) <= BENCH
  )
}

it.each([1, 2, 3])(
  '[domain 5.5] line-ups under random replacements and roster changes agree with a model (seed %i)',
  async (seed) => {
    const random = seeded(seed)
    const { teamIds, playerIds, matchId } = production
    const rosters = new Map<number, Map<number, string>>()
    for (const teamId of teamIds) {
      const { body } = await production.call('GET', `/v1/teams/${teamId}/players`)
      const players = body.players as { id: number; number: string }[]
      rosters.set(teamId, new Map(players.map(({ id, number }) => [id, number])))
    }
    const squad = (teamId: number) => playerIds[teamId] ?? []
    const lineups = new Map<number, Player[]>()
    const outcomes = { accepted: 0, refused: 0 }

    for (let step = 0; step < 40; step++) {
      if (random.chance(0.2)) {
        const teamId = teamIds[random.below(2)] ?? 0
        const playerId = squad(teamId)[random.below(18)] ?? 0
        const number = String(random.below(40))
        await production.call('PATCH', `/v1/teams/${teamId}/players/${playerId}`, { number })
        rosters.get(teamId)?.set(playerId, number)
      }
      const named = teamIds.filter(() => random.chance(0.6))
      const teams = (named.length > 0 ? named : teamIds).map((teamId) => {
        const elsewhere = squad(teamIds.find((id) => id !== teamId) ?? 0)[0] ?? 0
        return { teamId, players: anyPlayers(random, squad(teamId), elsewhere) }
      })
      const allowed = teams.every((team) => isAllowed(team, rosters.get(team.teamId) ?? new Map()))
      const answer = await production.call('PUT', `/v2/matches/${matchId}/lineup`, { teams })
      expect([step, answer.status]).toEqual([step, allowed ? 200 : 400])
      outcomes[allowed ? 'accepted' : 'refused']++
      if (allowed) for (const { teamId, players } of teams) lineups.set(teamId, players)

      const { body } = await production.call('GET', `/v1/matches/${matchId}/lineup`)
      for (const { teamId, players } of body.lineups as { teamId: number; players: (Player & { id: number })[] }[]) {
        const model = lineups.get(teamId)
        if (!model) continue
        const inOrder = [...model.filter(({ starting }) => starting), ...model.filter(({ starting }) => !starting)]
        expect(players.map(({ id, starting, captain, number }) => [id, starting, captain, number])).toEqual(
          inOrder.map(({ playerId, starting, captain, number }) => [
            playerId,
            starting,
            captain,
            number ?? rosters.get(teamId)?.get(playerId),
          ]),
        )
      }
    }
    expect(Math.min(outcomes.accepted, outcomes.refused)).toBeGreaterThan(5)
  },
)
