import './content.css'

const minute: Intl.DateTimeFormatOptions = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
}
const toTheMinute = new Intl.DateTimeFormat('en-GB', minute)
const toTheSecond = new Intl.DateTimeFormat('en-GB', { ...minute, second: '2-digit' })

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
  return (
    <time className="moment tabular" dateTime={at} title={at}>
      {(seconds ? toTheSecond : toTheMinute).format(new Date(at))}
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
