import { bounded, budget, MAX_TEXT } from './budget.ts'
import { patternOf } from './patterns.ts'

/** Whole numbers of CEL are bigints, those of JSON doubles. */
export type Numeric = number | bigint

/** Whether the pattern is found anywhere in the text, in time linear in the length of the text times that of the pattern. */
export function matches(text: unknown, pattern: unknown): boolean {
  if (typeof text !== 'string' || typeof pattern !== 'string') throw new Error('matches() takes a text of a text')
  const compiled = patternOf(pattern)
  budget.spend(1 + ((text.length * compiled.programSize()) >> 3))
  return compiled.matcher(text).find()
}

const isText = (item: unknown) => ['string', 'number', 'bigint', 'boolean'].includes(typeof item)

/** The items as text, one after the other. */
export function join(items: unknown, separator: unknown = ''): string {
  if (!Array.isArray(items) || typeof separator !== 'string') throw new Error('join() takes a list and a text')
  budget.spend(items.length)
  let text = ''
  for (const [index, item] of items.entries()) {
    if (!isText(item)) throw new Error('join() of a list that has other items than texts and numbers')
    text = bounded(`${text}${index > 0 ? separator : ''}${item}`)
  }
  return text
}

function replace(text: string, searched: string, by: string): string {
  const parts = text.split(searched)
  if (text.length + (parts.length - 1) * by.length > MAX_TEXT) throw new Error('replace() makes the text too long')
  return parts.join(by)
}

function padded(text: string, length: Numeric, fill: string, side: 'padStart' | 'padEnd'): string {
  return text[side](Math.min(Number(length), MAX_TEXT), fill)
}

const twoDigits = (value: number) => String(value).padStart(2, '0')

/** Milliseconds as minutes and seconds, `45:00`; minutes go on past 59 as on a match clock. */
export function formatClock(ms: Numeric): string {
  const seconds = Math.floor(Math.abs(Number(ms)) / 1000)
  return `${Number(ms) <= -1000 ? '-' : ''}${twoDigits(Math.floor(seconds / 60))}:${twoDigits(seconds % 60)}`
}

/** 1st, 2nd, 3rd, 11th. */
export function ordinal(value: Numeric): string {
  const count = Math.trunc(Number(value))
  const [tens, ones] = [Math.abs(count) % 100, Math.abs(count) % 10]
  const ending = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][ones] ?? 'th')
  return `${count}${ending}`
}

const digitsOf = (digits: Numeric) => Math.min(20, Math.max(0, Math.trunc(Number(digits))))

/** The number with its decimal point moved, exactly as it is printed. */
function shifted(value: number, places: number): number {
  const [mantissa, exponent = '0'] = String(value).split('e')
  return Number(`${mantissa}e${Number(exponent) + places}`)
}

/** Rounded half away from zero as people round, not as binary fractions do: 1.005 is 1.01. */
function rounded(value: Numeric, digits: Numeric): number {
  const places = digitsOf(digits)
  const whole = Math.round(shifted(Math.abs(Number(value)), places))
  return Math.sign(Number(value)) * shifted(whole, -places)
}

const place = (index: Numeric, length: number) => Math.min(Math.max(0, Math.trunc(Number(index))), length)

type Handler = (...given: never[]) => unknown
/** Its signatures in the notation of the library, and what it does. */
export type Helper = { signatures: readonly string[]; handler: Handler }

const NUMBERS = ['double', 'int']
const ofNumber = (name: string, rest = '') => NUMBERS.map((type) => `${name}(${type}${rest}): double`)
const ofTwo = (name: string) => NUMBERS.flatMap((type) => ofNumber(name, `, ${type}`))

/** What expressions can call beside what CEL has; the table in docs/expressions.md says it to designers. */
export const HELPERS: readonly Helper[] = [
  { signatures: ['string.upper(): string'], handler: (text: string) => text.toUpperCase() },
  { signatures: ['string.lower(): string'], handler: (text: string) => text.toLowerCase() },
  { signatures: ['string.replace(string, string): string'], handler: replace },
  {
    signatures: ['string.padStart(int, string): string', 'string.padStart(double, string): string'],
    handler: (text: string, length: Numeric, fill: string) => padded(text, length, fill, 'padStart'),
  },
  {
    signatures: ['string.padEnd(int, string): string', 'string.padEnd(double, string): string'],
    handler: (text: string, length: Numeric, fill: string) => padded(text, length, fill, 'padEnd'),
  },
  { signatures: ofNumber('round'), handler: (value: Numeric) => rounded(value, 0) },
  { signatures: ofNumber('round', ', int'), handler: rounded },
  { signatures: ofNumber('floor'), handler: (value: Numeric) => Math.floor(Number(value)) },
  { signatures: ofNumber('ceil'), handler: (value: Numeric) => Math.ceil(Number(value)) },
  { signatures: ofNumber('abs'), handler: (value: Numeric) => Math.abs(Number(value)) },
  { signatures: ofTwo('min'), handler: (one: Numeric, other: Numeric) => Math.min(Number(one), Number(other)) },
  { signatures: ofTwo('max'), handler: (one: Numeric, other: Numeric) => Math.max(Number(one), Number(other)) },
  {
    signatures: ['fixed(double, int): string', 'fixed(int, int): string'],
    handler: (value: Numeric, digits: Numeric) => rounded(value, digits).toFixed(digitsOf(digits)),
  },
  { signatures: ['formatClock(double): string', 'formatClock(int): string'], handler: formatClock },
  { signatures: ['ordinal(double): string', 'ordinal(int): string'], handler: ordinal },
  {
    signatures: ['list.sum(): double'],
    handler(items: readonly unknown[]) {
      budget.spend(items.length)
      return items.reduce((total: number, item) => {
        if (typeof item !== 'number' && typeof item !== 'bigint') throw new Error('sum() of other items than numbers')
        return total + Number(item)
      }, 0)
    },
  },
  {
    signatures: NUMBERS.flatMap((from) => NUMBERS.map((to) => `list.slice(${from}, ${to}): list<dyn>`)),
    handler: (items: readonly unknown[], from: Numeric, to: Numeric) =>
      items.slice(place(from, items.length), place(to, items.length)),
  },
  { signatures: ['list.reverse(): list<dyn>'], handler: (items: readonly unknown[]) => [...items].reverse() },
]
