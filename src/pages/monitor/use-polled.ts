import { useEffect, useState } from 'react'
import { request } from '../ui/request.ts'

/** Changes that come together are asked for once. */
const TOGETHER_MS = 250
const RETRY_MS = 2_000

/** `stale`: the last time of asking failed, so `answer` is what was told before. */
export type Polled<T> = { answer: T | undefined; stale: boolean }

/**
 * Reads an address now, whenever `revision` is another one, and again every so often while anybody looks at the page. 0:
 * only at a new revision, and after a failure.
 */
export function usePolled<T>(url: string, everyMs: number, revision: number): Polled<T> {
  const [polled, setPolled] = useState<Polled<T>>({ answer: undefined, stale: false })
  useEffect(() => {
    const abort = new AbortController()
    let timer = 0
    let reading = false
    const read = async () => {
      let wait = everyMs
      reading = true
      if (!document.hidden)
        try {
          const answer = await request<T>('GET', url, { signal: abort.signal })
          if (!abort.signal.aborted) setPolled({ answer, stale: false })
        } catch {
          wait ||= RETRY_MS
          if (!abort.signal.aborted) setPolled(({ answer }) => ({ answer, stale: true }))
        }
      reading = false
      if (wait > 0 && !abort.signal.aborted) timer = window.setTimeout(read, wait)
    }
    const again = () => {
      if (document.hidden || reading) return
      window.clearTimeout(timer)
      void read()
    }
    timer = window.setTimeout(read, revision === 0 ? 0 : TOGETHER_MS)
    document.addEventListener('visibilitychange', again)
    return () => {
      abort.abort()
      window.clearTimeout(timer)
      document.removeEventListener('visibilitychange', again)
    }
  }, [url, everyMs, revision])
  return polled
}
