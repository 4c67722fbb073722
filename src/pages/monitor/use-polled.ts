import { useEffect, useRef, useState } from 'react'
import { request } from '../ui/request.ts'
import { createRereading, type Rereading } from '../ui/rereading.ts'

/** Changes that come together are asked for once. */
const TOGETHER_MS = 250
const RETRY_MS = 2_000

/** `stale`: the last request failed, so `answer` is that of an earlier one. */
export type Polled<T> = { answer: T | undefined; stale: boolean }

/**
 * Reads an address now, soon after `revision` is another one, and again every so often while anybody looks at the page. 0:
 * only at a new revision, and after a failure.
 */
export function usePolled<T>(url: string, everyMs: number, revision: number): Polled<T> {
  const [polled, setPolled] = useState<Polled<T>>({ answer: undefined, stale: false })
  const rereading = useRef<Rereading>(undefined)
  // before the other effect: an answer that is only about to be read is read once
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new revision is the reason to read again
  useEffect(() => rereading.current?.changed(), [revision])
  useEffect(() => {
    const own = createRereading(async (signal) => {
      if (document.hidden) return everyMs
      try {
        const answer = await request<T>('GET', url, { signal })
        if (!signal.aborted) setPolled({ answer, stale: false })
        return everyMs
      } catch {
        if (!signal.aborted) setPolled(({ answer }) => ({ answer, stale: true }))
        return everyMs || RETRY_MS
      }
    }, TOGETHER_MS)
    rereading.current = own
    own.now()
    const again = () => !document.hidden && own.now()
    document.addEventListener('visibilitychange', again)
    return () => {
      own.close()
      document.removeEventListener('visibilitychange', again)
    }
  }, [url, everyMs])
  return polled
}
