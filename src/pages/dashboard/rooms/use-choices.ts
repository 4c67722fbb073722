import { statisticsOf } from '../../../../machines/sports.ts'
import type { Choice } from '../../ui/value-editor.tsx'
import { matchName } from '../match-names.ts'
import { useRosters } from '../matches/use-rosters.ts'
import type { Brand, Match, Venue } from '../shapes.ts'
import { useResource } from '../use-resource.ts'

/** Types that name something of one match. */
const OF_A_MATCH = new Set(['match', 'team', 'player', 'round', 'court', 'stat', 'teamStat', 'ad'])
const MOST_PERIODS = 9

export const namesOfMatch = (variables: readonly { type: string }[]): boolean =>
  variables.some(({ type }) => OF_A_MATCH.has(type))

/** The choices for each type of control variable that names a record, in one match; undefined chooses from none. */
export function useChoices(matchId: number | undefined): Readonly<Record<string, readonly Choice[]>> {
  const match = useResource<Match>(matchId === undefined ? undefined : `/v1/matches/${matchId}`).value
  const venue = useResource<Venue>(match?.venueId == null ? undefined : `/v1/venues/${match.venueId}`).value
  const { rosterOf } = useRosters(match)
  const teams = [match?.homeTeam, match?.awayTeam].flatMap((team) => team ?? [])
  const statistics = match ? statisticsOf(match.sport).map((name) => ({ value: name, label: name })) : []
  return {
    match: match ? [{ value: match.id, label: matchName(match) }] : [],
    team: teams.map(({ id, name }) => ({ value: id, label: name })),
    player: teams.flatMap(({ id, name }) =>
      (rosterOf(id) ?? []).map((player) => ({
        value: player.id,
        label: [player.number, player.firstName, player.lastName].filter(Boolean).join(' '),
        group: name,
      })),
    ),
    period: numbered('Period'),
    set: numbered('Set'),
    round: match?.round ? [{ value: match.round, label: match.round }] : [],
    court: (venue?.courts ?? []).map((name) => ({ value: name, label: name })),
    stat: statistics,
    teamStat: statistics,
    ad: useAds(match?.competitionId),
  }
}

/** The sponsor slots of the profile that overlays of a competition have, and all brands. */
function useAds(competitionId: number | undefined): Choice[] {
  const brands = useResource<{ brands: Brand[] }>('/v2/brands?limit=1000').value?.brands ?? []
  const of = competitionId === undefined ? undefined : `/v2/competitions/${competitionId}/theme-profiles`
  const profile = useResource<{ id: number; isDefault: boolean }[]>(of).value?.find(({ isDefault }) => isDefault)
  const slots = useResource<{ slots: { id: string; name: string }[] }>(profile && `${of}/${profile.id}/sponsor-slots`)
  return [
    ...(slots.value?.slots ?? []).map(({ id, name }) => ({ value: { slot: id }, label: name, group: 'Sponsor slots' })),
    ...brands.map(({ id, name }) => ({ value: id, label: name, group: 'Brands' })),
  ]
}

const numbered = (word: string): Choice[] =>
  Array.from({ length: MOST_PERIODS }, (_, index) => ({ value: index + 1, label: `${word} ${index + 1}` }))
