import { type Route, route } from '../../http/route.ts'
import { CodeGraphicParams } from '../code-graphics/schema.ts'
import { inMotion, MotionGraphicParams } from '../motion-graphics/schema.ts'
import { inOgraf, OgrafParams } from '../ograf-graphics/schema.ts'
import { createPreview } from './commands.ts'
import { Preview, PreviewCreation } from './schema.ts'

export const previewRoutes: Route[] = [
  route({
    method: 'post',
    path: '/v2/themes/{themeId}/code-graphics/{graphicId}/previews',
    status: 201,
    beta: true,
    summary: 'Make an address under which a code graphic is looked at in a browser',
    params: CodeGraphicParams,
    body: PreviewCreation,
    response: Preview,
    handle: (ctx, { params, body }) => createPreview(ctx, params, body),
  }),
  route({
    method: 'post',
    path: '/v2/themes/{themeId}/motion-graphics/{graphicId}/previews',
    status: 201,
    beta: true,
    summary: 'Make an address under which a motion graphic is looked at in a browser',
    params: MotionGraphicParams,
    body: PreviewCreation,
    response: Preview,
    handle: (ctx, { params, body }) => createPreview(ctx, inMotion(params), body),
  }),
  route({
    method: 'post',
    path: '/v2/themes/{themeId}/ograf-graphics/{graphicId}/previews',
    status: 201,
    beta: true,
    summary: 'Make an address under which an OGraf graphic is looked at in a browser',
    params: OgrafParams,
    body: PreviewCreation,
    response: Preview,
    handle: (ctx, { params, body }) => createPreview(ctx, inOgraf(params), body),
  }),
]
