/**
 * JSON texts of the parts of one actor's state. A part that did not change is the same object and is not serialized again. Held
 * by the actor and not weakly. docs/performance.md: weak tables
 */
export class Texts {
  #known = new Map<object, string>()

  /** The text of `JSON.stringify(value)` for plain data never changed in place; texts of parts below `levels` are remembered. */
  encode(value: unknown, levels: number): string {
    return this.#encode(value, levels, this.#known)
  }

  /** The same for a whole state; only its own parts are remembered from here on. */
  encodeWhole(value: unknown, levels: number): string {
    const kept = new Map<object, string>()
    const text = this.#encode(value, levels, kept)
    this.#known = kept
    return text
  }

  #encode(value: unknown, levels: number, kept: Map<object, string>): string {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
    if (levels === 0) {
      const text = this.#known.get(value) ?? JSON.stringify(value)
      kept.set(value, text)
      return text
    }
    if (Array.isArray(value)) return `[${value.map((item) => this.#encode(item, levels - 1, kept)).join()}]`
    const members: string[] = []
    for (const key of Object.keys(value)) {
      const item: unknown = Reflect.get(value, key)
      if (item !== undefined) members.push(`${JSON.stringify(key)}:${this.#encode(item, levels - 1, kept)}`)
    }
    return `{${members.join()}}`
  }
}
