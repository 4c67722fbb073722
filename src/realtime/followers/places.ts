import { tooManyRequests } from '../../errors.ts'
import type { Ports } from '../ports.ts'

/** How somebody who only looks came in. The pictures inside pages are sockets of their own; `preview` is one outside of them. */
export type Way = 'control' | 'monitoring' | 'key' | 'control picture' | 'monitoring picture' | 'preview' | 'state'

export type Placed = { readonly overlayId: number; readonly way: Way; end(code: number, reason: string): void }

/** Far more than a production has, and few enough that a stranger who found an address cannot slow down those who work. */
const MOST = 500
/** Fewer are not told to other nodes: a thousand overlays with two pages each cost nothing, and over up to six nodes the most holds within a tenth. */
const TOLD_FROM = 1 / 50
const FULL = 'As many follow this overlay as may'

/**
 * How many may follow an overlay, over all nodes. Each way in has places of its own, so that a monitoring address that got around
 * shuts nobody out of the control room. Renderers are not counted: nothing refuses a picture that goes on air.
 */
export class Places {
  readonly #most: number
  readonly #elsewhere: Ports['elsewhere']
  readonly #taken = new Map<string, Set<Placed>>()

  constructor({ elsewhere, maxFollowers = MOST }: Pick<Ports, 'elsewhere' | 'maxFollowers'>) {
    this.#elsewhere = elsewhere
    this.#most = maxFollowers
  }

  /** Throws tooManyRequests when one more is too many. */
  check(overlayId: number, way: Way): void {
    if (this.taken(overlayId, way) >= this.#most) throw tooManyRequests({ 'Retry-After': '5' }, FULL)
  }

  /** As far as this node knows. */
  taken(overlayId: number, way: Way): number {
    const key = keyOf({ overlayId, way })
    return this.#others(key).reduce((sum, count) => sum + count, this.#taken.get(key)?.size ?? 0)
  }

  enter(one: Placed): void {
    const key = keyOf(one)
    const taken = this.#taken.get(key) ?? new Set()
    this.#taken.set(key, taken.add(one))
    this.#elsewhere?.placed()
    this.#trim(key, taken)
  }

  leave(one: Placed): void {
    const taken = this.#taken.get(keyOf(one))
    if (!taken?.delete(one)) return
    if (taken.size === 0) this.#taken.delete(keyOf(one))
    this.#elsewhere?.placed()
  }

  /** What other nodes are to know. */
  own(): (readonly [key: string, count: number])[] {
    return Array.from(this.#taken, ([key, { size }]) => [key, size] as const).filter(
      ([, count]) => count >= this.#most * TOLD_FROM,
    )
  }

  /** Another node told of its own: those that came to several nodes at once may be too many. */
  othersTold(): void {
    for (const [key, taken] of this.#taken) this.#trim(key, taken)
  }

  #others = (key: string): readonly number[] => this.#elsewhere?.places(key) ?? []

  /** The newest go; those who were there stay. */
  #trim(key: string, taken: ReadonlySet<Placed>): void {
    const others = this.#others(key)
    for (const one of [...taken].slice(shareOf(this.#most, taken.size, others))) one.end(1013, FULL)
  }
}

const keyOf = ({ overlayId, way }: Pick<Placed, 'overlayId' | 'way'>) => `${overlayId}/${way}`

/** How many of its own a node may keep when all reckon the same: no node gives up more than those with as many as it has. */
function shareOf(most: number, own: number, others: readonly number[]): number {
  let left = most
  const counts = [own, ...others].sort((one, other) => one - other)
  for (const [index, count] of counts.entries()) {
    const share = Math.floor(left / (counts.length - index))
    if (count > share) return Math.min(own, share)
    left -= count
  }
  return own
}
