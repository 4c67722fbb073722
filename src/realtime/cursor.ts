/** Where a follower is: up to which commit it was told, and when that was committed, ms since 1970. */
export type Place = { seq: number; at: number }

/** The same seq of a restored or another database has another time, so it does not pass for this place. */
export const cursorOf = (overlayId: number, { seq, at }: Place): string =>
  `${overlayId}-${seq}-${Math.floor(at).toString(36)}`

/** Reads a cursor of this overlay; undefined for anything else. */
export function readCursor(overlayId: number, text: string): Place | undefined {
  const [, id, seq, at] = /^(\d{1,10})-(\d{1,15})-([0-9a-z]{1,10})$/.exec(text) ?? []
  if (Number(id) !== overlayId || seq === undefined || at === undefined) return undefined
  return { seq: Number(seq), at: Number.parseInt(at, 36) }
}

/** Whether two readings of a place mean the same commit. */
export const samePlace = (one: Place, other: Place): boolean =>
  one.seq === other.seq && Math.floor(one.at) === Math.floor(other.at)
