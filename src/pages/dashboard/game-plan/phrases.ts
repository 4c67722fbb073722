import { CONDITIONS, type Phrase, sourceOf, wordsOfCondition } from '../../ui/conditions.ts'
import type { Trigger } from './draft.ts'

/** Those that make sense with a trigger. */
export const conditionsFor = ({ type }: Trigger): readonly Phrase[] =>
  CONDITIONS.filter(({ ofFact }) => !ofFact || type === 'fact')

/** A condition in words, where it was taken from those that are offered. */
export const conditionWords = (condition: string): string => wordsOfCondition(condition) ?? 'its condition holds'

type Variable = { type: string; options?: readonly string[] | undefined }

const PLAYER = 'players.filter(p, p.id == fact.playerId)[0]'

/** Sources in the match for a variable, in the order in which they are offered. */
const VALUES: readonly (Phrase & { types: readonly string[] })[] = [
  { types: ['player'], words: 'the player of the fact', source: 'fact.playerId', ofFact: true },
  {
    types: ['player'],
    words: 'the second player of the fact (assist, player off)',
    source: 'fact.secondaryPlayerId',
    ofFact: true,
  },
  { types: ['team'], words: 'the team of the fact', source: 'fact.teamId', ofFact: true },
  { types: ['team'], words: 'the home team', source: 'teams.home.id' },
  { types: ['team'], words: 'the away team', source: 'teams.away.id' },
  { types: ['fact'], words: 'the fact itself', source: 'fact.id', ofFact: true },
  { types: ['period', 'set', 'number'], words: 'the number of the period', source: 'period.number' },
  { types: ['match'], words: 'the match', source: 'match.id' },
  {
    types: ['string'],
    words: 'the name of the player',
    source: `${PLAYER}.firstName + " " + ${PLAYER}.lastName`,
    ofFact: true,
  },
  {
    types: ['string'],
    words: 'the name of the team',
    source: 'fact.teamId == teams.home.id ? teams.home.name : teams.away.name',
    ofFact: true,
  },
  { types: ['string', 'number'], words: 'the minute', source: 'fact.minute', ofFact: true },
  { types: ['string'], words: 'the score', source: 'score.home + "–" + score.away' },
  { types: ['string'], words: 'the name of the period', source: 'period.name' },
  { types: ['string'], words: 'the end of the period', source: '"End of " + period.name' },
  { types: ['string'], words: 'the name of the home team', source: 'teams.home.name' },
  { types: ['string'], words: 'the name of the away team', source: 'teams.away.name' },
  { types: ['number'], words: 'the points of the home side', source: 'score.home' },
  { types: ['number'], words: 'the points of the away side', source: 'score.away' },
  { types: ['number'], words: 'the points of the fact', source: 'fact.points', ofFact: true },
  { types: ['boolean'], words: 'on while home leads', source: 'score.home > score.away' },
  { types: ['boolean'], words: 'on while away leads', source: 'score.away > score.home' },
]

/** Of a fact of neither side it is nothing, and the graphic as it is by itself. */
export const SIDE_OF_FACT: Phrase = {
  words: 'the side of the fact',
  source: 'fact.side',
  ofFact: true,
}

/** Whether a variable says whose graphic it is. */
export const isSide = ({ options = [] }: Pick<Variable, 'options'>): boolean =>
  options.includes('home') && options.includes('away')

/** Sources in the match for a variable when a trigger fires. */
export function valuesFor({ type, options = [] }: Variable, trigger: Trigger): readonly Phrase[] {
  const ofSides = isSide({ options }) ? [SIDE_OF_FACT] : []
  const fitting = [...ofSides, ...VALUES.filter(({ types }) => types.includes(type))]
  return fitting.filter(({ ofFact }) => !ofFact || trigger.type === 'fact')
}

/** Every expression that is offered: a test holds them against the language. */
export const EVERY_SOURCE: readonly string[] = [...CONDITIONS, ...VALUES, SIDE_OF_FACT].map(sourceOf)
