import type { Draft, Trigger } from '../draft.ts'

/** A rule of a template: a rule in which a preset is described in place of named. */
export type TemplateRule = Pick<Draft, 'trigger' | 'end'> &
  Partial<Pick<Draft, 'delaySeconds' | 'priority' | 'layer' | 'onInterrupt' | 'every' | 'once' | 'cooldownSeconds'>> & {
    /** The graphic of the rule, as people call it; told where no preset fits. */
    what: string
    /** Names by which presets and graphics for it go, the likeliest first. */
    known: readonly string[]
  }

type More = Partial<Omit<TemplateRule, 'what' | 'known' | 'trigger'>>

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

export const lineUps: readonly TemplateRule[] = [
  before('Home line-up', 15, ['Line-up home', 'Home team', 'Home lineup', 'Home starting']),
  before('Away line-up', 14, ['Line-up away', 'Away team', 'Away lineup', 'Away starting']),
]

export const players: readonly TemplateRule[] = [before('Players', 5, ['Match-up', 'Head to head', 'Player card'])]

export const endOfPeriod = (what: string, known: readonly string[], number?: number, more: More = {}) =>
  shown(what, { type: 'period', at: 'end', ...(number !== undefined && { number }) }, known, more)

export const halfTime = (number: number) =>
  endOfPeriod('Half-time score', ['Half time', 'Half-time result', 'Interval'], number, { priority: 80 })

export const result: TemplateRule = shown(
  'Full-time result',
  { type: 'state', state: 'finished' },
  ['Final score', 'Final result', 'Full time', 'Match result', 'Result'],
  { end: { afterSeconds: 90 }, priority: 80, once: true },
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
