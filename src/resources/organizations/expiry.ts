/** The choices beside a date of one's own and none. spec: Authentication 8 */
export const EXPIRIES = ['7d', '30d', '60d', '90d', '1y'] as const
export type Expiry = (typeof EXPIRIES)[number]

const DAY_MS = 86_400_000
const days: Readonly<Record<Exclude<Expiry, '1y'>, number>> = { '7d': 7, '30d': 30, '60d': 60, '90d': 90 }

/** When a key that is made at `now` expires. */
export function expiryOf(choice: Expiry, now: Date): Date {
  if (choice !== '1y') return new Date(now.getTime() + days[choice] * DAY_MS)
  const date = new Date(now)
  date.setUTCFullYear(date.getUTCFullYear() + 1)
  return date
}
