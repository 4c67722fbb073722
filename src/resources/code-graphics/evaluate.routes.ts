import { type Route, route } from '../../http/route.ts'
import { evaluateGraphic } from './evaluate.queries.ts'
import { Evaluation, EvaluationAnswer } from './evaluate.schema.ts'
import { CodeGraphicParams } from './schema.ts'

export const evaluationRoutes: Route[] = [
  route({
    method: 'post',
    path: '/v2/themes/{themeId}/code-graphics/{graphicId}/evaluate',
    beta: true,
    summary: 'Try the user expressions of a code graphic on some data',
    params: CodeGraphicParams,
    body: Evaluation,
    response: EvaluationAnswer,
    // a hundred expressions may take as long as many other requests
    cost: () => 5,
    handle: (ctx, { params, body }) => evaluateGraphic(ctx, params, body),
  }),
]
