import { importConflict, importsUnavailable, locked, sourceGone, targetChanged } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import { ThemeParams } from '../themes/schema.ts'
import { applyImport, openMotionUpload } from './imports.commands.ts'
import { getImport } from './imports.queries.ts'
import { ImportApplication, ImportParams, MotionImport, MotionUpload, MotionUploadCreation } from './imports.schema.ts'
import { MotionWrite } from './schema.ts'

export const motionImportRoutes: Route[] = [
  route({
    beta: true,
    family: 'motion',
    method: 'post',
    path: '/v2/themes/{themeId}/motion-graphics/uploads',
    status: 201,
    summary: 'Open a signed upload of a motion file, or of one of its assets',
    params: ThemeParams,
    body: MotionUploadCreation,
    response: MotionUpload,
    throws: [importsUnavailable, locked, targetChanged],
    handle: (ctx, { params, body }) => openMotionUpload(ctx, params.themeId, body),
  }),
  route({
    beta: true,
    method: 'get',
    path: '/v2/themes/{themeId}/motion-graphics/imports/{jobId}',
    summary: 'Read how far an uploaded file is, and what was found in it',
    params: ImportParams,
    response: MotionImport,
    handle: (ctx, { params }) => getImport(ctx, params),
  }),
  route({
    beta: true,
    method: 'post',
    path: '/v2/themes/{themeId}/motion-graphics/imports/{jobId}/apply',
    summary: 'Carry a file that is ready over into the working copy',
    params: ImportParams,
    body: ImportApplication,
    response: MotionWrite,
    throws: [importConflict, locked, sourceGone, targetChanged],
    handle: (ctx, { params, body }) => applyImport(ctx, params, body),
  }),
]
