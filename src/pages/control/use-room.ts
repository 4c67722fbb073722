import { useEffect, useState } from 'react'
import { Refusal, request } from '../ui/request.ts'
import { address } from './address.ts'
import type { Choices, Room } from './model.ts'

const RETRY_MS = 2_000
/** Facts come in bursts; what there is to choose need not follow each one. */
const CHOICES_SPACING_MS = 1_000

/** The latest answer to what the page asks below its address, read again whenever `revision` changes. The last one stays while the server is away. */
function useAnswer<T>(path: string, revision: unknown, waitMs: number) {
  const [answer, setAnswer] = useState<T>()
  const [refused, setRefused] = useState<string>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new revision is the reason to read again
  useEffect(() => {
    const abort = new AbortController()
    let timer = 0
    const read = async () => {
      try {
        const found = await request<T>('GET', `${address}/rest${path}`, { signal: abort.signal })
        if (abort.signal.aborted) return
        setAnswer(found)
        setRefused(undefined)
      } catch (error) {
        if (abort.signal.aborted) return
        setRefused(error instanceof Refusal ? error.message : String(error))
        timer = window.setTimeout(read, RETRY_MS)
      }
    }
    timer = window.setTimeout(read, waitMs)
    return () => {
      abort.abort()
      window.clearTimeout(timer)
    }
  }, [path, revision, waitMs])
  return { answer, refused }
}

export const useRoom = (revision: unknown) => useAnswer<Room>('/room', revision, 0)

const NO_CHOICES: Choices = {}

export function useChoices(revision: unknown): Choices {
  const { answer } = useAnswer<{ choices: Choices }>('/choices', revision, CHOICES_SPACING_MS)
  return answer?.choices ?? NO_CHOICES
}
