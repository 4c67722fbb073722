import { useCallback, useMemo, useState, useSyncExternalStore } from 'react'
import { address } from './address.ts'
import type { DeskLink, DeskState } from './link.ts'
import { type DeskFact, type Projected, projected } from './model.ts'
import type { DeskCommand, FactSaid, Target } from './press.ts'

export type DeskParts = {
  state: DeskState
  /** Undefined until the match was read once. */
  match: Projected | undefined
  /** Ids of what was pressed here, the newest last: a telephone takes back only what it said itself. */
  mine: readonly string[]
  /** Why the last press could not even be kept. */
  fault: string | undefined
  press(command: DeskCommand): Promise<string | undefined>
  correct(target: Target, fact: FactSaid): Promise<void>
  erase(fact: DeskFact): Promise<void>
  /** Sends a refused press again, as it is or as put right. */
  retry(id: string, command?: DeskCommand): Promise<void>
  link: DeskLink
}

const MINE = `match-desk-mine${address}`
const MOST_MINE = 200

function remembered(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(MINE) ?? '[]')
    return Array.isArray(kept) ? kept.map(String) : []
  } catch {
    return []
  }
}

/** What the desk knows, and all that can be done at it. */
export function useDesk(link: DeskLink): DeskParts {
  const state = useSyncExternalStore(link.subscribe, () => link.state)
  const { desk, presses } = state
  const match = useMemo(() => desk && projected(desk, presses), [desk, presses])
  const [mine, setMine] = useState(remembered)
  const [fault, setFault] = useState<string>()
  const kept = useCallback(async <T>(work: Promise<T>): Promise<T | undefined> => {
    try {
      const result = await work
      setFault(undefined)
      return result
    } catch (error) {
      setFault(`This telephone could not keep the press: ${error instanceof Error ? error.message : 'no reason given'}`)
      return undefined
    }
  }, [])
  const isMine = useCallback((id: string) => {
    setMine((before) => {
      const next = [...before, id].slice(-MOST_MINE)
      try {
        localStorage.setItem(MINE, JSON.stringify(next))
      } catch {
        // it can still be taken back from the list of facts
      }
      return next
    })
  }, [])
  const press = useCallback(
    async (command: DeskCommand) => {
      navigator.vibrate?.(15)
      const made = await kept(link.outbox.press(command))
      if (made) isMine(made.id)
      return made?.id
    },
    [link, kept, isMine],
  )
  const retry = useCallback(
    async (id: string, command?: DeskCommand) => {
      const again = await kept(link.outbox.retry(id, command))
      if (again !== undefined) isMine(again)
    },
    [link, kept, isMine],
  )
  const correct = useCallback(
    async (target: Target, fact: FactSaid) => void (await kept(link.outbox.correct(target, fact))),
    [link, kept],
  )
  const erase = useCallback(
    async (fact: DeskFact) => void (await kept(link.outbox.erase(targetOf(fact)))),
    [link, kept],
  )
  return { state, match, mine, fault, press, correct, erase, retry, link }
}

/** How a press names a fact: by what it was recorded under, which it has from its first moment. */
export const targetOf = ({ id, clientFactId }: DeskFact): Target =>
  clientFactId !== null && id < 0 ? { press: clientFactId } : { factId: id }
