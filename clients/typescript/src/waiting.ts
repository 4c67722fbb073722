/** Resolves after so many milliseconds, or rejects with the reason of the signal. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const ended = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', ended)
      resolve()
    }, ms)
    signal?.addEventListener('abort', ended, { once: true })
  })
}

/** How long to wait before try `tries` (from 0): longer each time, and never all clients at once. Milliseconds. */
export const backoff = (tries: number, firstMs = 250, longestMs = 5_000): number =>
  Math.min(longestMs, firstMs * 2 ** tries) * (0.5 + Math.random() / 2)
