import { codeGraphicInvalid, locked, targetChanged } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import { removeGraphic } from '../graphic-writes.ts'
import { ThemeParams } from '../themes/schema.ts'
import { openBundleUploads, putBundle } from './bundle.commands.ts'
import { createCodeGraphic, publishCodeGraphic, updateCodeGraphic } from './commands.ts'
import { endUpload, holdForUpload, holdGraphic, releaseGraphic, whileLocked } from './lock.ts'
import { getCodeGraphic, getCodeGraphicVersion, listCodeGraphics, listGraphicVersions } from './queries.ts'
import {
  BundleReplacement,
  BundleUploadCreation,
  BundleUploadSession,
  CodeGraphic,
  CodeGraphicCreation,
  CodeGraphicList,
  CodeGraphicParams,
  CodeGraphicPublication,
  CodeGraphicRemoval,
  CodeGraphicUpdate,
  CodeGraphicVersion,
  CodeGraphicVersionList,
  CodeGraphicVersionParams,
  HeldLock,
  MAX_LIST_BYTES,
  PublishedCodeGraphic,
} from './schema.ts'

export const codeGraphicRoutes: Route[] = [
  route({
    method: 'post',
    path: '/v2/themes/{themeId}/code-graphics',
    status: 201,
    beta: true,
    summary: 'Create an empty code graphic',
    params: ThemeParams,
    body: CodeGraphicCreation,
    response: CodeGraphic,
    throws: [codeGraphicInvalid, targetChanged],
    handle: (ctx, { params, body }) => createCodeGraphic(ctx, params.themeId, body),
  }),
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
  route({
    method: 'patch',
    path: '/v2/themes/{themeId}/code-graphics/{graphicId}',
    beta: true,
    summary: 'Rename a code graphic, or change the sports or the state machine of its working copy',
    params: CodeGraphicParams,
    body: CodeGraphicUpdate,
    response: CodeGraphic,
    throws: [codeGraphicInvalid, locked, targetChanged],
    handle: (ctx, { params, body }) => whileLocked(ctx, params, () => updateCodeGraphic(ctx, params, body)),
  }),
  route({
    method: 'delete',
    path: '/v2/themes/{themeId}/code-graphics/{graphicId}',
    status: 204,
    beta: true,
    summary: 'Delete a code graphic; versions that a theme version pins still play',
    params: CodeGraphicParams,
    query: CodeGraphicRemoval,
    throws: [locked, targetChanged],
    handle: (ctx, { params, query }) => whileLocked(ctx, params, () => removeGraphic(ctx, params, query)),
  }),
  route({
    method: 'post',
    path: '/v2/themes/{themeId}/code-graphics/{graphicId}/uploads',
    status: 201,
    beta: true,
    summary: 'Open a session to upload the files of a bundle, or go on with it',
    params: CodeGraphicParams,
    body: BundleUploadCreation,
    response: BundleUploadSession,
    maxBodyBytes: MAX_LIST_BYTES,
    throws: [codeGraphicInvalid, locked, targetChanged],
    handle: (ctx, { params, body }) =>
      whileLocked(ctx, params, async () => {
        const session = await openBundleUploads(ctx, params, body)
        await holdForUpload(ctx, params)
        return session
      }),
  }),
  route({
    method: 'put',
    path: '/v2/themes/{themeId}/code-graphics/{graphicId}/bundle',
    beta: true,
    summary: 'Replace the files of the working copy',
    params: CodeGraphicParams,
    body: BundleReplacement,
    response: CodeGraphic,
    maxBodyBytes: MAX_LIST_BYTES,
    throws: [codeGraphicInvalid, locked, targetChanged],
    handle: (ctx, { params, body }) =>
      whileLocked(ctx, params, async () => {
        const graphic = await putBundle(ctx, params, body)
        if (body.uploadSessionId !== undefined) await endUpload(ctx, params)
        return graphic
      }),
  }),
  route({
    method: 'post',
    path: '/v2/themes/{themeId}/code-graphics/{graphicId}/publish',
    status: 201,
    beta: true,
    summary: 'Publish the working copy of a code graphic',
    params: CodeGraphicParams,
    body: CodeGraphicPublication,
    response: PublishedCodeGraphic,
    throws: [codeGraphicInvalid, locked, targetChanged],
    handle: (ctx, { params, body }) =>
      whileLocked(ctx, params, () => publishCodeGraphic(ctx, params.themeId, params.graphicId, body)),
  }),
  route({
    method: 'get',
    path: '/v2/themes/{themeId}/code-graphics/{graphicId}/versions',
    beta: true,
    summary: 'List the published versions of a code graphic',
    params: CodeGraphicParams,
    response: CodeGraphicVersionList,
    handle: (ctx, { params }) => listGraphicVersions(ctx, params),
  }),
  route({
    method: 'get',
    path: '/v2/themes/{themeId}/code-graphics/{graphicId}/versions/{version}',
    beta: true,
    summary: 'Read a published version of a code graphic with its files',
    params: CodeGraphicVersionParams,
    response: CodeGraphicVersion,
    handle: (ctx, { params }) => getCodeGraphicVersion(ctx, params),
  }),
  route({
    method: 'put',
    path: '/v2/themes/{themeId}/code-graphics/{graphicId}/lock',
    beta: true,
    summary: 'Hold a code graphic for five minutes, or go on holding it',
    params: CodeGraphicParams,
    response: HeldLock,
    throws: [locked],
    handle: (ctx, { params }) => holdGraphic(ctx, params),
  }),
  route({
    method: 'delete',
    path: '/v2/themes/{themeId}/code-graphics/{graphicId}/lock',
    status: 204,
    beta: true,
    summary: 'Give back a code graphic that the key holds',
    params: CodeGraphicParams,
    throws: [locked],
    handle: (ctx, { params }) => releaseGraphic(ctx, params),
  }),
]
