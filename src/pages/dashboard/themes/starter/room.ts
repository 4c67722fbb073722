import { SPORT_WORDS } from '../../../../../machines/sports/words.ts'
import { SPORTS, type SportName } from '../../../../../machines/sports.ts'
import type { TemplateRule } from '../../game-plan/templates/rules.ts'
import { templateOf } from '../../game-plan/templates/sports.ts'
import type { ManifestPreset, ManifestRoom } from '../drop/manifest.ts'

type Trigger = TemplateRule['trigger']
type FactTrigger = Extract<Trigger, { type: 'fact' }>
type Given = NonNullable<ManifestPreset['variableValues']>

/** What happens again and again is about the match, not about somebody. */
const OF_THE_MATCH: Readonly<Record<string, Given>> = {
  overEnd: { about: 'match' },
  foul: { about: 'teamFouls' },
  accumulatedFoul: { about: 'teamFouls' },
}

const third = (name: string, variableValues: Given, exposedVariables: string[]): ManifestPreset => ({
  name,
  graphic: 'Lower third',
  variableValues,
  exposedVariables,
})

/** Whether each fact of these types is worth points, so that the last of them can be looked up. */
const areScores = (sport: SportName, types: readonly string[]) =>
  types.every((type) => {
    const { points = 0 } = SPORTS[sport].factTypes[type] ?? {}
    return typeof points === 'number' ? points > 0 : points.min > 0
  })

/** A lower third of the player of a fact: who scored last, or somebody who is chosen, by hand or by a game plan. */
function told(sport: SportName, what: string, { factTypes }: FactTrigger): ManifestPreset {
  const ofMatch = factTypes.length === 1 ? OF_THE_MATCH[factTypes[0] ?? ''] : undefined
  if (ofMatch) return third(what, ofMatch, ['name', 'title'])
  // the plan leaves out own goals, and whoever presses the button asks for the last goal
  const own = factTypes.includes('goal') && SPORTS[sport].factTypes.ownGoal ? ['ownGoal'] : []
  const scores = { about: 'lastGoal', scores: [...factTypes, ...own].join(', ') }
  const about = areScores(sport, factTypes) ? scores : { title: what }
  return third(what, about, ['player', 'name', 'title', 'team'])
}

const card = (graphic: string, name: string, headline: string | undefined, ...exposed: string[]): ManifestPreset => ({
  ...{ name, graphic, exposedVariables: ['headline', ...exposed] },
  ...(headline !== undefined && { variableValues: { headline } }),
})

const result = (name: string, headline?: string) => card('Result card', name, headline, 'homeScore', 'awayScore')

const lineUp = (team: 'home' | 'away'): ManifestPreset => ({
  name: team === 'home' ? 'Home line-up' : 'Away line-up',
  graphic: 'Line-up card',
  variableValues: { team },
  exposedVariables: ['team'],
})

const sponsor = (name: string, slot: string): ManifestPreset => ({
  name,
  graphic: 'Sponsor card',
  variableValues: { brand: { slot } },
  exposedVariables: ['brand', 'sponsor', 'tagline'],
})

const scoreBug = (sport: SportName): ManifestPreset => ({
  name: 'Score bug',
  graphic: 'Score bug',
  variableValues: { showClock: true },
  exposedVariables: [
    ...['homeScore', 'awayScore', 'clock', 'period', 'showClock'],
    ...(SPORTS[sport].defaults.injuryTime ? ['addedTime'] : []),
  ],
})

/**
 * The control room of the starter theme for a sport: what the template of its game plan asks for, under the same names, and what every sport has.
 * issue 18.6
 */
export function starterRoom(sport: SportName): ManifestRoom {
  const rules = templateOf(sport)
  const { result: last, headline } = SPORT_WORDS[sport]
  const inPlay = rules.flatMap(({ what, trigger }) => (trigger.type === 'fact' ? [told(sport, what, trigger)] : []))
  const breaks = rules.flatMap(({ what, trigger }) =>
    trigger.type === 'period' ? [result(what, trigger.number === undefined ? undefined : 'Half time')] : [],
  )
  const hasTeams = rules.some(({ what }) => what === 'Home line-up')
  return {
    name: 'Match day',
    sections: [
      {
        name: 'In play',
        colorKey: 'green',
        presets: [
          scoreBug(sport),
          ...inPlay,
          third('Commentator', { title: 'Commentary', team: 'neutral' }, ['name', 'title']),
        ],
      },
      {
        name: hasTeams ? 'Line-ups' : 'Before the match',
        colorKey: 'blue',
        presets: [
          third(hasTeams ? 'Match-up' : 'Players', { about: 'match' }, ['name', 'title']),
          ...(hasTeams ? [lineUp('home'), lineUp('away')] : []),
          ...(hasTeams
            ? [
                third('Home coach', { about: 'homeCoach' }, ['name', 'title', 'team']),
                third('Away coach', { about: 'awayCoach' }, ['name', 'title', 'team']),
              ]
            : []),
        ],
      },
      {
        name: 'Scores',
        colorKey: 'red',
        presets: [
          ...breaks,
          result(last, headline),
          card('Statistics card', 'Match statistics', 'Match statistics', 'rows'),
          card('Standings table', 'Standings', 'Standings', 'group'),
        ],
      },
      {
        name: 'Sponsors',
        colorKey: 'yellow',
        presets: [sponsor('Match partner', 'match-partners'), sponsor('Kit partner', 'kit-partner')],
      },
    ],
  }
}
