/** A place in a line, opaque to its holder. */
export class Place<T> {
  readonly member: T
  /** @internal */ before: Place<T> | undefined = undefined
  /** @internal */ after: Place<T> | undefined = undefined
  /** @internal */ taken = true

  constructor(member: T) {
    this.member = member
  }
}

/**
 * A queue that its members leave from anywhere, for the hot path, where a `Set` must not be one. docs/performance.md: sets as
 * queues
 */
export class Line<T> {
  #first: Place<T> | undefined
  #last: Place<T> | undefined
  #size = 0

  get size(): number {
    return this.#size
  }

  join(member: T): Place<T> {
    const place = new Place(member)
    place.before = this.#last
    if (this.#last) this.#last.after = place
    else this.#first = place
    this.#last = place
    this.#size++
    return place
  }

  /** False when it had left already. */
  leave(place: Place<T>): boolean {
    if (!place.taken) return false
    const { before, after } = place
    if (before) before.after = after
    else this.#first = after
    if (after) after.before = before
    else this.#last = before
    place.taken = false
    place.before = place.after = undefined
    this.#size--
    return true
  }

  get first(): Place<T> | undefined {
    return this.#first
  }

  /** Oldest first; a member may leave while it is looked at. */
  *[Symbol.iterator](): Generator<T> {
    for (let place = this.#first; place; ) {
      const next = place.after
      yield place.member
      place = next
    }
  }
}
