import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { failedOf, tryExpressions } from '../code-graphics/evaluate.queries.ts'
import type { Evaluation } from '../code-graphics/evaluate.schema.ts'
import type { GraphicPath } from '../code-graphics/schema.ts'
import type { MotionEvaluationAnswer } from './parts.schema.ts'
import { getMotionGraphic, getMotionGraphicVersion } from './queries.ts'
import type { BindingExposure } from './state-machine.schema.ts'

type Row = z.output<typeof MotionEvaluationAnswer>['rows'][number]

/**
 * The results of every data binding and user expression of a version on some data, and of computed inputs and assets.
 * Changes nothing; faults are part of the answer. spec: Motion graphics 28
 */
export async function evaluateMotionGraphic(
  ctx: Context,
  path: GraphicPath,
  asked: z.output<typeof Evaluation>,
): Promise<z.output<typeof MotionEvaluationAnswer>> {
  const { version } = asked
  const { stateMachine } =
    version === 'working' ? await getMotionGraphic(ctx, path) : await getMotionGraphicVersion(ctx, { ...path, version })
  const found = await tryExpressions(ctx, path.themeId, stateMachine, asked)
  const computed = new Map(found.bindings.map((row) => [row.id, row]))
  const rows = stateMachine.dataBindings.map(({ id, name, expression, value, defaultValue, exposed }) =>
    held(
      computed.get(id) ?? { id, name, expression, value: value ?? defaultValue ?? null, ok: true, error: null },
      exposed,
    ),
  )
  return {
    rows,
    userExpressions: found.userExpressions,
    inputs: found.inputs,
    assets: found.assets,
    unresolved: failedOf(rows) + failedOf(found.userExpressions),
  }
}

/** A required one that nothing gives a value fails, in the words that operators see. */
function held(row: Row, exposed: z.output<typeof BindingExposure> | undefined): Row {
  if (!row.ok || !exposed?.required || (row.value !== null && row.value !== '')) return row
  return { ...row, ok: false, error: `${exposed.name || row.name} is required, and has no value` }
}
