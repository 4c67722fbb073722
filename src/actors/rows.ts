import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate'
import { initialTransition } from 'xstate'
import { type ContextOf, type Kind, kinds, type StoredSnapshot } from '../../machines/kinds.ts'
import { Texts } from './encode.ts'

// An actor's row: its snapshot as text, and back. The one file of this folder that resources and the store may import.

/** The state that a new actor of this kind starts in. */
export const initialSnapshot = (kind: Kind): AnyMachineSnapshot =>
  initialTransition<AnyStateMachine>(kinds[kind].machine)[0]

/** JSON text of a snapshot, as the actor row stores it. */
export const encodeSnapshot = ({ value, context }: AnyMachineSnapshot, texts = new Texts()): string =>
  `{"value":${JSON.stringify(value)},"context":${texts.encodeWhole(context, 2)}}`

/** The row of a new actor, inserted by a command beside its record. `context`: its start, where the kind has no fixed one. */
export const newActor = (kind: Kind, context?: object) => {
  const { machine, version } = kinds[kind]
  const initial = initialSnapshot(kind)
  const made = context ? (machine as AnyStateMachine).resolveState({ value: initial.value, context }) : initial
  return { machineVersion: version, snapshot: encodeSnapshot(made) }
}

/** The context that a row was read with, of the present machine version; undefined when there is none, or it is not of its kind. */
export const contextRead = <K extends Kind>(kind: K, context: unknown): ContextOf<K> | undefined =>
  kinds[kind].shape(context) === undefined ? (context as ContextOf<K>) : undefined

/** A live snapshot of a stored one, raised through the migrations first. Throws when a migration fails or a part has not the shape of its kind. */
export function decodeSnapshot(kind: Kind, machineVersion: number, stored: unknown): AnyMachineSnapshot {
  const { machine, version, migrate, shape } = kinds[kind]
  if (machineVersion > version)
    throw new Error(`${kind} snapshot of version ${machineVersion}, this code knows ${version}`)
  let snapshot = checked(stored)
  for (let from = machineVersion; from < version; from++) {
    const raise = migrate[from]
    if (!raise) throw new Error(`no migration of ${kind} snapshots from version ${from}`)
    snapshot = checked(raise(snapshot))
  }
  const wrong = shape(snapshot.context)
  if (wrong !== undefined) throw new Error(`a stored ${kind} whose ${wrong || 'context'} is not of its kind`)
  // resolveState throws on a state that no longer exists
  return (machine as AnyStateMachine).resolveState({ value: snapshot.value as string, context: snapshot.context })
}

function checked(stored: unknown): StoredSnapshot {
  if (typeof stored === 'object' && stored !== null && 'value' in stored && 'context' in stored) {
    const { value, context } = stored
    if (typeof context === 'object' && context !== null) return { value, context: context as Record<string, unknown> }
  }
  throw new Error('a stored snapshot without value and context')
}
