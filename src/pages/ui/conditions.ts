/** An expression that is ready to be taken, with its words. `#` in both stands for a number that is asked for. */
export type Phrase = { words: string; source: string; ofFact?: true; number?: number }

/** A condition; `otherwise`: what is so when it does not hold, of those that somebody can mend before the match. */
type Condition = Phrase & { otherwise?: string }

const lineupOf = (side: 'home' | 'away'): Condition => ({
  words: `the ${side} line-up has players`,
  source: `lineups.${side}.players.size() > 0`,
  otherwise: `the ${side} line-up has no players`,
})

/** Whether a line-up has anybody in it: before one is set the roster stands for it. */
export const LINEUPS = { home: lineupOf('home'), away: lineupOf('away') } as const

/** Conditions of a rule, in the order in which they are offered. */
export const CONDITIONS: readonly Condition[] = [
  { words: 'home leads', source: 'score.home > score.away' },
  { words: 'away leads', source: 'score.away > score.home' },
  { words: 'the score is level', source: 'score.home == score.away' },
  { words: 'the lead is at most #', source: 'abs(score.home - score.away) <= #', number: 1 },
  { words: 'the lead is at least #', source: 'abs(score.home - score.away) >= #', number: 10 },
  { words: 'it is period # or later', source: 'period.number >= #', number: 2 },
  { words: 'it is period #', source: 'period.number == #', number: 1 },
  LINEUPS.home,
  LINEUPS.away,
  { words: 'the player is known', source: 'fact.playerId != null', ofFact: true },
  { words: 'a second player is named', source: 'fact.secondaryPlayerId != null', ofFact: true },
  { words: 'it is worth at least # points', source: 'fact.points >= #', ofFact: true, number: 3 },
  {
    words: 'it is about the side that leads',
    source: 'fact.teamId == (score.home > score.away ? teams.home.id : score.away > score.home ? teams.away.id : -1)',
    ofFact: true,
  },
]

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

const partsOf = (condition: string) => condition.split('&&').map((part) => part.trim())

/** A condition in words; undefined where it was not taken from those that are offered. */
export function wordsOfCondition(condition: string): string | undefined {
  const words = partsOf(condition).map(phraseOf)
  return words.every((word) => word !== undefined) ? words.join(' and ') : undefined
}

/** The line-ups without which a rule shows nothing, by its condition. */
export const lineupsNeeded = (condition: string | null | undefined): ('home' | 'away')[] => {
  const parts = partsOf(condition ?? '')
  return (['home', 'away'] as const).filter((side) => parts.includes(LINEUPS[side].source))
}

/**
 * Why a condition did not hold, in the middle of a sentence: `the home line-up has no players`, where that alone can be the reason, else that it
 * comes only if the condition holds.
 */
export function unmetWords(condition: string): string | undefined {
  const [only, ...others] = partsOf(condition)
  const missing = others.length === 0 ? CONDITIONS.find(({ source }) => source === only)?.otherwise : undefined
  if (missing !== undefined) return missing
  const words = wordsOfCondition(condition)
  return words && `it comes only if ${words}`
}
