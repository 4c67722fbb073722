import { locked, ografInvalid, targetChanged } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import { holdGraphic, releaseGraphic, whileLocked } from '../code-graphics/lock.ts'
import { HeldLock } from '../code-graphics/schema.ts'
import { removeGraphic } from '../graphic-writes.ts'
import { ThemeParams } from '../themes/schema.ts'
import { Upload } from '../uploads.ts'
import { publishOgrafGraphic } from './commands.ts'
import { importOgraf, openOgrafUpload } from './imports.commands.ts'
import { getOgrafGraphic, getOgrafVersion, listOgrafGraphics, listOgrafVersions } from './queries.ts'
import {
  ImportedOgraf,
  inOgraf,
  MAX_ARCHIVE_BYTES,
  OgrafGraphic,
  OgrafGraphicList,
  OgrafImport,
  OgrafParams,
  OgrafPublication,
  OgrafRemoval,
  OgrafUploadCreation,
  OgrafVersion,
  OgrafVersionList,
  OgrafVersionParams,
  PublishedOgraf,
} from './schema.ts'

export const ografGraphicRoutes: Route[] = [
  route({
    method: 'post',
    path: '/v2/themes/{themeId}/ograf/uploads',
    status: 201,
    beta: true,
    summary: 'Open a signed upload of a zip of OGraf graphics',
    params: ThemeParams,
    body: OgrafUploadCreation,
    response: Upload,
    handle: (ctx, { params, body }) => openOgrafUpload(ctx, params.themeId, body),
  }),
  route({
    method: 'post',
    path: '/v2/themes/{themeId}/ograf/imports',
    status: 201,
    beta: true,
    summary: 'Import the OGraf graphics of a zip: all of them, or none',
    params: ThemeParams,
    body: OgrafImport,
    consumes: { 'application/zip': (bytes) => ({ archive: bytes }) },
    response: ImportedOgraf,
    maxBodyBytes: MAX_ARCHIVE_BYTES,
    // a large archive takes seconds to unpack and to store
    unhurried: true,
    throws: [ografInvalid, locked],
    handle: (ctx, { params, body }) => importOgraf(ctx, params.themeId, body),
  }),
  route({
    method: 'get',
    path: '/v2/themes/{themeId}/ograf-graphics',
    beta: true,
    summary: 'List the OGraf graphics of a theme',
    params: ThemeParams,
    response: OgrafGraphicList,
    handle: (ctx, { params }) => listOgrafGraphics(ctx, params.themeId),
  }),
  route({
    method: 'get',
    path: '/v2/themes/{themeId}/ograf-graphics/{graphicId}',
    beta: true,
    summary: 'Read the working copy of an OGraf graphic',
    params: OgrafParams,
    response: OgrafGraphic,
    handle: (ctx, { params }) => getOgrafGraphic(ctx, inOgraf(params)),
  }),
  route({
    method: 'delete',
    path: '/v2/themes/{themeId}/ograf-graphics/{graphicId}',
    status: 204,
    beta: true,
    summary: 'Delete an OGraf graphic; versions that a theme version pins still play',
    params: OgrafParams,
    query: OgrafRemoval,
    throws: [locked, targetChanged],
    handle: (ctx, { params, query }) =>
      whileLocked(ctx, inOgraf(params), () => removeGraphic(ctx, inOgraf(params), query)),
  }),
  route({
    method: 'post',
    path: '/v2/themes/{themeId}/ograf-graphics/{graphicId}/publish',
    status: 201,
    beta: true,
    summary: 'Publish the working copy of an OGraf graphic',
    params: OgrafParams,
    body: OgrafPublication,
    response: PublishedOgraf,
    throws: [locked, targetChanged],
    handle: (ctx, { params, body }) =>
      whileLocked(ctx, inOgraf(params), () => publishOgrafGraphic(ctx, inOgraf(params), body)),
  }),
  route({
    method: 'get',
    path: '/v2/themes/{themeId}/ograf-graphics/{graphicId}/versions',
    beta: true,
    summary: 'List the published versions of an OGraf graphic',
    params: OgrafParams,
    response: OgrafVersionList,
    handle: (ctx, { params }) => listOgrafVersions(ctx, inOgraf(params)),
  }),
  route({
    method: 'get',
    path: '/v2/themes/{themeId}/ograf-graphics/{graphicId}/versions/{version}',
    beta: true,
    summary: 'Read a published version of an OGraf graphic with its files',
    params: OgrafVersionParams,
    response: OgrafVersion,
    handle: (ctx, { params }) => getOgrafVersion(ctx, { ...inOgraf(params), version: params.version }),
  }),
  route({
    method: 'put',
    path: '/v2/themes/{themeId}/ograf-graphics/{graphicId}/lock',
    beta: true,
    summary: 'Hold an OGraf graphic for five minutes, or go on holding it',
    params: OgrafParams,
    response: HeldLock,
    throws: [locked],
    handle: (ctx, { params }) => holdGraphic(ctx, inOgraf(params)),
  }),
  route({
    method: 'delete',
    path: '/v2/themes/{themeId}/ograf-graphics/{graphicId}/lock',
    status: 204,
    beta: true,
    summary: 'Give back an OGraf graphic that the key holds',
    params: OgrafParams,
    throws: [locked],
    handle: (ctx, { params }) => releaseGraphic(ctx, inOgraf(params)),
  }),
]
