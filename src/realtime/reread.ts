import { setTimeout as pause } from 'node:timers/promises'

/**
 * Reads something anew each time it is said to have changed: per key one reading at a time, so that an older one never
 * comes last, once more when it changed meanwhile, and again until it succeeds.
 */
export function createReread<K>(options: {
  read(key: K): Promise<void>
  failed(key: K, error: unknown): void
  retryMs?: number
}): (key: K) => void {
  const changedAgain = new Map<K, boolean>()
  const readUntilCurrent = async (key: K) => {
    let current = false
    while (!current || changedAgain.get(key)) {
      changedAgain.set(key, false)
      try {
        await options.read(key)
        current = true
      } catch (error) {
        current = false
        options.failed(key, error)
        await pause(options.retryMs ?? 250, undefined, { ref: false })
      }
    }
    changedAgain.delete(key)
  }
  return (key) => {
    if (changedAgain.has(key)) changedAgain.set(key, true)
    else void readUntilCurrent(key)
  }
}
