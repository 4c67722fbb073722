import { type Place, samePlace } from './cursor.ts'
import { changeText, type Unpainted } from './live-text.ts'
import type { JournalRow, Ports } from './ports.ts'

/** Whoever missed more than this is told the state instead. */
const MAX_MISSED = 500

type Asked = { overlayId: number; from: Place; to: Place; unpainted: Unpainted }

/**
 * What happened after `from`, as CHANGE texts by seq, at least up to `to`. Undefined when it cannot be told: too much, taken by
 * retention, or `from` is a place of another history.
 */
export async function missedSince(ports: Ports, { overlayId, from, to, unpainted }: Asked) {
  const missed = to.seq - from.seq
  if (missed < 0 || missed > MAX_MISSED) return undefined
  if (missed === 0) return samePlace(from, to) ? [] : undefined
  const rows = await ports.commitsFrom(overlayId, Math.max(1, from.seq), MAX_MISSED + 1)
  const known: Place | undefined = from.seq === 0 ? { seq: 0, at: 0 } : rows[0]
  if (!known || !samePlace(known, from)) return undefined
  const news = rows.filter(({ seq }) => seq > from.seq)
  const whole = news.every(({ seq }, index) => seq === from.seq + 1 + index) && (news.at(-1)?.seq ?? 0) >= to.seq
  if (!whole) return undefined
  const times = await shownTimes(ports, overlayId, rows)
  const told = { unpainted, sinceOf: ({ loadSeq }: { loadSeq: number }) => times.get(loadSeq) ?? 0 }
  return news.map((row) => ({ seq: row.seq, text: changeText(overlayId, row, told) }))
}

/** When what these rows name was shown, by its load seq. */
async function shownTimes({ commitTimes }: Ports, overlayId: number, rows: readonly JournalRow[]) {
  const times = new Map(rows.map(({ seq, at }) => [seq, at]))
  const asked = rows
    .flatMap(({ events }) => events)
    .flatMap((event) => ('graphic' in event ? [event.graphic.loadSeq] : []))
    .filter((seq) => !times.has(seq))
  if (asked.length > 0) for (const [seq, at] of await commitTimes(overlayId, [...new Set(asked)])) times.set(seq, at)
  return times
}
