import './content.css'

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const toTheMinute = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const toTheSecond = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** A moment in the time zone of the reader, exact and in UTC when pointed at; `never` where there is none. */
export function Moment({
  at,
  never = '–',
  seconds,
}: {
  at: string | null | undefined
  never?: string
  seconds?: boolean
}) {
  if (!at) return never
  const date = new Date(at)
  // where there is little room it breaks between the two
  return (
    <time className="tabular" dateTime={at} title={at}>
      <span className="moment">{day.format(date)},</span>{' '}
      <span className="moment">{(seconds ? toTheSecond : toTheMinute).format(date)}</span>
    </time>
  )
}

/** A length of time on screen: `1:02:03`, `4:05`. */
export function lengthOf(seconds: number): string {
  const whole = Math.round(seconds)
  const two = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes, rest] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}
