import { type Route, route } from '../../http/route.ts'
import { ThemeParams } from '../themes/schema.ts'
import { getCodeGraphic, listCodeGraphics } from './queries.ts'
import { CodeGraphic, CodeGraphicList, CodeGraphicParams } from './schema.ts'

export const codeGraphicRoutes: Route[] = [
  route({
    method: 'get',
    path: '/v2/themes/{themeId}/code-graphics',
    beta: true,
    summary: 'List the code graphics of a theme',
    params: ThemeParams,
    response: CodeGraphicList,
    handle: (ctx, { params }) => listCodeGraphics(ctx, params.themeId),
  }),
  route({
    method: 'get',
    path: '/v2/themes/{themeId}/code-graphics/{graphicId}',
    beta: true,
    summary: 'Read the working copy of a code graphic',
    params: CodeGraphicParams,
    response: CodeGraphic,
    handle: (ctx, { params }) => getCodeGraphic(ctx, params.themeId, params.graphicId),
  }),
]
