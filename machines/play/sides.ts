import type { Competitor, Fact, Refusal } from '../match-model.ts'
import type { Side } from '../sports/scoring.ts'

/** Index of the competitor that a fact is about; undefined when it names none, a refusal when it names one that does not play. */
export function competitorOf(
  competitors: readonly Competitor[],
  { teamId, playerId }: Pick<Fact, 'teamId' | 'playerId'>,
): number | Refusal | undefined {
  const player = playerId === null ? -1 : competitors.findIndex((one) => one.playerId === playerId)
  if (teamId === null) return player < 0 ? undefined : player
  const team = competitors.findIndex((one) => one.teamId === teamId)
  if (team < 0) return { path: 'teamId', message: 'does not play in the match', value: teamId }
  const own = competitors[player]
  if (!own) return team
  if (own.teamId !== null && own.teamId !== teamId)
    return { path: 'playerId', message: 'plays for the other side', value: playerId }
  return own.teamId === null && own.isHome !== competitors[team]?.isHome
    ? { path: 'playerId', message: 'plays for the other side', value: playerId }
    : player
}

export const sideOf = (competitor: Competitor | undefined): Side | undefined =>
  competitor && (competitor.isHome ? 'home' : 'away')
