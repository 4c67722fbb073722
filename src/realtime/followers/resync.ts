import { stagedEvents } from '../../../machines/overlay/events.ts'
import type { JournalRow, Ports } from '../ports.ts'
import { changeText, type Unpainted } from './change-text.ts'
import { type Position, samePosition } from './cursor.ts'

/** A follower that missed more than this is told the state instead. */
const MAX_MISSED = 500

type Asked = { overlayId: number; from: Position; to: Position; unpainted: Unpainted }

/**
 * The commits after `from`, as CHANGE texts by seq, at least up to `to`. Undefined when they cannot be told: too many, taken by
 * retention, or `from` is a position of another history.
 */
export async function missedSince(ports: Ports, { overlayId, from, to, unpainted }: Asked) {
  const missed = to.seq - from.seq
  if (missed < 0 || missed > MAX_MISSED) return undefined
  if (missed === 0) return samePosition(from, to) ? [] : undefined
  const found = await ports.commitsFrom(overlayId, Math.max(1, from.seq), MAX_MISSED + 1)
  const rows = found.map((row) => ({ ...row, events: stagedEvents(row.events, row.asides) }))
  const known: Position | undefined = from.seq === 0 ? { seq: 0, at: 0 } : rows[0]
  if (!known || !samePosition(known, from)) return undefined
  const news = rows.filter(({ seq }) => seq > from.seq)
  const whole = news.every(({ seq }, index) => seq === from.seq + 1 + index) && (news.at(-1)?.seq ?? 0) >= to.seq
  if (!whole) return undefined
  const times = await shownTimes(ports, overlayId, rows)
  const told = { unpainted, sinceOf: ({ loadSeq }: { loadSeq: number }) => times.get(loadSeq) ?? 0 }
  return news.map((row) => ({ seq: row.seq, text: changeText(overlayId, row, told) }))
}

/** When the graphics that these rows name were shown, by load seq. */
async function shownTimes({ commitTimes }: Ports, overlayId: number, rows: readonly JournalRow[]) {
  const times = new Map(rows.map(({ seq, at }) => [seq, at]))
  const asked = rows
    .flatMap(({ events }) => events)
    .flatMap((event) => ('graphic' in event ? [event.graphic.loadSeq] : []))
    .filter((seq) => !times.has(seq))
  if (asked.length > 0) for (const [seq, at] of await commitTimes(overlayId, [...new Set(asked)])) times.set(seq, at)
  return times
}
