import { isOwnName, statisticNames } from '../../../machines/statistics/names.ts'
import type { Brands, SponsorSlots } from '../../catalog/cards.ts'
import type { SlotChoice } from '../control-variables.ts'
import { factLabel, matchLabel, playerLabel } from '../matches/record-names.ts'
import type { SportData } from '../matches/sport-data.schema.ts'

/** A value that a control variable of an entity type may have, in words. */
export type Choice = { value: string | number | SlotChoice; label: string; group?: string }

const MOST_FACTS = 200

/** The choices for each type of control variable that names a record of the match. */
export function choicesOf(data: SportData): Readonly<Record<string, readonly Choice[]>> {
  const { match, competitors, players, periods, venue } = data
  const teams = competitors.flatMap(({ teamId, name }) => (teamId === null ? [] : [{ value: teamId, label: name }]))
  const numbered = periods.map(({ number, name }) => ({ value: number, label: name }))
  const own = Object.keys({ ...data.statistics.home, ...data.statistics.away }).filter(isOwnName)
  const statistics = [...statisticNames(match.sport), ...own].map((name) => ({ value: name, label: name }))
  const groups = new Map(teams.map(({ value, label }) => [value, label]))
  return {
    match: [{ value: match.id, label: matchLabel(data) }],
    team: teams,
    player: players.map(({ id, teamId, number, ...called }) => {
      const group = groups.get(teamId ?? 0)
      const label = `${number === null ? '' : `${number}  `}${playerLabel(called)}`
      return { value: id, label, ...(group !== undefined && { group }) }
    }),
    fact: [...data.facts]
      .reverse()
      .slice(0, MOST_FACTS)
      .map((fact) => ({ value: fact.id, label: factLabel(fact, data) })),
    period: numbered,
    set: numbered,
    round: match.round === null ? [] : [{ value: match.round, label: match.round }],
    court: (venue?.courts ?? []).map((name) => ({ value: name, label: name })),
    stat: statistics,
    teamStat: statistics,
  }
}

/** The choices for a variable whose value is a brand. */
export function adChoices(brands: Brands, slots: SponsorSlots | undefined): readonly Choice[] {
  const ofSlots = [...(slots?.values() ?? [])].map(({ id: slot, name }) => ({
    value: { slot },
    label: name,
    group: 'Sponsor slots',
  }))
  const ofBrands = [...brands.values()].map(({ id, name }) => ({ value: id, label: name, group: 'Brands' }))
  return [...ofSlots, ...ofBrands.sort((one, other) => one.label.localeCompare(other.label))]
}
