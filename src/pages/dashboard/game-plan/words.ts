import { periodOf } from '../../../../machines/play/periods.ts'
import { STRUCTURAL, sportOf } from '../../../../machines/sports.ts'
import { worded } from '../../../schema/worded.ts'
import type { Draft, End, Trigger } from './draft.ts'
import { conditionWords } from './phrases.ts'

/** The plan around a rule, as far as its sentence needs it. */
export type Names = { sport: string; presetName(id: number): string | undefined }

/** A piece of a sentence; what somebody chose is strong, what is still missing a gap. */
export type Part = { text: string; look?: 'strong' | 'gap' }

const plain = (text: string): Part => ({ text })
const strong = (text: string): Part => ({ text, look: 'strong' })

/** `8 s`, `1 min 30 s`, `2 h`. */
export function secondsWords(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  const words = [hours > 0 && `${hours} h`, minutes > 0 && `${minutes} min`, rest > 0 && `${rest} s`].filter(Boolean)
  return words.length === 0 ? '0 s' : words.join(' ')
}

/** A time as a match clock shows it: `67:05`. */
export const clockWords = (seconds: number): string =>
  `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`

/** Seconds of `67:05`, or of `67` minutes; undefined when it is no time. */
export function clockSeconds(text: string): number | undefined {
  const [, minutes, rest = '0'] = /^\s*(\d{1,4})(?::([0-5]?\d))?\s*$/.exec(text) ?? []
  return minutes === undefined ? undefined : Number(minutes) * 60 + Number(rest)
}

/** `penalty goal`. */
export const factWord = (type: string): string => worded(type).toLowerCase()

const ordinal = (number: number) => {
  const tens = number % 100
  return `${number}${tens > 10 && tens < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')}`
}

const MOST_NAMED = 3
function oneOf(types: readonly string[]): string {
  const words = types.map(factWord)
  const rest = words.length - MOST_NAMED
  const named = rest > 1 ? [...words.slice(0, MOST_NAMED), `${rest} others`] : words
  return named.length < 2 ? (named[0] ?? '…') : `${named.slice(0, -1).join(', ')} or ${named.at(-1)}`
}

const article = (word: string) => (word === 'runs' ? '' : /^[aeiou]/.test(word) ? 'an ' : 'a ')

/** The facts of a sport that are worth something, or decide a point. */
export const isScored = (sport: string, type: string): boolean => sportOf(sport).factTypes[type]?.scoring === true

/** `the 1st half`, `Set 2`; without a number any of them. */
export function periodWords(sport: string, number: number | undefined): string {
  const found = sportOf(sport)
  if (number === undefined) return `any ${found.periodType}`
  const { name } = periodOf(found, found.defaults, number, 0)
  return /^\d/.test(name) ? `the ${name}` : name
}

/** The periods that a match of the sport may have, extra ones included. */
export function periodsOf(sport: string): { number: number; name: string }[] {
  const found = sportOf(sport)
  const count = found.defaults.periodCount + Math.min(found.overtime.count, 4)
  return Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    name: periodOf(found, found.defaults, index + 1, 0).name,
  }))
}

export const STATES = {
  scheduled: 'is scheduled',
  live: 'goes live',
  break: 'goes into a break',
  finished: 'is over',
  delayed: 'is delayed',
  postponed: 'is postponed',
  suspended: 'is suspended',
  abandoned: 'is abandoned',
  cancelled: 'is cancelled',
} as const

export const PHASES = {
  pregame: 'before the match',
  live: 'while the match is played',
  break: 'in breaks',
  postgame: 'after the match',
} as const

export const UNTILS = {
  state: 'until the match changes its state',
  period: 'until the period changes',
  replaced: 'until another graphic takes its place',
  hidden: 'until somebody takes it off',
} as const

function factParts({ factTypes, side }: Extract<Trigger, { type: 'fact' }>, every: number, sport: string): Part[] {
  const types = oneOf(factTypes)
  const scored = factTypes.length > 0 && factTypes.every((type) => isScored(sport, type))
  const by = side ? [plain(scored ? ' by ' : ' for '), strong(side)] : []
  if (every > 1) return [plain('At every '), strong(`${ordinal(every)} ${types}`), ...by]
  const verb = `${types === 'runs' ? ' are' : ' is'} ${scored ? 'scored' : 'recorded'}`
  return [plain('When '), strong(article(types) + types), plain(verb), ...by]
}

const around = (seconds: number, event: string): Part[] => {
  if (seconds === 0) return [plain('At '), strong(event)]
  return [strong(secondsWords(Math.abs(seconds))), plain(seconds < 0 ? ' before ' : ' after '), strong(event)]
}

/** When a rule fires, as the beginning of a sentence. */
export function triggerParts(trigger: Trigger, every: number, sport: string): Part[] {
  const counted = every > 1 && trigger.type !== 'fact' ? [plain(`, every ${ordinal(every)} time`)] : []
  switch (trigger.type) {
    case 'fact':
      return factParts(trigger, every, sport)
    case 'state':
      return [plain('When the match '), strong(STATES[trigger.state]), ...counted]
    case 'period':
      return [
        plain('When '),
        strong(periodWords(sport, trigger.number)),
        plain(trigger.at === 'start' ? ' begins' : ' ends'),
        ...counted,
      ]
    case 'clock':
      return [
        plain('When the match clock shows '),
        strong(clockWords(trigger.seconds)),
        ...(trigger.period === undefined ? [] : [plain(' in '), strong(periodWords(sport, trigger.period))]),
        ...counted,
      ]
    case 'time':
      return around(trigger.offsetSeconds, trigger.of === 'date' ? 'the planned start' : 'the end of the match')
    case 'interval':
      return [
        plain('Every '),
        strong(secondsWords(trigger.everySeconds)),
        plain(' '),
        strong(PHASES[trigger.during]),
        ...counted,
      ]
  }
}

const endParts = (end: End): Part[] =>
  'afterSeconds' in end ? [plain(' for '), strong(secondsWords(end.afterSeconds))] : [plain(` ${UNTILS[end.until]}`)]

/** A rule as one sentence: "When a goal is scored by home, show Goal scorer for 8 s, after 2 s." */
export function sentenceOf(rule: Draft, { sport, presetName }: Names): Part[] {
  const { trigger, every, presetId, wanted, end, delaySeconds, condition, once, cooldownSeconds } = rule
  const name = presetId === null ? undefined : presetName(presetId)
  const gap = wanted ? `choose a preset for “${wanted}”` : 'choose a preset'
  return [
    ...triggerParts(trigger, every, sport),
    plain(', show '),
    name === undefined ? { text: presetId === null ? gap : 'a preset that is gone', look: 'gap' } : strong(name),
    ...endParts(end),
    ...(delaySeconds > 0 ? [plain(', after '), strong(secondsWords(delaySeconds))] : []),
    ...(condition?.trim() ? [plain(', only if '), strong(conditionWords(condition))] : []),
    ...(once ? [plain(', once per match')] : []),
    ...(cooldownSeconds > 0 ? [plain(`, not again within ${secondsWords(cooldownSeconds)}`)] : []),
    plain('.'),
  ]
}

/** When a rule fires, in a few words behind the name of a graphic. */
function shortly(trigger: Trigger, sport: string): string {
  switch (trigger.type) {
    case 'fact':
      return `at ${oneOf(trigger.factTypes)}${trigger.side ? ` (${trigger.side})` : ''}`
    case 'state':
      return `when the match ${STATES[trigger.state]}`
    case 'period':
      return `at the ${trigger.at} of ${periodWords(sport, trigger.number)}`
    case 'clock':
      return `at ${clockWords(trigger.seconds)}`
    case 'time': {
      const event = trigger.of === 'date' ? 'the start' : 'the end'
      if (trigger.offsetSeconds === 0) return `at ${event}`
      return `${secondsWords(Math.abs(trigger.offsetSeconds))} ${trigger.offsetSeconds < 0 ? 'before' : 'after'} ${event}`
    }
    case 'interval':
      return `every ${secondsWords(trigger.everySeconds)} ${PHASES[trigger.during]}`
  }
}

const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
const isAlike = (graphic: string, { factTypes: [type = ''] }: Extract<Trigger, { type: 'fact' }>) =>
  letters(graphic).includes(letters(type))

const MOST_OF_A_NAME = 80

/** The name of a rule that nobody has named. */
export function nameOf({ trigger, presetId, wanted }: Draft, { sport, presetName }: Names): string {
  const graphic = (presetId === null ? wanted : presetName(presetId)) ?? 'Graphic'
  // "Substitution at substitution" says it twice
  const isSaid = trigger.type === 'fact' && trigger.factTypes.length === 1 && !trigger.side && isAlike(graphic, trigger)
  const name = isSaid ? graphic : `${graphic} ${shortly(trigger, sport)}`
  return name.length <= MOST_OF_A_NAME ? name : `${name.slice(0, MOST_OF_A_NAME - 1).trimEnd()}…`
}

/** A changed rule; its name follows as long as it is the one that was made for it. */
export function changed(rule: Draft, change: Partial<Draft>, names: Names): Draft {
  const next = { ...rule, ...change }
  const isOwn = change.name !== undefined || (rule.name !== '' && rule.name !== nameOf(rule, names))
  return isOwn ? next : { ...next, name: nameOf(next, names) }
}

/** The facts that a rule may wait for: those of the sport by what they do, then those that drive a match. */
export function factChoices(sport: string): { group: string; types: string[] }[] {
  const types = Object.keys(sportOf(sport).factTypes).filter((type) => !Object.hasOwn(STRUCTURAL, type))
  return [
    { group: 'Scoring', types: types.filter((type) => isScored(sport, type)) },
    { group: 'Other facts', types: types.filter((type) => !isScored(sport, type)) },
    { group: 'Course of the match', types: Object.keys(STRUCTURAL) },
  ]
}
