/** Actors are shared out by slot: few enough to renew each second, enough to be shared evenly. Never changes: rows hold them. */
export const SLOTS = 256

/** FNV-1a, with the last steps of MurmurHash3, so that texts that differ in their last letter differ everywhere. */
function hashOf(text: string, seed = 0x811c9dc5): number {
  let hash = seed
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return mixed(hash)
}

function mixed(given: number): number {
  let hash = given
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** The slot of an actor; stable for ever, since nodes of all versions must agree. */
export const slotOf = (ref: string): number => hashOf(ref) % SLOTS

/**
 * The node that should own each slot: rendezvous hashing, each slot goes to the node with the highest score for it. The same in any order of the
 * nodes; one that comes or goes moves only its own share.
 */
export function ownersOf(nodes: readonly string[]): readonly (string | undefined)[] {
  const seeds = [...new Set(nodes)].sort().map((id) => ({ id, seed: hashOf(id) }))
  return Array.from({ length: SLOTS }, (_, slot) => {
    let best: { id: string; score: number } | undefined
    for (const { id, seed } of seeds) {
      const score = mixed(seed ^ mixed(slot + 1))
      if (!best || score > best.score) best = { id, score }
    }
    return best?.id
  })
}
