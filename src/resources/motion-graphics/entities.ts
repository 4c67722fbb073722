import { invalid } from '../../errors.ts'
import type { EntityList } from './queries.ts'
import type { StoredStateMachine } from './state-machine.schema.ts'

/** 400: the fault of a member of the body. */
export const refused = (field: string, message: string, value?: unknown) =>
  invalid({ [`body.${field}`]: { message, ...(value !== undefined && { value }) } })

/** The old entity with the members that the caller sent; null ones are taken away. */
export function changed<Old extends object>(old: Old, asked: object): Old {
  const named = Object.entries(asked).filter(([, value]) => value !== undefined)
  const kept = { ...old, ...Object.fromEntries(named) }
  return withoutNull(kept, new Set(named.flatMap(([name, value]) => (value === null ? [name] : []))))
}

// members that are taken away here are optional in the type
const withoutNull = <Old extends object>(kept: Old, cleared: ReadonlySet<string>) =>
  Object.fromEntries(Object.entries(kept).filter(([name]) => !cleared.has(name))) as Old

/** Whether a state machine has the entity that a path names. */
export const has = (list: EntityList, id: string) => (stateMachine: StoredStateMachine) =>
  stateMachine[list].some((one) => one.id === id)

/** The list with one of its entities changed. */
export const replaced = <One extends { id: string }>(
  all: readonly One[],
  id: string,
  change: (old: One) => One,
): One[] => all.map((one) => (one.id === id ? change(one) : one))
