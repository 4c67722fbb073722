/** Whether 3/4/2027 is in April or in March. */
export type DateOrder = 'dayFirst' | 'monthFirst'

export type Day = { year: number; month: number; day: number }
export type Time = { hour: number; minute: number }

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const NUMBERS = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d{2})(?!\d)/
const ISO = /^(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)/
const DAY_MONTH = /^(?:[a-z]{2,9},?\s+)?(\d{1,2})(?:st|nd|rd|th|\.)?[\s-]+([a-z]{3,9})\.?,?[\s-]+(\d{4})/i
const MONTH_DAY = /^(?:[a-z]{2,9},?\s+)?([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})/i

/** How a list writes its days: told by one that can only be read one way, else the day is first. */
export function orderOf(cells: readonly string[]): DateOrder {
  const parts = cells.flatMap((cell) => {
    const [, first = '', second = ''] = NUMBERS.exec(cell.trim()) ?? []
    return first === '' ? [] : [[Number(first), Number(second)] as const]
  })
  return parts.some(([, second]) => second > 12) && !parts.some(([first]) => first > 12) ? 'monthFirst' : 'dayFirst'
}

const monthOf = (word: string) => MONTHS.indexOf(word.slice(0, 3).toLowerCase()) + 1

function dayIn(text: string, order: DateOrder): { day: Day; rest: string } | undefined {
  const found = (match: RegExpExecArray, year: string, month: number, day: string) => ({
    day: { year: Number(year) + (year.length === 2 ? 2000 : 0), month, day: Number(day) },
    rest: text.slice(match[0].length).trim(),
  })
  const iso = ISO.exec(text)
  if (iso) return found(iso, iso[1] ?? '', Number(iso[2]), iso[3] ?? '')
  const numbers = NUMBERS.exec(text)
  if (numbers) {
    const [, first = '', second = '', year = ''] = numbers
    return order === 'dayFirst'
      ? found(numbers, year, Number(second), first)
      : found(numbers, year, Number(first), second)
  }
  const dayMonth = DAY_MONTH.exec(text)
  if (dayMonth) return found(dayMonth, dayMonth[3] ?? '', monthOf(dayMonth[2] ?? ''), dayMonth[1] ?? '')
  const monthDay = MONTH_DAY.exec(text)
  return monthDay ? found(monthDay, monthDay[3] ?? '', monthOf(monthDay[1] ?? ''), monthDay[2] ?? '') : undefined
}

const isDay = ({ year, month, day }: Day) => {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/** A time of day: `19:30`, `19.30`, `7.30 pm`, `19h30`, `7pm`; undefined for what is none. */
export function timeOf(text: string): Time | undefined {
  const [, hours = '', minutes = '0', half] =
    /^(\d{1,2})(?:[:.h](\d{2}))?(?:[:.]\d{2})?\s*([ap])?\.?m?\.?$/i.exec(text.trim()) ?? []
  if (hours === '' || (half === undefined && !/[:.h]/i.test(text))) return undefined
  const twelve = Number(hours) % 12
  const hour = half === undefined ? Number(hours) : /p/i.test(half) ? twelve + 12 : twelve
  const isTime = hour < 24 && Number(minutes) < 60 && (half === undefined || Number(hours) <= 12)
  return isTime ? { hour, minute: Number(minutes) } : undefined
}

/** A day, and the time or the moment that the same cell may say; undefined for what is no day. */
export function dateOf(text: string, order: DateOrder): { day: Day; time?: Time | undefined; at?: string } | undefined {
  if (/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/i.test(text)) {
    const at = new Date(text)
    return Number.isNaN(at.getTime()) ? undefined : { day: { year: 0, month: 0, day: 0 }, at: at.toISOString() }
  }
  const found = dayIn(text.trim(), order)
  if (!found || !isDay(found.day)) return undefined
  const rest = found.rest.replace(/^[T,]\s*/i, '')
  if (rest === '') return { day: found.day }
  const time = timeOf(rest)
  return time && { day: found.day, time }
}

/** The moment of a day and time in a time zone, as ISO 8601 in UTC. */
export function momentIn({ year, month, day }: Day, { hour, minute }: Time, zone: string): string {
  const wall = Date.UTC(year, month - 1, day, hour, minute)
  // the offset of the moment itself, which may be another one than that of the first guess
  const first = wall - offsetAt(wall, zone)
  return new Date(wall - offsetAt(first, zone)).toISOString()
}

/** What clocks in a zone are before UTC, in ms. */
function offsetAt(at: number, zone: string): number {
  const parts = formatIn(zone).formatToParts(at)
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  const wall = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour') % 24, of('minute'), of('second'))
  return wall - Math.floor(at / 1000) * 1000
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatIn(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const two = '2-digit' as const
  const made = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: zone, hour12: false, year: 'numeric', month: two, day: two, hour: two, minute: two, second: two },
  })
  formats.set(zone, made)
  return made
}

/** The day of a moment in a time zone: `2027-03-01`. */
export function localDay(at: string, zone: string): string {
  return new Date(Date.parse(at) + offsetAt(Date.parse(at), zone)).toISOString().slice(0, 10)
}
