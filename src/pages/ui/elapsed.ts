/** A length of time as people read it at a glance: `42 s`, `3:07`, `1:02:09`, from a day on `2 d 3 h`. Never below zero. */
export function elapsed(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return `${hours}:${two(minutes % 60)}:${two(seconds % 60)}`
  return `${Math.floor(hours / 24)} d ${hours % 24} h`
}

/** Hours, minutes and seconds of the reader's own day: `14:03:27`. */
export function timeOfDay(at: number): string {
  const time = new Date(at)
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')
}

const two = (value: number) => String(value).padStart(2, '0')
