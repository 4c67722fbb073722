import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { Refusal } from '../../ui/request.ts'
import { api } from '../api.ts'
import { useCommand } from '../use-command.ts'
import { type Draft, type GamePlan, isSamePlan, sentOf } from './draft.ts'
import { type Edit, edit } from './edits.ts'
import { type Faults, faultsOf, NO_FAULTS, withoutChanged } from './faults.ts'
import { mergeRules } from './merge.ts'

export const CHOOSE = 'choose a preset'

/** Those that lack a preset, which the server would not take. */
const gapsOf = (rules: readonly Draft[]): Faults =>
  Object.fromEntries(rules.flatMap(({ id, presetId }) => (presetId === null ? [[id, { presetId: CHOOSE }]] : [])))

/**
 * A plan while it is worked at: `rules` over what was read, what is wrong with them, and what somebody else has made of it meanwhile.
 * `path` is that of the plan in the API, `read` what it answered last.
 */
export function usePlan(path: string, read: GamePlan, reload: () => Promise<void>) {
  const [base, setBase] = useState(read)
  const [{ rules, removed }, step] = useReducer(edit, { rules: read.rules, removed: [] })
  const [faults, setFaults] = useState<Faults>(NO_FAULTS)
  const [theirs, setTheirs] = useState<GamePlan>()
  const isDirty = !isSamePlan(base.rules, rules)
  const latest = useRef({ rules, base, isDirty })
  latest.current = { rules, base, isDirty }

  const take = useCallback((plan: GamePlan, now: readonly Draft[] = plan.rules) => {
    setBase(plan)
    setTheirs(undefined)
    setFaults(NO_FAULTS)
    step({ type: 'replace', rules: now })
  }, [])

  // read again by itself, when the page is looked at again: nobody's work is replaced by it
  useEffect(() => {
    if (read.updatedAt <= latest.current.base.updatedAt) return
    if (isSamePlan(read.rules, latest.current.base.rules)) setBase(read)
    else if (latest.current.isDirty) setTheirs(read)
    else take(read)
  }, [read, take])

  const put = useCommand(
    async ({ rules: sent, ifUnchangedSince }: { rules: readonly Draft[]; ifUnchangedSince: string }, key) => {
      try {
        const plan = await api<GamePlan>('PUT', path, { body: { rules: sent.map(sentOf), ifUnchangedSince }, key })
        // what was typed while it was saved stays
        const { rules: now } = latest.current
        if (now === sent) take(plan)
        else setBase(plan)
        void reload()
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        if (error.status === 409) setTheirs(await api<GamePlan>('GET', path))
        else if (error.status === 400) {
          const found = faultsOf(error, sent)
          setFaults(found.faults)
          if (found.others.length > 0) throw error
        } else throw error
        throw error
      }
    },
  )

  /** Resolves whether the plan is saved as it is now. */
  const save = async (): Promise<boolean> => {
    const gaps = gapsOf(rules)
    if (Object.keys(gaps).length > 0) {
      setFaults(gaps)
      return false
    }
    return put.run({ rules, ifUnchangedSince: base.updatedAt })
  }
  const change = useCallback((rule: Draft, members: readonly string[]) => {
    step({ type: 'change', rule })
    setFaults((last) => withoutChanged(last, rule.id, members))
  }, [])

  return {
    rules,
    removed,
    faults,
    /** Told by a check of the server while somebody works. */
    setFaults,
    isDirty,
    base,
    theirs,
    busy: put.busy,
    error:
      put.error instanceof Refusal && (put.error.status === 409 || put.error.status === 400) ? undefined : put.error,
    others: put.error instanceof Refusal && put.error.status === 400 ? faultsOf(put.error, rules).others : [],
    step: step as (next: Edit) => void,
    change,
    save,
    discard: () => take(base),
    /** What somebody else saved, without mine. */
    takeTheirs: () => theirs && take(theirs),
    /** Both in one, to be saved. */
    merge: () => theirs && take(theirs, mergeRules(base.rules, rules, theirs.rules)),
  }
}

export type WorkedPlan = ReturnType<typeof usePlan>
