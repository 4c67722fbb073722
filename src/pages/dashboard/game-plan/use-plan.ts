import type { Faults } from '../worked-list/faults.ts'
import { type ListKind, useWorkedList } from '../worked-list/use-worked-list.ts'
import { type Draft, type GamePlan, isSame, sentOf } from './draft.ts'

const CHOOSE = 'choose a preset'

/** Those that lack a preset, which the server would not take. */
const gapsOf = (rules: readonly Draft[]): Faults =>
  Object.fromEntries(rules.flatMap(({ id, presetId }) => (presetId === null ? [[id, { presetId: CHOOSE }]] : [])))

const PLAN: ListKind<Draft, GamePlan> = { member: 'rules', itemsOf: ({ rules }) => rules, sentOf, isSame, gapsOf }

/** A plan while it is worked at. `path` is that of the plan in the API, `read` what it answered last. */
export function usePlan(path: string, read: GamePlan, reload: () => Promise<void>) {
  const { items: rules, ...rest } = useWorkedList(PLAN, path, { read, reload })
  return { rules, ...rest }
}

export type WorkedPlan = ReturnType<typeof usePlan>
