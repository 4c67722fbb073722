import { useEffect, useRef, useState } from 'react'
import { Refusal, request } from '../ui/request.ts'
import { createRereading, type Rereading } from '../ui/rereading.ts'
import { address } from './address.ts'
import type { Choices, Room, Rundown } from './model.ts'

const RETRY_MS = 2_000
/** Facts come in bursts; the choices need not follow each one. */
const CHOICES_SPACING_MS = 1_000

/** The latest answer at a path below the page's address, read again when `revision` changes. It stays while the server is away. */
function useAnswer<T>(path: string, revision: unknown, waitMs: number) {
  const [answer, setAnswer] = useState<T>()
  const [refused, setRefused] = useState<string>()
  const rereading = useRef<Rereading>(undefined)
  useEffect(() => {
    const own = createRereading(async (signal) => {
      try {
        const found = await request<T>('GET', `${address}/rest${path}`, { signal })
        if (signal.aborted) return 0
        setAnswer(found)
        setRefused(undefined)
        return 0
      } catch (error) {
        if (!signal.aborted) setRefused(error instanceof Refusal ? error.message : String(error))
        return RETRY_MS
      }
    }, waitMs)
    rereading.current = own
    return () => own.close()
  }, [path, waitMs])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new revision is the reason to read again
  useEffect(() => rereading.current?.changed(), [path, revision, waitMs])
  return { answer, refused }
}

export const useRoom = (revision: unknown) => useAnswer<Room>('/room', revision, 0)

/** The rundown of the overlay; a change of the room may change it, too. */
export const useRundownList = (revision: unknown) => useAnswer<Rundown>('/rundown', revision, 0).answer

const NO_CHOICES: Choices = {}

export function useChoices(revision: unknown): Choices {
  const { answer } = useAnswer<{ choices: Choices }>('/choices', revision, CHOICES_SPACING_MS)
  return answer?.choices ?? NO_CHOICES
}
