/** Values that cost something to make, by key; the one asked for longest ago goes first. */
export class Recent<V> {
  readonly #held = new Map<string, V>()
  readonly #max: number
  readonly #weigh: (value: V) => number
  #weight = 0

  /** `max`: of the weight of all values together; each weighs 1 unless said. */
  constructor(max: number, weigh: (value: V) => number = () => 1) {
    this.#max = max
    this.#weigh = weigh
  }

  /** The weight of all values held. */
  get weight(): number {
    return this.#weight
  }

  get(key: string, make: () => V): V {
    const known = this.#held.get(key)
    const value = known ?? make()
    if (known === undefined) this.#weight += this.#weigh(value)
    else this.#held.delete(key)
    this.#held.set(key, value)
    for (const [oldest, left] of this.#held) {
      if (this.#weight <= this.#max || oldest === key) break
      this.#held.delete(oldest)
      this.#weight -= this.#weigh(left)
    }
    return value
  }
}
