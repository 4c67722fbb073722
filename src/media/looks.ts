const AGAIN_MS = 1_000

type Passes = { current: Promise<void>; next: Promise<void> | undefined }

/**
 * Looks at things by key: one pass at a time per key, and one more after it when asked meanwhile. A pass that throws is told to
 * `failed` and comes again a second later.
 */
export function createLooks(look: (key: string) => Promise<void>, failed: (key: string, error: unknown) => void) {
  const passes = new Map<string, Passes>()
  const timers = new Set<NodeJS.Timeout>()
  let closed = false

  const pass = async (key: string) => {
    if (closed) return
    try {
      await look(key)
    } catch (error) {
      failed(key, error)
      later(key, AGAIN_MS)
    }
  }
  const begin = (key: string): Promise<void> => {
    const held: Passes = { current: Promise.resolve(), next: undefined }
    passes.set(key, held)
    held.current = pass(key).then(() => {
      if (!held.next) passes.delete(key)
    })
    return held.current
  }
  const later = (key: string, ms: number) => {
    if (closed) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      void now(key)
    }, ms)
    timers.add(timer)
  }
  const now = (key: string): Promise<void> => {
    const held = passes.get(key)
    if (!held) return begin(key)
    held.next ??= held.current.then(() => begin(key))
    return held.next
  }

  return {
    /** Resolves when a pass is over that began after this call. Never rejects. */
    now,
    /** One pass after this time. */
    later,
    async close() {
      closed = true
      for (const timer of timers) clearTimeout(timer)
      await Promise.all([...passes.values()].map(({ current }) => current))
    },
  }
}
