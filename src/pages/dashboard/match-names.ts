import type { Match, MatchList } from './shapes.ts'
import { useResource } from './use-resource.ts'

/** `Norrvik Athletic – Port Selwyn Rovers`, or the name that the match has itself. */
export const matchName = ({ name, homeTeam, awayTeam, id }: Match): string =>
  name ?? (homeTeam && awayTeam ? `${homeTeam.name} – ${awayTeam.name}` : `Match ${id}`)

/** The matches by id, newest date first. */
export function useMatches(): ReadonlyMap<number, Match> {
  const { value } = useResource<MatchList>('/v1/matches?limit=1000')
  const matches = [...(value?.matches ?? [])].sort((one, other) => other.date.localeCompare(one.date))
  return new Map(matches.map((match) => [match.id, match]))
}
