/** Values that cost something to make, by key; who was asked for longest ago goes first. */
export class Recent<V> {
  readonly #held = new Map<string, V>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  get(key: string, make: () => V): V {
    const value = this.#held.get(key) ?? make()
    this.#held.delete(key)
    this.#held.set(key, value)
    const [oldest] = this.#held.keys()
    if (this.#held.size > this.#max && oldest !== undefined) this.#held.delete(oldest)
    return value
  }
}
