import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { locked, targetChanged } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import { Evaluation } from '../code-graphics/evaluate.schema.ts'
import { whileLocked } from '../code-graphics/lock.ts'
import type { GraphicPath } from '../code-graphics/schema.ts'
import { updateDataBinding, updateMotionAsset, updateStateMachineInput } from './bindings.commands.ts'
import { evaluateMotionGraphic } from './evaluate.queries.ts'
import {
  createControlVariable,
  createUserExpression,
  removeControlVariable,
  removeUserExpression,
  updateControlVariable,
  updateUserExpression,
} from './parts.commands.ts'
import {
  ControlVariableCreation,
  ControlVariableUpdate,
  DataBindingUpdate,
  MotionAssetUpdate,
  MotionEvaluationAnswer,
  StateMachineInputUpdate,
  UserExpressionCreation,
  UserExpressionUpdate,
} from './parts.schema.ts'
import { checkEntity, type EntityList } from './queries.ts'
import { inMotion, MotionEntityParams, MotionGraphicParams, MotionGraphicRemoval, MotionWrite } from './schema.ts'

const changes = { beta: true, response: MotionWrite, throws: [locked, targetChanged] }
const removes = { beta: true, status: 204, query: MotionGraphicRemoval, throws: [locked, targetChanged] } as const

export const motionPartRoutes: Route[] = [
  route({
    ...changes,
    method: 'post',
    path: '/v2/themes/{themeId}/motion-graphics/{graphicId}/control-variables',
    status: 201,
    summary: 'Add a control variable to a motion graphic',
    params: MotionGraphicParams,
    body: ControlVariableCreation,
    handle: (ctx, { params, body }) =>
      whileLocked(ctx, inMotion(params), () => createControlVariable(ctx, inMotion(params), body)),
  }),
  route({
    ...changes,
    method: 'patch',
    path: '/v2/themes/{themeId}/motion-graphics/{graphicId}/control-variables/{id}',
    summary: 'Change a control variable of a motion graphic, but not its name',
    params: MotionEntityParams,
    body: ControlVariableUpdate,
    handle: (ctx, { params, body }) =>
      whileEntityLocked(ctx, params, 'controlVariables', (path) => updateControlVariable(ctx, path, body)),
  }),
  route({
    ...removes,
    method: 'delete',
    path: '/v2/themes/{themeId}/motion-graphics/{graphicId}/control-variables/{id}',
    summary: 'Take a control variable out of a motion graphic',
    params: MotionEntityParams,
    handle: (ctx, { params, query }) =>
      whileEntityLocked(ctx, params, 'controlVariables', (path) => removeControlVariable(ctx, path, query)),
  }),
  route({
    ...changes,
    method: 'post',
    path: '/v2/themes/{themeId}/motion-graphics/{graphicId}/user-expressions',
    status: 201,
    summary: 'Add a user expression to a motion graphic',
    params: MotionGraphicParams,
    body: UserExpressionCreation,
    handle: (ctx, { params, body }) =>
      whileLocked(ctx, inMotion(params), () => createUserExpression(ctx, inMotion(params), body)),
  }),
  route({
    ...changes,
    method: 'patch',
    path: '/v2/themes/{themeId}/motion-graphics/{graphicId}/user-expressions/{id}',
    summary: 'Change a user expression of a motion graphic, but not its name',
    params: MotionEntityParams,
    body: UserExpressionUpdate,
    handle: (ctx, { params, body }) =>
      whileEntityLocked(ctx, params, 'userExpressions', (path) => updateUserExpression(ctx, path, body)),
  }),
  route({
    ...removes,
    method: 'delete',
    path: '/v2/themes/{themeId}/motion-graphics/{graphicId}/user-expressions/{id}',
    summary: 'Take a user expression out of a motion graphic',
    params: MotionEntityParams,
    handle: (ctx, { params, query }) =>
      whileEntityLocked(ctx, params, 'userExpressions', (path) => removeUserExpression(ctx, path, query)),
  }),
  route({
    ...changes,
    method: 'patch',
    path: '/v2/themes/{themeId}/motion-graphics/{graphicId}/data-bindings/{id}',
    summary: 'Bind a property of the view model to an expression or a value',
    params: MotionEntityParams,
    body: DataBindingUpdate,
    handle: (ctx, { params, body }) =>
      whileEntityLocked(ctx, params, 'dataBindings', (path) => updateDataBinding(ctx, path, body)),
  }),
  route({
    ...changes,
    method: 'patch',
    path: '/v2/themes/{themeId}/motion-graphics/{graphicId}/state-machine-inputs/{id}',
    summary: 'Set an input of the state machine to an expression or a value',
    params: MotionEntityParams,
    body: StateMachineInputUpdate,
    handle: (ctx, { params, body }) =>
      whileEntityLocked(ctx, params, 'stateMachineInputs', (path) => updateStateMachineInput(ctx, path, body)),
  }),
  route({
    ...changes,
    method: 'patch',
    path: '/v2/themes/{themeId}/motion-graphics/{graphicId}/assets/{id}',
    summary: 'Have an asset of the motion file computed',
    params: MotionEntityParams,
    body: MotionAssetUpdate,
    handle: (ctx, { params, body }) =>
      whileEntityLocked(ctx, params, 'assets', (path) => updateMotionAsset(ctx, path, body)),
  }),
  route({
    beta: true,
    method: 'post',
    path: '/v2/themes/{themeId}/motion-graphics/{graphicId}/evaluate',
    summary: 'Try the data bindings and user expressions of a motion graphic on some data',
    params: MotionGraphicParams,
    body: Evaluation,
    response: MotionEvaluationAnswer,
    // a hundred expressions may take as long as many other requests
    cost: () => 5,
    handle: (ctx, { params, body }) => evaluateMotionGraphic(ctx, inMotion(params), body),
  }),
]

type EntityPath = z.output<typeof MotionEntityParams>

/** As `whileLocked`; an entity that is not there takes no lock. */
async function whileEntityLocked<R>(
  ctx: Context,
  params: EntityPath,
  list: EntityList,
  run: (path: GraphicPath & { id: string }) => Promise<R>,
): Promise<R> {
  const path = { ...inMotion(params), id: params.id }
  await checkEntity(ctx, path, list)
  return whileLocked(ctx, inMotion(params), () => run(path))
}
