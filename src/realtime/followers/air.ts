import type { LiveGraphic } from './live-protocol.ts'

/** The memory of a graphic on air between two messages. */
export type Memory = {
  /** Which show it is of. */
  since: string | null
  seq: number
  /** When its latest load or update was committed, milliseconds of the server's time. */
  seqAt: number
  /** A renderer has had it on screen since it was shown. */
  seen: boolean
}

/** How far a graphic that the server has committed has come. */
export type Air =
  | { at: 'painted'; renderers: number; of: number }
  /** On screen; its newest values are not yet. `inMs` while the overlay is delayed. */
  | { at: 'updating'; inMs: number }
  /** Held back by the encoding delay. */
  | { at: 'due'; inMs: number }
  | { at: 'unseen' }
  /** Nobody but pages of ours has it on screen. */
  | { at: 'rehearsed' }
  /** All renderers are in programs that do not show them. */
  | { at: 'outOfView' }
  | { at: 'committed' }

/** A paint follows its commit within some frames: before this nobody is told that it is missing. */
export const PAINT_WITHIN_MS = 1_500

/** Whether it is known to be on a screen, in rehearsal on those of our pages: only that may be drawn in the colour that says so. */
export const isOnScreen = ({ at }: Air) => at === 'painted' || at === 'updating' || at === 'rehearsed'

const time = (moment: string | null) => (moment === null ? Number.NaN : Date.parse(moment))

export function remember(before: Memory | undefined, { since, seq, painted }: LiveGraphic, now: number): Memory {
  const same = before !== undefined && (before.since === since || before.since === null)
  const shownAt = time(since)
  const firstAt = Number.isNaN(shownAt) ? now : Math.min(shownAt, now)
  const seqAt = before === undefined || !same ? firstAt : before.seq === seq ? before.seqAt : now
  return { since, seq, seqAt, seen: painted.renderers > 0 || (same && before.seen) }
}

/** `now` is the server's time. */
export function airOf({ painted }: LiveGraphic, { seqAt, seen }: Memory, delayMs: number, now: number): Air {
  const { renderers, of, outOfView } = painted
  // nobody misses a graphic that is out of view
  if (renderers > 0) return { at: 'painted', renderers, of: of - outOfView }
  const inMs = Math.max(0, seqAt + delayMs - now)
  if (seen && of > 0 && (inMs > 0 || now < seqAt + delayMs + PAINT_WITHIN_MS)) return { at: 'updating', inMs }
  if (inMs > 0) return { at: 'due', inMs }
  if (of === 0) return { at: 'unseen' }
  return { at: outOfView === of ? 'outOfView' : 'committed' }
}
