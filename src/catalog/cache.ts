export type MaybePromise<T> = T | Promise<T>

export interface Cache<K, V> {
  /** Synchronous when held and trusted, otherwise a promise of the source's value. An absent value is not held. */
  get(key: K): MaybePromise<V | undefined>
  /** The held value, without a look at the source. */
  peek(key: K): V | undefined
  /**
   * Drops values that match, and makes reads under way answer their callers without being held: all of them, or those of the
   * keys that `underWay` names.
   */
  forget(matches: (key: K, value: V) => boolean, underWay?: (key: K) => boolean): void
  /** Holds a value that never changes. */
  hold(key: K, value: V): void
  /** Holds many values of the source at once; none when anything was forgotten meanwhile. */
  fill(load: () => Promise<Iterable<readonly [K, V]>>): Promise<void>
  /** Any change of trust empties it; while untrusted nothing is held. */
  trust(trusted: boolean): void
}

/** A bounded read-through cache; the entry held longest goes first. Starts untrusted. */
export function createCache<K, V>(maxEntries: number, load: (key: K) => Promise<V | undefined>): Cache<K, V> {
  type Reading = { answer: Promise<V | undefined>; spoiled: boolean }
  const held = new Map<K, V>()
  const loading = new Map<K, Reading>()
  const fillings = new Set<Pick<Reading, 'spoiled'>>()
  let trusted = false

  async function settle(key: K, reading: Pick<Reading, 'spoiled'>) {
    try {
      const value = await load(key)
      // something may have changed since the source was asked
      if (value !== undefined && trusted && !reading.spoiled) hold(key, value)
      return value
    } finally {
      if (!reading.spoiled) loading.delete(key)
    }
  }

  function read(key: K) {
    const state = { spoiled: false }
    const reading: Reading = Object.assign(state, { answer: settle(key, state) })
    loading.set(key, reading)
    return reading.answer
  }

  function hold(key: K, value: V) {
    if (held.size >= maxEntries && !held.has(key)) {
      const oldest = held.keys().next()
      if (!oldest.done) held.delete(oldest.value)
    }
    held.set(key, value)
  }

  function spoil(matches: (key: K) => boolean) {
    for (const filling of fillings) filling.spoiled = true
    for (const [key, reading] of loading) {
      if (!matches(key)) continue
      reading.spoiled = true
      loading.delete(key)
    }
  }

  return {
    get(key) {
      return held.get(key) ?? loading.get(key)?.answer ?? read(key)
    },
    peek: (key) => held.get(key),
    forget(matches, underWay = () => true) {
      spoil(underWay)
      for (const [key, value] of held) if (matches(key, value)) held.delete(key)
    },
    hold,
    async fill(load) {
      const filling = { spoiled: false }
      fillings.add(filling)
      try {
        const entries = await load()
        if (!trusted || filling.spoiled) return
        for (const [key, value] of entries) hold(key, value)
      } finally {
        fillings.delete(filling)
      }
    },
    trust(now) {
      spoil(() => true)
      held.clear()
      trusted = now
    },
  }
}

/** Goes on at once when the value is there: a warm value must not cost a turn of the loop. */
export const whenKnown = <T, R>(value: MaybePromise<T>, use: (value: T) => MaybePromise<R>): MaybePromise<R> =>
  value instanceof Promise ? value.then(use) : use(value)
