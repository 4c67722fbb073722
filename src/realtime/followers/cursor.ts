/** Where a follower is: up to which commit it was told, and when that was committed, ms since 1970. */
export type Position = { seq: number; at: number }

/** The same seq of a restored or another database has another time, so it does not pass for this position. */
export const cursorOf = (overlayId: number, { seq, at }: Position): string =>
  `${overlayId}-${seq}-${Math.floor(at).toString(36)}`

/** Reads a cursor of this overlay; undefined for anything else. */
export function readCursor(overlayId: number, text: string): Position | undefined {
  const [, id, seq, at] = /^(\d{1,10})-(\d{1,15})-([0-9a-z]{1,10})$/.exec(text) ?? []
  if (Number(id) !== overlayId || seq === undefined || at === undefined) return undefined
  return { seq: Number(seq), at: Number.parseInt(at, 36) }
}

/** Whether two readings of a position mean the same commit. */
export const samePosition = (one: Position, other: Position): boolean =>
  one.seq === other.seq && Math.floor(one.at) === Math.floor(other.at)
