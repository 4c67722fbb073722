import { statisticNames } from '../../../../machines/statistics/names.ts'
import type { Choice } from '../../ui/value-editor.tsx'
import { matchName } from '../match-names.ts'
import { useRosters } from '../matches/use-rosters.ts'
import type { BrandList, Match, SponsorSlots, ThemeProfileList, Venue } from '../shapes.ts'
import { useEach } from '../use-each.ts'
import { useResource } from '../use-resource.ts'

/** Types that name something of one match. */
const OF_A_MATCH = new Set(['match', 'team', 'player', 'round', 'court', 'stat', 'teamStat'])
const MOST_PERIODS = 9

export const namesOfMatch = (variables: readonly { type: string }[]): boolean =>
  variables.some(({ type }) => OF_A_MATCH.has(type))

export const namesBrands = (variables: readonly { type: string }[]): boolean =>
  variables.some(({ type }) => type === 'ad')

/** Whose sponsor slots are offered: those of one profile of a competition, or of all of its profiles with a theme. */
type SlotsOf = { competitionId: number | undefined; profileId?: number; themeId?: number }

/**
 * The choices for each type of control variable that names a record, in one match; undefined chooses from none. Without `slotsOf` no
 * brands are read.
 */
export function useChoices(
  matchId: number | undefined,
  slotsOf: SlotsOf | undefined,
): Readonly<Record<string, readonly Choice[]>> {
  const match = useResource<Match>(matchId === undefined ? undefined : `/v1/matches/${matchId}`).value
  const venue = useResource<Venue>(match?.venueId == null ? undefined : `/v1/venues/${match.venueId}`).value
  const { rosterOf } = useRosters(match)
  const ad = useAds(slotsOf)
  const teams = [match?.homeTeam, match?.awayTeam].flatMap((team) => team ?? [])
  const statistics = match ? statisticNames(match.sport).map((name) => ({ value: name, label: name })) : []
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
    ad,
  }
}

/** Sponsor slots and all brands. */
function useAds(slotsOf: SlotsOf | undefined): Choice[] {
  const brands = useResource<BrandList>(slotsOf && '/v2/brands?limit=1000').value?.brands ?? []
  const { competitionId, profileId, themeId } = slotsOf ?? {}
  const of = competitionId === undefined ? undefined : `/v2/competitions/${competitionId}/theme-profiles`
  const all = useResource<ThemeProfileList>(of).value ?? []
  const profiles = all.filter((one) => (profileId === undefined ? one.themeId === themeId : one.id === profileId))
  const slots = useEach<SponsorSlots>(profiles.map(({ id }) => `${of}/${id}/sponsor-slots`))
  const ofSlots = profiles.flatMap(({ id, name }) =>
    (slots.find(({ competitionThemeSettingId }) => competitionThemeSettingId === id)?.slots ?? []).map((slot) => ({
      value: { slot: slot.id },
      label: slot.name,
      group: profiles.length > 1 ? `Sponsor slots of ${name}` : 'Sponsor slots',
    })),
  )
  return [...ofSlots, ...brands.map(({ id, name }) => ({ value: id, label: name, group: 'Brands' }))]
}

const numbered = (word: string): Choice[] =>
  Array.from({ length: MOST_PERIODS }, (_, index) => ({ value: index + 1, label: `${word} ${index + 1}` }))
