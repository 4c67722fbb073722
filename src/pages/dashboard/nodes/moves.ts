import type { Takeover } from '../shapes.ts'

/** Actors that moved from one node for one reason within a moment, to as many nodes as share them. */
export type Move = { at: string; from: string; reason: string; to: readonly string[]; slots: number }

/** One node after the other takes what a node has lost or gives up: that is one move to people. */
const ONE_MOVE_MS = 10_000

/** The newest first, as they come. */
export function movesOf(takeovers: readonly Takeover[]): Move[] {
  const moves: Move[] = []
  for (const { at, from, to, reason, slots } of takeovers) {
    const known = moves.find(
      (move) => move.from === from && move.reason === reason && Date.parse(move.at) - Date.parse(at) < ONE_MOVE_MS,
    )
    if (!known) moves.push({ at, from, reason, to: [to], slots })
    // it began with the oldest
    else Object.assign(known, { at, to: [...new Set([to, ...known.to])].sort(), slots: known.slots + slots })
  }
  return moves
}
