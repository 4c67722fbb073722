import { invalid } from '../../errors.ts'

/** The last row of a log that was given: of the command `seq` its `n`th graphic, from 1. */
export type AsRunPosition = { seq: number; n: number }

/** How far a log was read, by overlay; of one that is not named nothing was given yet. */
export type AsRunPositions = ReadonlyMap<number, AsRunPosition>

export const START: AsRunPositions = new Map()

type Read = {
  /** The owner of the log: `match/5`, `overlay/7`. */
  of: string
  order: 'asc' | 'desc'
}

/** More is no address that every client sends. */
export const MAX_CURSOR = 1_000

/**
 * A place in a log, as text that clients hand back. It names rows, not a number of them: rows that come meanwhile are neither skipped
 * nor given twice. Undefined for a log of some seventy overlays and more, whose pages are asked for by their offset.
 */
export function cursorOf({ of, order }: Read, positions: AsRunPositions): string | undefined {
  const places = [...positions].map(([id, { seq, n }]) => [id, seq, n].map((part) => part.toString(36)).join('.'))
  const cursor = Buffer.from([of, order, ...places].join('~')).toString('base64url')
  return cursor.length <= MAX_CURSOR ? cursor : undefined
}

// no number in it is more than the integers of the database hold
const PLACE = /^([0-9a-z]{1,7})\.([0-9a-z]{1,10})\.([0-9a-z]{1,5})$/

/** The place that a cursor names. Throws invalid when it is none, or one of another log or order. */
export function placeOf(cursor: string, { of, order }: Read): AsRunPositions {
  const refused = (message: string) => invalid({ 'query.cursor': { message, value: cursor } })
  const [whose, way, ...places] = Buffer.from(cursor, 'base64url').toString().split('~')
  const parsed = places.map((place) => PLACE.exec(place))
  if (!whose || !way || parsed.length === 0 || parsed.includes(null)) throw refused('not a cursor that an answer gave')
  if (whose !== of) throw refused('a cursor of another log')
  if (way !== order) throw refused('a cursor of the other order')
  const numbers = parsed.map((found) => (found ?? []).slice(1).map((part) => Number.parseInt(part, 36)))
  return new Map(numbers.map(([id = 0, seq = 0, n = 0]) => [id, { seq, n }]))
}

/** How far a log was read after these rows as well. */
export function after(
  positions: AsRunPositions,
  rows: readonly (AsRunPosition & { overlayId: number })[],
): AsRunPositions {
  const moved = new Map(positions)
  for (const { overlayId, seq, n } of rows) moved.set(overlayId, { seq, n })
  return moved
}
