import type { Feed } from '../resources/providers/feed.schema.ts'

type Team = Feed['teams'][number]
type Match = Feed['matches'][number]

/** The provider's records by now: its latest word about each record, also about those that this feed leaves out. */
export function toldBy(before: Feed | undefined, feed: Feed): Feed {
  if (!before) return feed
  return {
    competitions: latest(before.competitions, feed.competitions, (_, now) => now),
    venues: latest(before.venues, feed.venues, (_, now) => now),
    players: latest(before.players, feed.players, (_, now) => now),
    teams: latest(before.teams, feed.teams, teamOf),
    officials: latest(before.officials, feed.officials, (_, now) => now),
    matches: latest(before.matches, feed.matches, matchOf),
  }
}

function latest<One extends { id: string }>(
  before: readonly One[],
  now: readonly One[],
  joined: (before: One, now: One) => One,
): One[] {
  const all = new Map(before.map((one) => [one.id, one]))
  for (const one of now) {
    const earlier = all.get(one.id)
    all.set(one.id, earlier ? joined(earlier, one) : one)
  }
  return [...all.values()]
}

// lists that a record leaves out stay as they were
const teamOf = ({ competitionIds, roster }: Team, now: Team): Team => ({
  ...(competitionIds && { competitionIds }),
  ...(roster && { roster }),
  ...now,
})

function matchOf({ lineups, facts, statistics }: Match, now: Match): Match {
  const named = new Set(now.lineups?.map(({ teamId }) => teamId))
  const kept = lineups?.filter(({ teamId }) => !named.has(teamId)) ?? []
  const known = [...kept, ...(now.lineups ?? [])]
  return {
    ...(facts && { facts }),
    ...(statistics && { statistics }),
    ...now,
    ...(known.length > 0 && { lineups: known }),
  }
}
