import { setTimeout as pause } from 'node:timers/promises'
import { NotMine, unavailable } from '../errors.ts'
import { LinkLost, LinkRefused, LinkTimeout } from './links/errors.ts'
import type { NodeAddress, Ownership } from './ownership.ts'

/** Ways to the owner of an actor: on this node, or over the link to another. `mayBeDone`: an owner that is gone may have carried the command out. */
export type Ways<T> = {
  here(mayBeDone: boolean): Promise<T>
  /** Throws `NotMine` when that node says so, and `LinkLost` when it cannot be asked or did not answer. */
  there(node: NodeAddress, mayBeDone: boolean, withinMs: number): Promise<T>
}

/** Within the time that the caller of a command waits. cluster 3 */
const WITHIN_MS = 1_700
/** Refusals of the link itself, before any handler: that node is about to end, or has too much to do. */
const NOT_BEGUN: ReadonlySet<string> = new Set(['closing', 'busy', 'unknownKind'])
const FIRST_PAUSE_MS = 2
const LAST_PAUSE_MS = 40

/**
 * Has the owner of an actor carry out a command. While slots change hands, or an owner goes away, the next one is asked, with the same
 * identity of the command, for as long as the caller waits; then unavailable() is thrown.
 */
export async function atOwner<T>(
  owners: Pick<Ownership, 'owns' | 'ownerOf'> & { refresh(): void },
  ref: string,
  ways: Ways<T>,
  first?: NotMine,
): Promise<T> {
  const until = performance.now() + WITHIN_MS
  let mayBeDone = first?.mayBeDone ?? false
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LAST_PAUSE_MS)) {
    const leftMs = until - performance.now()
    if (leftMs <= 0) throw unavailable()
    try {
      if (owners.owns(ref)) return await ways.here(mayBeDone)
      const owner = owners.ownerOf(ref)
      if (owner) return await ways.there(owner, mayBeDone, leftMs)
    } catch (error) {
      // of another actor: what was done for the first one must not be done again
      const again = taken(error, ref)
      if (!again) throw error
      mayBeDone ||= again.mayBeDone
      owners.refresh()
    }
    await pause(Math.min(pauseMs, leftMs))
  }
}

/** Whether the next owner is to be asked, and whether the last one may have carried the command out. Throws where neither helps the caller. */
function taken(error: unknown, ref: string): { mayBeDone: boolean } | undefined {
  if (error instanceof LinkTimeout) throw unavailable()
  if (error instanceof LinkLost) return { mayBeDone: error.sent }
  if (error instanceof LinkRefused && NOT_BEGUN.has(error.name)) return { mayBeDone: false }
  if (!(error instanceof NotMine)) return undefined
  // of another actor: what was done for the first one must not be done again
  if (error.ref !== ref) throw unavailable()
  return error
}
