import { useCallback } from 'react'
import type { Faults } from '../worked-list/faults.ts'
import { type ListKind, useWorkedList } from '../worked-list/use-worked-list.ts'
import { type Draft, type GamePlan, isSame, sentOf } from './draft.ts'
import { concerned } from './faults.ts'

const CHOOSE = 'choose a preset'

/** Those that lack a preset, which the server would not take. */
const gapsOf = (rules: readonly Draft[]): Faults =>
  Object.fromEntries(rules.flatMap(({ id, presetId }) => (presetId === null ? [[id, { presetId: CHOOSE }]] : [])))

/** Those among faults that were told of a missing preset, of which the server was not asked. */
const gapsIn = (faults: Faults): Faults =>
  Object.fromEntries(Object.entries(faults).filter(([, { presetId }]) => presetId === CHOOSE))

const PLAN: ListKind<Draft, GamePlan> = { member: 'rules', itemsOf: ({ rules }) => rules, sentOf, isSame, gapsOf }

/** A plan while it is worked at. `path` is that of the plan in the API, `read` what it answered last. */
export function usePlan(path: string, read: GamePlan, reload: () => Promise<void>) {
  const { items: rules, setFaults, change: changeItem, ...rest } = useWorkedList(PLAN, path, { read, reload })
  const change = useCallback(
    (rule: Draft, members: readonly string[]) => changeItem(rule, concerned(members)),
    [changeItem],
  )
  /** The server's faults of a plan while somebody works on it; rules without a preset are not sent to it. */
  const checked = useCallback((found: Faults) => setFaults((last) => ({ ...gapsIn(last), ...found })), [setFaults])
  return { rules, checked, change, ...rest }
}

export type WorkedPlan = ReturnType<typeof usePlan>
