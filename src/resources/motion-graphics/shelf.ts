import type { StoredStateMachine } from './state-machine.schema.ts'

/** What people have set on parts that the graphic does not play now: it is theirs again when they are back. */
export type Shelf = Pick<StoredStateMachine, 'dataBindings' | 'stateMachineInputs'>

export const EMPTY_SHELF: Shelf = { dataBindings: [], stateMachineInputs: [] }
