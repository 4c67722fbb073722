import type { Trigger } from './draft.ts'

/** An expression that is ready to be taken, with its words. `#` in both stands for a number that is asked for. */
type Phrase = { words: string; source: string; ofFact?: true; number?: number }

/** Conditions of a rule, in the order in which they are offered. */
export const CONDITIONS: readonly Phrase[] = [
  { words: 'home leads', source: 'score.home > score.away' },
  { words: 'away leads', source: 'score.away > score.home' },
  { words: 'the score is level', source: 'score.home == score.away' },
  { words: 'the lead is at most #', source: 'abs(score.home - score.away) <= #', number: 1 },
  { words: 'the lead is at least #', source: 'abs(score.home - score.away) >= #', number: 10 },
  { words: 'it is period # or later', source: 'period.number >= #', number: 2 },
  { words: 'it is period #', source: 'period.number == #', number: 1 },
  { words: 'the player is known', source: 'fact.playerId != null', ofFact: true },
  { words: 'a second player is named', source: 'fact.secondaryPlayerId != null', ofFact: true },
  { words: 'it is worth at least # points', source: 'fact.points >= #', ofFact: true, number: 3 },
  {
    words: 'it is about the side that leads',
    source: 'fact.teamId == (score.home > score.away ? teams.home.id : score.away > score.home ? teams.away.id : -1)',
    ofFact: true,
  },
]

/** Those that make sense with a trigger. */
export const conditionsFor = ({ type }: Trigger): readonly Phrase[] =>
  CONDITIONS.filter(({ ofFact }) => !ofFact || type === 'fact')

const filled = (text: string, number: number | undefined) => text.replace('#', String(number))

export const sourceOf = ({ source, number }: Phrase): string => filled(source, number)
export const wordsOfPhrase = ({ words, number }: Phrase): string => filled(words, number)

function phraseOf(source: string): string | undefined {
  for (const phrase of CONDITIONS) {
    const [before = '', after = ''] = phrase.source.split('#')
    if (!phrase.source.includes('#')) {
      if (source === phrase.source) return phrase.words
    } else if (source.startsWith(before) && source.endsWith(after)) {
      const number = source.slice(before.length, source.length - after.length)
      if (/^\d+$/.test(number)) return filled(phrase.words, Number(number))
    }
  }
  return undefined
}

/** A condition in words, where it was taken from those that are offered. */
export function conditionWords(condition: string): string {
  const words = condition.split('&&').map((part) => phraseOf(part.trim()))
  return words.every((word) => word !== undefined) ? words.join(' and ') : 'its condition holds'
}

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
  { types: ['string'], words: 'the name of the home team', source: 'teams.home.name' },
  { types: ['string'], words: 'the name of the away team', source: 'teams.away.name' },
  { types: ['number'], words: 'the points of the home side', source: 'score.home' },
  { types: ['number'], words: 'the points of the away side', source: 'score.away' },
  { types: ['number'], words: 'the points of the fact', source: 'fact.points', ofFact: true },
  { types: ['boolean'], words: 'on while home leads', source: 'score.home > score.away' },
  { types: ['boolean'], words: 'on while away leads', source: 'score.away > score.home' },
]

const SIDE_OF_FACT: Phrase = {
  words: 'the side of the fact',
  source: 'fact.teamId == teams.home.id ? "home" : "away"',
  ofFact: true,
}

/** Sources in the match for a variable when a trigger fires. */
export function valuesFor({ type, options = [] }: Variable, trigger: Trigger): readonly Phrase[] {
  const ofSides = options.includes('home') && options.includes('away') ? [SIDE_OF_FACT] : []
  const fitting = [...ofSides, ...VALUES.filter(({ types }) => types.includes(type))]
  return fitting.filter(({ ofFact }) => !ofFact || trigger.type === 'fact')
}

/** Every expression that is offered: a test holds them against the language. */
export const EVERY_SOURCE: readonly string[] = [...CONDITIONS, ...VALUES, SIDE_OF_FACT].map(sourceOf)
