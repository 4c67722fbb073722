import type { z } from 'zod'
import type { RecordContext } from '../../context.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import { brokenExpressionRules, MAX_EXPRESSIONS } from '../../expressions/rules.ts'
import { faultsOf } from '../code-graphics/rules.ts'
import type { GraphicPath } from '../code-graphics/schema.ts'
import { changed, has, refused, replaced } from './entities.ts'
import type {
  ControlVariableCreation,
  ControlVariableUpdate,
  UserExpressionCreation,
  UserExpressionUpdate,
} from './parts.schema.ts'
import type { MotionSettings } from './schema.ts'
import type { StoredStateMachine } from './state-machine.schema.ts'
import { byName, fitted } from './state-machine.ts'
import { changeDraft, uploadedIn } from './working-copy.ts'

type EntityPath = GraphicPath & { id: string }
type ControlVariable = StoredStateMachine['controlVariables'][number]
type UserExpression = StoredStateMachine['userExpressions'][number]

const MAX_VARIABLES = 500

/** Changes the artboard and state machine that the graphic plays, and its layout. */
export function changeSettings(ctx: RecordContext, path: GraphicPath, asked: z.output<typeof MotionSettings>) {
  const { ifUnchangedSince, currentArtboard, currentStateMachine, ...layout } = asked
  const command = { type: 'changeSettings', asked, ifUnchangedSince }
  return changeDraft(ctx, path, command, ({ stateMachine, motion, files }) => {
    const settled = changed(stateMachine, layout)
    if (currentArtboard === undefined && currentStateMachine === undefined)
      return { stateMachine: settled, entityId: null }
    const { file } = motion
    const artboard = file && byName(file.artboards, currentArtboard ?? stateMachine.currentArtboard)
    if (!artboard) throw refused('currentArtboard', 'the motion file has no such artboard', currentArtboard)
    if (currentStateMachine !== undefined && !byName(artboard.stateMachines, currentStateMachine))
      throw refused('currentStateMachine', 'the artboard has no such state machine', currentStateMachine)
    const chosen = { artboard: artboard.name, stateMachine: currentStateMachine }
    const { shelf, ...next } = fitted(
      { stateMachine: settled, shelf: motion.shelf },
      file,
      uploadedIn(files, settled),
      chosen,
    )
    return { ...next, motion: { ...motion, shelf }, entityId: null }
  })
}

function checkVariable(variable: ControlVariable) {
  const details: FieldErrors = Object.fromEntries(
    faultsOf(variable).map(({ member, rule }) => [`body.${member}`, { message: rule }]),
  )
  if (Object.keys(details).length > 0) throw invalid(details)
}

/** Adds a control variable; its id equals its name. Throws invalid when another has the name. spec: Motion graphics 25 */
export function createControlVariable(
  ctx: RecordContext,
  path: GraphicPath,
  { ifUnchangedSince, ...asked }: z.output<typeof ControlVariableCreation>,
) {
  const command = { type: 'createControlVariable', asked, ifUnchangedSince }
  return changeDraft(ctx, path, command, ({ stateMachine }) => {
    const variables = stateMachine.controlVariables
    if (byName(variables, asked.name)) throw refused('name', 'another control variable has this name', asked.name)
    if (variables.length >= MAX_VARIABLES) throw refused('name', `a graphic has at most ${MAX_VARIABLES} variables`)
    const variable = { id: asked.name, ...asked }
    checkVariable(variable)
    return { stateMachine: { ...stateMachine, controlVariables: [...variables, variable] }, entityId: variable.id }
  })
}

/** Changes a control variable, but not its name. */
export function updateControlVariable(
  ctx: RecordContext,
  { id, ...path }: EntityPath,
  { ifUnchangedSince, ...asked }: z.output<typeof ControlVariableUpdate>,
) {
  const names = has('controlVariables', id)
  const command = { type: 'updateControlVariable', asked: { id, ...asked }, ifUnchangedSince, names }
  return changeDraft(ctx, path, command, ({ stateMachine }) => {
    const controlVariables = replaced(stateMachine.controlVariables, id, (old) => {
      const { defaultValue, ...others } = asked
      // null is a default like any other
      const variable = { ...changed(old, others), ...(defaultValue !== undefined && { defaultValue }) }
      checkVariable(variable)
      return variable
    })
    return { stateMachine: { ...stateMachine, controlVariables }, entityId: id }
  })
}

/** Takes a control variable out of the working copy. */
export const removeControlVariable = (ctx: RecordContext, path: EntityPath, asked: { ifUnchangedSince?: Moment }) =>
  remove(ctx, path, 'controlVariables', asked)

type Moment = string | undefined

async function remove(
  ctx: RecordContext,
  { id, ...path }: EntityPath,
  list: 'controlVariables' | 'userExpressions',
  { ifUnchangedSince }: { ifUnchangedSince?: Moment },
): Promise<undefined> {
  const type = list === 'controlVariables' ? 'removeControlVariable' : 'removeUserExpression'
  const command = { type, asked: { id }, ifUnchangedSince, names: has(list, id) }
  await changeDraft(ctx, path, command, ({ stateMachine }) => {
    const left = { ...stateMachine, [list]: stateMachine[list].filter((one) => one.id !== id) }
    if (list === 'userExpressions') checkExpressions(left.userExpressions, 'path.id')
    return { stateMachine: left, entityId: id }
  })
}

/** All are held together: each may read those before it. */
function checkExpressions(expressions: readonly UserExpression[], key: string) {
  const [rule] = brokenExpressionRules(expressions)
  const details: FieldErrors = { [key]: { message: rule ?? '' } }
  if (rule !== undefined) throw invalid(details)
}

/** Adds a user expression after all others, which it may read; its id equals its name. spec: Motion graphics 26 */
export function createUserExpression(
  ctx: RecordContext,
  path: GraphicPath,
  { ifUnchangedSince, ...asked }: z.output<typeof UserExpressionCreation>,
) {
  const command = { type: 'createUserExpression', asked, ifUnchangedSince }
  return changeDraft(ctx, path, command, ({ stateMachine }) => {
    const before = stateMachine.userExpressions
    if (byName(before, asked.name)) throw refused('name', 'another user expression has this name', asked.name)
    if (before.length >= MAX_EXPRESSIONS)
      throw refused('name', `a graphic has at most ${MAX_EXPRESSIONS} user expressions`)
    const userExpressions = [...before, { id: asked.name, ...asked }]
    checkExpressions(userExpressions, 'body.expression')
    return { stateMachine: { ...stateMachine, userExpressions }, entityId: asked.name }
  })
}

/** Changes the code of a user expression, or its description. spec: Motion graphics 27 */
export function updateUserExpression(
  ctx: RecordContext,
  { id, ...path }: EntityPath,
  { ifUnchangedSince, ...asked }: z.output<typeof UserExpressionUpdate>,
) {
  const names = has('userExpressions', id)
  const command = { type: 'updateUserExpression', asked: { id, ...asked }, ifUnchangedSince, names }
  return changeDraft(ctx, path, command, ({ stateMachine }) => {
    const userExpressions = replaced(stateMachine.userExpressions, id, (old) => changed(old, asked))
    if (asked.expression !== undefined) checkExpressions(userExpressions, 'body.expression')
    return { stateMachine: { ...stateMachine, userExpressions }, entityId: id }
  })
}

/** Takes a user expression out of the working copy. Throws invalid when another one reads it. */
export const removeUserExpression = (ctx: RecordContext, path: EntityPath, asked: { ifUnchangedSince?: Moment }) =>
  remove(ctx, path, 'userExpressions', asked)
