import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { Refusal } from '../../ui/refusal.ts'
import { api } from '../api.ts'
import { useCommand } from '../use-command.ts'
import { type Edit, type Edited, edit, type Item } from './edits.ts'
import { type Faults, faultsOf, NO_FAULTS, withoutChanged } from './faults.ts'
import { foreignChanges, mergeItems, type Same } from './merge.ts'

/** The items that a list of the API is made of. */
export type ListKind<T extends Item, Answer extends { updatedAt: string }> = {
  /** The member of the body that it is sent as. */
  readonly member: string
  itemsOf(answer: Answer): readonly T[]
  sentOf(item: T): unknown
  readonly isSame: Same<T>
  /** Faults that the page finds itself, so that the server is not asked. */
  gapsOf?(items: readonly T[]): Faults
}

const NO_GAPS = () => NO_FAULTS

/** A refusal that names fields of the body is told at these fields. */
const isOfFields = (error: unknown) => error instanceof Refusal && (error.status === 409 || error.status === 400)

/**
 * A list that is saved as a whole while it is worked at: `items` over what was read, what is wrong with them, and what somebody else has
 * made of it meanwhile. `path` is that of the list in the API, `read` what it answered last; `kind` stays the same.
 */
export function useWorkedList<T extends Item, Answer extends { updatedAt: string }>(
  kind: ListKind<T, Answer>,
  path: string,
  { read, reload }: { read: Answer; reload: () => Promise<void> },
) {
  const { member, itemsOf, sentOf, isSame, gapsOf = NO_GAPS } = kind
  const [base, setBase] = useState(read)
  const [{ items, removed }, step] = useReducer<Edited<T>, [Edit<T>]>(edit, { items: itemsOf(read), removed: [] })
  const [faults, setFaults] = useState<Faults>(NO_FAULTS)
  const [theirs, setTheirs] = useState<Answer>()
  const [isSaved, setSaved] = useState(false)
  const same = (one: readonly T[], other: readonly T[]) =>
    one.length === other.length && one.every((item, index) => isSame(item, other[index] as T))
  const isDirty = !same(itemsOf(base), items)
  const latest = useRef({ items, base, isDirty, same })
  latest.current = { items, base, isDirty, same }

  const take = useCallback(
    (answer: Answer, now: readonly T[] = itemsOf(answer)) => {
      setBase(answer)
      setTheirs(undefined)
      setFaults(NO_FAULTS)
      step({ type: 'replace', items: now })
    },
    [itemsOf],
  )

  // read again by itself, when the page is looked at again: nobody's work is replaced by it
  useEffect(() => {
    const { base: known, isDirty: isWorkedAt, same: areSame } = latest.current
    if (read.updatedAt <= known.updatedAt) return
    if (areSame(itemsOf(read), itemsOf(known))) setBase(read)
    else if (isWorkedAt) setTheirs(read)
    else take(read)
  }, [read, take, itemsOf])

  const put = useCommand(
    async ({ items: sent, ifUnchangedSince }: { items: readonly T[]; ifUnchangedSince: string }, key) => {
      try {
        const answer = await api<Answer>('PUT', path, {
          body: { [member]: sent.map(sentOf), ifUnchangedSince },
          key,
        })
        // what was typed while it was saved stays
        if (latest.current.items === sent) take(answer)
        else setBase(answer)
        setSaved(true)
        void reload()
      } catch (error) {
        if (error instanceof Refusal && error.status === 409) setTheirs(await api<Answer>('GET', path))
        if (error instanceof Refusal && error.status === 400) setFaults(faultsOf(error, member, sent).faults)
        throw error
      }
    },
  )

  /** Resolves whether the list is saved as it is now. */
  const save = async (): Promise<boolean> => {
    const gaps = gapsOf(items)
    if (Object.keys(gaps).length > 0) {
      setFaults(gaps)
      return false
    }
    return put.run({ items, ifUnchangedSince: base.updatedAt })
  }
  const change = useCallback((item: T, members: readonly string[]) => {
    step({ type: 'change', item })
    setFaults((last) => withoutChanged(last, item.id, members))
  }, [])
  const mine = { read: itemsOf(base), mine: items }
  return {
    items,
    removed,
    faults,
    /** Told by a check of the server while somebody works. */
    setFaults,
    isDirty,
    isSaved,
    /** The changes that somebody else saved meanwhile, and when. */
    foreign: theirs && { ...foreignChanges(itemsOf(base), itemsOf(theirs), isSame), at: theirs.updatedAt },
    busy: put.busy,
    error: isOfFields(put.error) ? undefined : put.error,
    others: put.error instanceof Refusal && put.error.status === 400 ? faultsOf(put.error, member, items).others : [],
    step,
    change,
    save,
    discard: () => take(base),
    /** The list that somebody else saved, without mine. */
    takeTheirs: () => theirs && take(theirs),
    /** Both in one, to be saved. */
    merge: () => theirs && take(theirs, mergeItems({ ...mine, theirs: itemsOf(theirs) }, isSame)),
  }
}
