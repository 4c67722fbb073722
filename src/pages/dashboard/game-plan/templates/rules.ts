import type { SportWords } from '../../../../../machines/sports/words.ts'
import { LINEUPS } from '../../../ui/conditions.ts'
import type { Draft, Trigger } from '../draft.ts'

/** A rule of a template: a rule in which a preset is described in place of named. */
export type TemplateRule = Pick<Draft, 'trigger' | 'end'> &
  Partial<
    Pick<
      Draft,
      'condition' | 'delaySeconds' | 'priority' | 'layer' | 'onInterrupt' | 'every' | 'once' | 'cooldownSeconds'
    >
  > & {
    /** The graphic of the rule, as people call it; told where no preset fits. */
    what: string
    /** Names by which presets and graphics for it go, the likeliest first. */
    known: readonly string[]
    /** Names of presets that fit where their graphic has a headline to be changed. */
    alike?: readonly string[]
    /** What stands above it: text, or an expression that makes it. */
    headline?: string | { expression: string }
  }

type More = Partial<Omit<TemplateRule, 'what' | 'known' | 'trigger'>>

const HALF_TIME = ['Half time', 'Half-time result', 'Interval']

/** Cards that fill the picture are of one layer: never two at once. */
const FULL_FRAME = 'Full frame'
/** Names below the picture; the later of two waits for its turn. */
const LOWER_THIRD = 'Lower third'

const MINUTE = 60

/** Somebody did something: a name below the picture for a few seconds, a little after it. */
export const told = (
  what: string,
  factTypes: readonly string[],
  known: readonly string[],
  more: More = {},
): TemplateRule => ({
  what,
  known: [what, ...known],
  trigger: { type: 'fact', factTypes: [...factTypes] },
  end: { afterSeconds: 8 },
  delaySeconds: 2,
  priority: 50,
  layer: LOWER_THIRD,
  onInterrupt: 'queue',
  ...more,
})

/** Something for the whole picture, until play goes on. */
const shown = (what: string, trigger: Trigger, known: readonly string[], more: More = {}): TemplateRule => ({
  what,
  known: [what, ...known],
  trigger,
  end: { until: 'state' },
  delaySeconds: 5,
  layer: FULL_FRAME,
  ...more,
})

export const scoreBug: TemplateRule = {
  what: 'Score bug',
  known: ['Score bug', 'Scorebug', 'Scoreboard', 'Score and clock', 'Score strip'],
  trigger: { type: 'state', state: 'live' },
  end: { until: 'state' },
  priority: 50,
}

const before = (what: string, minutes: number, known: readonly string[]): TemplateRule => ({
  what,
  known: [what, ...known],
  trigger: { type: 'time', of: 'date', offsetSeconds: -minutes * MINUTE },
  end: { afterSeconds: 20 },
  layer: FULL_FRAME,
  once: true,
})

/** Nobody sees an empty card where nobody has told who plays. */
const lineUp = (side: 'home' | 'away', minutes: number, known: readonly string[]): TemplateRule => ({
  ...before(side === 'home' ? 'Home line-up' : 'Away line-up', minutes, known),
  condition: LINEUPS[side].source,
})

export const lineUps: readonly TemplateRule[] = [
  lineUp('home', 15, ['Line-up home', 'Home team', 'Home lineup', 'Home starting']),
  lineUp('away', 14, ['Line-up away', 'Away team', 'Away lineup', 'Away starting']),
]

export const players: readonly TemplateRule[] = [before('Players', 5, ['Match-up', 'Head to head', 'Player card'])]

const atEnd = (number?: number): Trigger => ({ type: 'period', at: 'end', ...(number !== undefined && { number }) })

/** The score so far; a card for another break does, under a headline of its own. */
export const endOfPeriod = (what: string, known: readonly string[], more: More = {}) =>
  shown(what, atEnd(), known, {
    alike: ['Half-time score', ...HALF_TIME],
    headline: { expression: '"End of " + period.name' },
    ...more,
  })

export const halfTime = (number: number) => shown('Half-time score', atEnd(number), HALF_TIME, { priority: 80 })

/** `what`, `headline`: in the words of the sport. */
export const result = ({ result: what, headline }: SportWords): TemplateRule =>
  shown(
    what,
    { type: 'state', state: 'finished' },
    ['Final score', 'Full-time result', 'Final result', 'Full time', 'Match result', 'Result'],
    { end: { afterSeconds: 90 }, priority: 80, once: true, headline },
  )

export const sponsor: TemplateRule = {
  what: 'Sponsor',
  known: ['Sponsor', 'Match partner', 'Partner', 'Sponsor card', 'Advert'],
  trigger: { type: 'interval', everySeconds: 2 * MINUTE, during: 'break' },
  end: { afterSeconds: 15 },
  priority: 20,
}

export const timeOut = told('Time-out', ['timeout'], ['Timeout'], { delaySeconds: 0, end: { afterSeconds: 20 } })
export const substitution = (factType = 'substitution') =>
  told('Substitution', [factType], ['Substitutes', 'Interchange', 'Change of players'])
export const yellowCard = told('Yellow card', ['yellowCard'], ['Booking', 'Caution', 'Card'])
export const redCard = (...factTypes: readonly string[]) =>
  told('Red card', factTypes, ['Sending-off', 'Dismissal', 'Card'], { priority: 80 })
