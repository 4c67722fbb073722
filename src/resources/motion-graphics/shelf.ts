import type { StoredStateMachine } from './state-machine.schema.ts'

/** Settings of parts that the graphic does not play now: the parts get them again when they are back. */
export type Shelf = Pick<StoredStateMachine, 'dataBindings' | 'stateMachineInputs'>

export const EMPTY_SHELF: Shelf = { dataBindings: [], stateMachineInputs: [] }
