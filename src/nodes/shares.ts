import { LEASE_MS, type LiveNode, type Reason } from './leases.ts'
import { ownersOf } from './slots.ts'

type Linked = Pick<LiveNode, 'id' | 'cutOffFrom' | 'draining'>

/** Nodes that must own nothing since others cannot reach them: as few as leave no broken connection, the worst first. */
export function cutOff(nodes: readonly Linked[]): ReadonlySet<string> {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const pairs = nodes.flatMap(({ id, cutOffFrom }) =>
    cutOffFrom.filter((to) => byId.has(to)).map((to) => [id, to].sort()),
  )
  // a broken connection counts for both its ends: a node that reaches no other must not put out all of them
  let broken = [...new Map(pairs.map((pair) => [pair.join(' '), pair])).values()]
  const out = new Set<string>()
  while (broken.length > 0) {
    const weight = (id: string) =>
      broken.filter((pair) => pair.includes(id)).length + (byId.get(id)?.draining ? 0.5 : 0)
    // one that others do not reach cannot be asked; one that does not reach it can
    const missedBy = (id: string) => nodes.filter(({ cutOffFrom }) => cutOffFrom.includes(id)).length
    const [worst = ''] = [...new Set(broken.flat())].sort(
      (a, b) => weight(b) - weight(a) || missedBy(b) - missedBy(a) || (a < b ? 1 : -1),
    )
    out.add(worst)
    broken = broken.filter((pair) => !pair.includes(worst))
  }
  return out
}

/** The nodes that may own slots: neither silent for a lease nor leaving. */
export const beating = <N extends LiveNode>(nodes: readonly N[]): N[] =>
  nodes.filter(({ ageMs, leaving }) => !leaving && ageMs < LEASE_MS)

/** The nodes that share the slots now. One whose last beat is older than a lease has no leases any more. */
export function sharing(nodes: readonly LiveNode[]): string[] {
  const present = beating(nodes)
  const out = cutOff(present)
  const reached = present.filter(({ id }) => !out.has(id))
  const free = reached.filter(({ draining }) => !draining)
  // when people drain every node, all go on: some node must serve
  return (free.length > 0 ? free : reached).map(({ id }) => id)
}

export type Plan = {
  /** Slots to be taken: free ones, and those that are ours in the database and not held. */
  readonly take: number[]
  /** Slots that are held, and another node's from now on: all when this node goes, a few at a time to one that came. */
  readonly giveUp: number[]
  /** Slots neither wanted nor held, and still ours in the database: the answer to a statement was lost. */
  readonly forgotten: number[]
  /** Some that are held and another node's are kept for now, since that node is slow. */
  readonly keptBack: boolean
  readonly reason: Reason
  /** Wanted slots, kept by the lease of a node that has stopped beating. */
  readonly awaited: boolean
}

type Seen = {
  readonly me: string
  readonly nodes: readonly LiveNode[]
  readonly owners: readonly (string | null)[]
  isHeld(slot: number): boolean
  isBusy(slot: number): boolean
  /** Whether a node that came is to be handed nothing more for now; left out: none is. */
  isSlow?(node: string): boolean
}

/** Slots that are handed to a node that has just started, until it has taken them: a new process answers its first commands slowly. */
export const HANDED_AT_ONCE = 8

/** Sorts slots by what a node is to do about them, from the rows that its beat has read. */
export function planOf({ me, nodes, owners, isHeld, isBusy, isSlow = () => false }: Seen): Plan {
  const chosen = sharing(nodes)
  const shares = ownersOf(chosen)
  const beating = new Set(nodes.filter(({ ageMs }) => ageMs < LEASE_MS).map(({ id }) => id))
  const all = owners
    .map((owner, slot) => ({ owner, slot, wanted: shares[slot] === me }))
    .filter(({ slot }) => !isBusy(slot))
  const slotsOf = (some: typeof all) => some.map(({ slot }) => slot)
  // a node whose row is gone has no leases to wait for that are not about to end
  const silent = new Set(owners.filter((owner) => owner !== null && !beating.has(owner)))
  const mine = nodes.find(({ id }) => id === me)
  const reason = chosen.includes(me) ? 'join' : mine?.leaving ? 'leave' : mine?.draining ? 'drain' : 'cut off'
  const unwanted = slotsOf(all.filter(({ slot, wanted }) => !wanted && isHeld(slot)))
  const slow = new Set(chosen.filter((id) => unwanted.some((slot) => shares[slot] === id) && isSlow(id)))
  const handed = unwanted.filter((slot) => !slow.has(shares[slot] ?? ''))
  // given up already, or by now nobody's: those that are to take them have not done so
  const underWay = owners.filter((owner, slot) => isBusy(slot) || (owner === null && shares[slot] !== me)).length
  return {
    take: slotsOf(all.filter(({ owner, slot, wanted }) => wanted && !isHeld(slot) && (owner === null || owner === me))),
    giveUp: reason === 'join' ? handed.slice(0, Math.max(0, HANDED_AT_ONCE - underWay)) : unwanted,
    keptBack: reason === 'join' && handed.length < unwanted.length,
    forgotten: slotsOf(all.filter(({ owner, slot, wanted }) => !wanted && owner === me && !isHeld(slot))),
    reason,
    awaited: all.some(({ owner, wanted }) => wanted && owner !== null && silent.has(owner)),
  }
}
