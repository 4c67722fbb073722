export type MaybePromise<T> = T | Promise<T>

export interface Cache<K, V> {
  /** Synchronous when held and trusted, otherwise a promise of what the source has. What is absent is not held. */
  get(key: K): MaybePromise<V | undefined>
  /** Drops what matches, and makes reads under way answer their callers without being held. */
  forget(matches: (key: K, value: V) => boolean): void
  /** Any change of trust empties it; while untrusted nothing is held. */
  trust(trusted: boolean): void
}

/** A bounded read-through cache; the entry held longest goes first. Starts untrusted. */
export function createCache<K, V>(maxEntries: number, load: (key: K) => Promise<V | undefined>): Cache<K, V> {
  const held = new Map<K, V>()
  const loading = new Map<K, Promise<V | undefined>>()
  let trusted = false
  let generation = 0

  async function read(key: K, startedIn: number) {
    try {
      const value = await load(key)
      // something may have changed since the source was asked
      if (value !== undefined && trusted && startedIn === generation) {
        if (held.size >= maxEntries) {
          const oldest = held.keys().next()
          if (!oldest.done) held.delete(oldest.value)
        }
        held.set(key, value)
      }
      return value
    } finally {
      if (startedIn === generation) loading.delete(key)
    }
  }

  const forgetReads = () => {
    generation += 1
    loading.clear()
  }

  return {
    get(key) {
      const value = held.get(key)
      if (value !== undefined) return value
      const underWay = loading.get(key)
      if (underWay) return underWay
      const reading = read(key, generation)
      loading.set(key, reading)
      return reading
    },
    forget(matches) {
      forgetReads()
      for (const [key, value] of held) if (matches(key, value)) held.delete(key)
    },
    trust(now) {
      forgetReads()
      held.clear()
      trusted = now
    },
  }
}

/** Goes on at once when the value is there: what is warm must not cost a turn of the loop. */
export const whenKnown = <T, R>(value: MaybePromise<T>, use: (value: T) => MaybePromise<R>): MaybePromise<R> =>
  value instanceof Promise ? value.then(use) : use(value)
