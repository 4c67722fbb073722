import type { Values } from '../../../machines/overlay/model.ts'

/** Names of control variables that name a brand, the surest first; in any case, and with any `_` or `-` between. */
const NAMES = ['brand', 'brandname', 'sponsor', 'sponsorname', 'advertiser', 'advertisername', 'partner', 'partnername']

const plain = (name: string) => name.toLowerCase().replaceAll(/[\s_-]/g, '')

/**
 * The brand that a graphic with these values shows: the text of its control variable `brand`, else `sponsor`, `advertiser` or
 * `partner`. Null when it has none, or an empty one.
 */
export function brandOf(values: Values | null): string | null {
  if (!values) return null
  const entries = Object.entries(values)
  for (const wanted of NAMES) {
    const found = entries.find(([name, value]) => plain(name) === wanted && typeof value === 'string' && value.trim())
    if (found) return String(found[1]).trim()
  }
  return null
}
