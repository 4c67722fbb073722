const DAY_MS = 24 * 3_600_000

/** The next moment at which a clock of this place shows a time such as `18:45` or `18:45:30`, ms since 1970; undefined for anything else. */
export function atTime(text: string, now: number): number | undefined {
  const [, hours, minutes, seconds = '0'] = /^(\d\d):(\d\d)(?::(\d\d))?(?:\.\d+)?$/.exec(text) ?? []
  if (hours === undefined || minutes === undefined) return undefined
  const moment = new Date(now)
  moment.setHours(Number(hours), Number(minutes), Number(seconds), 0)
  if (moment.getTime() <= now) moment.setDate(moment.getDate() + 1)
  return moment.getTime()
}

export const inSeconds = (seconds: number, now: number): number => now + seconds * 1_000

/** Which day a moment of the coming 24 hours is on, where that is not the one of now. */
export function timeText(at: number, now: number): string | undefined {
  if (new Date(at).getDate() === new Date(now).getDate() && at - now < DAY_MS) return undefined
  return 'tomorrow'
}
