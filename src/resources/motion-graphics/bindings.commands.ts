import type { z } from 'zod'
import type { RecordContext } from '../../context.ts'
import { brokenSource } from '../../expressions/rules.ts'
import type { GraphicPath } from '../code-graphics/schema.ts'
import { changed, has, refused, replaced } from './entities.ts'
import type { DataBindingUpdate, MotionAssetUpdate, StateMachineInputUpdate } from './parts.schema.ts'
import type { StoredStateMachine } from './state-machine.schema.ts'
import { withSettings } from './state-machine.ts'
import { changeDraft } from './working-copy.ts'

type EntityPath = GraphicPath & { id: string }
type Property = StoredStateMachine['dataBindings'][number]['viewModelProperty']

/** An expression of a binding, an input or an asset may read every user expression. */
function checkComputed({ userExpressions }: StoredStateMachine, expression: string | undefined, key = 'expression') {
  if (expression === undefined || expression.trim() === '') return
  const [rule] = brokenSource(expression, new Set(userExpressions.map(({ name }) => name)))
  if (rule !== undefined) throw refused(key, rule, expression)
}

/** Binds a property of the view model to an expression or a value. */
export function updateDataBinding(
  ctx: RecordContext,
  { id, ...path }: EntityPath,
  { ifUnchangedSince, ...asked }: z.output<typeof DataBindingUpdate>,
) {
  const names = has('dataBindings', id)
  const command = { type: 'updateDataBinding', asked: { id, ...asked }, ifUnchangedSince, names }
  return changeDraft(ctx, path, command, ({ stateMachine }) => {
    checkComputed(stateMachine, asked.expression)
    checkComputed(stateMachine, asked.exposed?.expression, 'exposed.expression')
    const dataBindings = replaced(stateMachine.dataBindings, id, (old) => {
      const wrong = wrongText(old.viewModelProperty, asked.value ?? undefined)
      if (wrong !== undefined) throw refused('value', wrong, asked.value)
      const { viewModelProperty: set, ...others } = asked
      const viewModelProperty = set === undefined ? old.viewModelProperty : withSettings(old.viewModelProperty, set)
      return { ...changed(old, others), viewModelProperty }
    })
    return { stateMachine: { ...stateMachine, dataBindings }, entityId: id }
  })
}

/** The fault of the text for a property, undefined when there is none. A colour that is none is ignored when it is drawn. */
function wrongText({ type, enumValues = [] }: Property, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  switch (type) {
    case 'number':
      return text.trim() !== '' && Number.isFinite(Number(text)) ? undefined : 'not a number'
    case 'boolean':
      return text === 'true' || text === 'false' ? undefined : 'neither true nor false'
    case 'enum':
      return enumValues.includes(text) ? undefined : `not one of ${enumValues.join(', ')}`
    default:
      return undefined
  }
}

/** Sets an input of the state machine to an expression or a value. */
export function updateStateMachineInput(
  ctx: RecordContext,
  { id, ...path }: EntityPath,
  { ifUnchangedSince, ...asked }: z.output<typeof StateMachineInputUpdate>,
) {
  const names = has('stateMachineInputs', id)
  const command = { type: 'updateStateMachineInput', asked: { id, ...asked }, ifUnchangedSince, names }
  return changeDraft(ctx, path, command, ({ stateMachine }) => {
    checkComputed(stateMachine, asked.expression)
    const stateMachineInputs = replaced(stateMachine.stateMachineInputs, id, (old) => {
      const { expression = old.expression } = asked
      const value = asked.value === undefined ? old.value : (asked.value ?? old.defaultValue)
      if (value !== null && (old.type === 'trigger' || typeof value !== old.type))
        throw refused('value', old.type === 'trigger' ? 'a trigger has no value' : `expected a ${old.type}`, value)
      return { ...old, value, ...(expression !== undefined && { expression }) }
    })
    return { stateMachine: { ...stateMachine, stateMachineInputs }, entityId: id }
  })
}

/** Computes an asset: an image then comes from the address that its expression gives. */
export function updateMotionAsset(
  ctx: RecordContext,
  { id, ...path }: EntityPath,
  { ifUnchangedSince, ...asked }: z.output<typeof MotionAssetUpdate>,
) {
  const names = has('assets', id)
  const command = { type: 'updateMotionAsset', asked: { id, ...asked }, ifUnchangedSince, names }
  return changeDraft(ctx, path, command, ({ stateMachine }) => {
    checkComputed(stateMachine, asked.expression)
    checkComputed(stateMachine, asked.exposed?.expression, 'exposed.expression')
    const assets = replaced(stateMachine.assets, id, (old) => changed(old, asked))
    return { stateMachine: { ...stateMachine, assets }, entityId: id }
  })
}
