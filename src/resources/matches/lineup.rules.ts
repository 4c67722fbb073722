import type { FieldErrors } from '../../errors.ts'
import type { LineupUpdate } from './lineup.schema.ts'

type TeamAsked = LineupUpdate['teams'][number]

/** The rules that line-ups are held against. */
export type LineupRules = {
  /** The teams that play in the match. */
  teamIds: readonly number[]
  /** Players that a team may start with, and have on its bench. */
  startingSize: number
  benchSize: number
  /** Shirt numbers of the roster by player, by team. */
  rosters: ReadonlyMap<number, ReadonlyMap<number, string | null>>
}

/** Every bad value of the line-ups, keyed by its path. spec: PUT /v2/matches/{matchId}/lineup */
export function lineupErrors({ teams }: LineupUpdate, rules: LineupRules): FieldErrors {
  const details: FieldErrors = {}
  for (const [index, team] of teams.entries()) {
    const path = `body.teams[${index}]`
    if (!rules.teamIds.includes(team.teamId))
      details[`${path}.teamId`] = { message: 'not a team of the match', value: team.teamId }
    else if (teams.findIndex(({ teamId }) => teamId === team.teamId) < index)
      details[`${path}.teamId`] = { message: 'named twice', value: team.teamId }
    else addPlayerErrors(details, path, team, rules)
  }
  return details
}

function addPlayerErrors(details: FieldErrors, path: string, { teamId, players }: TeamAsked, rules: LineupRules) {
  const roster = rules.rosters.get(teamId) ?? new Map<number, string | null>()
  const left = { starters: rules.startingSize, bench: rules.benchSize }
  const named = new Set<number>()
  const numbers = shirtNumbers(players, roster)
  let captains = 0
  for (const [index, { playerId, number, starting, captain }] of players.entries()) {
    const bad = (field: string, message: string, value: unknown) => {
      details[`${path}.players[${index}].${field}`] = { message, value }
    }
    if (captain && ++captains > 1) bad('captain', 'a second captain', captain)
    if (!roster.has(playerId)) bad('playerId', 'not on the roster of the team', playerId)
    else if (named.has(playerId)) bad('playerId', 'named twice', playerId)
    else {
      if (left[starting ? 'starters' : 'bench']-- <= 0)
        bad(
          'starting',
          starting ? `more than ${rules.startingSize} starters` : `more than ${rules.benchSize} on the bench`,
          starting,
        )
      if (number && numbers.taken(number, index)) bad('number', 'worn by another player', number)
    }
    named.add(playerId)
  }
}

/** A number that was given is taken when one before it was given too, or when another player keeps it from the roster. */
function shirtNumbers(players: TeamAsked['players'], roster: ReadonlyMap<number, string | null>) {
  const given = new Map<string, number>()
  const kept = new Set<string>()
  for (const [index, { playerId, number }] of players.entries()) {
    const worn = number ?? roster.get(playerId)
    if (!worn) continue
    if (number === undefined || number === null) kept.add(worn)
    else if (!given.has(worn)) given.set(worn, index)
  }
  return { taken: (number: string, index: number) => kept.has(number) || (given.get(number) ?? index) < index }
}
