import type { Match, RosterPlayerList, Team } from '../shapes.ts'
import { useResource } from '../use-resource.ts'

export type RosterPlayer = RosterPlayerList['players'][number]
/** Undefined until it was read. */
export type RosterOf = (teamId: number) => readonly RosterPlayer[] | undefined

/** The players on the rosters of a match's teams; nothing while the match itself is not there. */
export function useRosters(match: Match | undefined): { rosterOf: RosterOf; reload: () => Promise<void> } {
  const home = useRoster(match?.homeTeam)
  const away = useRoster(match?.awayTeam)
  return {
    rosterOf: (teamId) => (teamId === match?.homeTeam?.id ? home : away).value?.players,
    reload: async () => {
      await Promise.all([home.reload(), away.reload()])
    },
  }
}

const useRoster = (team: Team | null | undefined) =>
  useResource<RosterPlayerList>(team ? `/v1/teams/${team.id}/players?limit=1000` : undefined)
