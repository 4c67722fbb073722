import { locked, targetChanged } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import { holdGraphic, releaseGraphic, whileLocked } from '../code-graphics/lock.ts'
import { HeldLock } from '../code-graphics/schema.ts'
import { removeGraphic } from '../graphic-writes.ts'
import { ThemeParams } from '../themes/schema.ts'
import { createMotionGraphic, publishMotionGraphic, updateMotionGraphic } from './commands.ts'
import { FileMetadata, FileMetadataQuery } from './imports.schema.ts'
import { changeSettings } from './parts.commands.ts'
import {
  getFileMetadata,
  getMotionGraphic,
  getMotionGraphicVersion,
  listMotionGraphics,
  listMotionGraphicVersions,
} from './queries.ts'
import {
  inMotion,
  MotionGraphic,
  MotionGraphicCreation,
  MotionGraphicList,
  MotionGraphicParams,
  MotionGraphicRemoval,
  MotionGraphicUpdate,
  MotionGraphicVersion,
  MotionGraphicVersionList,
  MotionGraphicVersionParams,
  MotionPublication,
  MotionSettings,
  MotionWrite,
  PublishedMotionGraphic,
} from './schema.ts'

/** The error bodies of list and file metadata, as of uploads. spec: Errors, motion graphics */
const family = { family: 'motion' } as const

export const motionGraphicRoutes: Route[] = [
  route({
    beta: true,
    method: 'get',
    path: '/v2/themes/{themeId}/motion-graphics',
    ...family,
    summary: 'List the motion graphics of a theme',
    params: ThemeParams,
    response: MotionGraphicList,
    handle: (ctx, { params }) => listMotionGraphics(ctx, params.themeId),
  }),
  route({
    beta: true,
    method: 'post',
    path: '/v2/themes/{themeId}/motion-graphics',
    status: 201,
    summary: 'Create an empty motion graphic',
    params: ThemeParams,
    body: MotionGraphicCreation,
    response: MotionGraphic,
    throws: [targetChanged],
    handle: (ctx, { params, body }) => createMotionGraphic(ctx, params.themeId, body),
  }),
  route({
    beta: true,
    method: 'get',
    path: '/v2/themes/{themeId}/motion-graphics/{graphicId}',
    summary: 'Read the working copy of a motion graphic',
    params: MotionGraphicParams,
    response: MotionGraphic,
    handle: (ctx, { params }) => getMotionGraphic(ctx, inMotion(params)),
  }),
  route({
    beta: true,
    method: 'patch',
    path: '/v2/themes/{themeId}/motion-graphics/{graphicId}',
    summary: 'Rename a motion graphic, or change the sports of its working copy',
    params: MotionGraphicParams,
    body: MotionGraphicUpdate,
    response: MotionGraphic,
    throws: [locked, targetChanged],
    handle: (ctx, { params, body }) =>
      whileLocked(ctx, inMotion(params), () => updateMotionGraphic(ctx, inMotion(params), body)),
  }),
  route({
    beta: true,
    method: 'patch',
    path: '/v2/themes/{themeId}/motion-graphics/{graphicId}/settings',
    summary: 'Choose what a motion graphic plays, and how it is laid out',
    params: MotionGraphicParams,
    body: MotionSettings,
    response: MotionWrite,
    throws: [locked, targetChanged],
    handle: (ctx, { params, body }) =>
      whileLocked(ctx, inMotion(params), () => changeSettings(ctx, inMotion(params), body)),
  }),
  route({
    beta: true,
    method: 'delete',
    path: '/v2/themes/{themeId}/motion-graphics/{graphicId}',
    status: 204,
    summary: 'Delete a motion graphic; versions that a theme version pins still play',
    params: MotionGraphicParams,
    query: MotionGraphicRemoval,
    throws: [locked, targetChanged],
    handle: (ctx, { params, query }) =>
      whileLocked(ctx, inMotion(params), () => removeGraphic(ctx, inMotion(params), query)),
  }),
  route({
    beta: true,
    method: 'get',
    path: '/v2/themes/{themeId}/motion-graphics/{graphicId}/files/metadata',
    ...family,
    summary: 'Read where a file of a motion graphic came from, and what of it is kept',
    params: MotionGraphicParams,
    query: FileMetadataQuery,
    response: FileMetadata,
    handle: (ctx, { params, query }) => getFileMetadata(ctx, inMotion(params), query),
  }),
  route({
    beta: true,
    method: 'post',
    path: '/v2/themes/{themeId}/motion-graphics/{graphicId}/publish',
    status: 201,
    summary: 'Publish the working copy of a motion graphic',
    params: MotionGraphicParams,
    body: MotionPublication,
    response: PublishedMotionGraphic,
    throws: [locked, targetChanged],
    handle: (ctx, { params, body }) =>
      whileLocked(ctx, inMotion(params), () => publishMotionGraphic(ctx, inMotion(params), body)),
  }),
  route({
    beta: true,
    method: 'get',
    path: '/v2/themes/{themeId}/motion-graphics/{graphicId}/versions',
    summary: 'List the published versions of a motion graphic',
    params: MotionGraphicParams,
    response: MotionGraphicVersionList,
    handle: (ctx, { params }) => listMotionGraphicVersions(ctx, inMotion(params)),
  }),
  route({
    beta: true,
    method: 'get',
    path: '/v2/themes/{themeId}/motion-graphics/{graphicId}/versions/{version}',
    summary: 'Read a published version of a motion graphic with its files',
    params: MotionGraphicVersionParams,
    response: MotionGraphicVersion,
    handle: (ctx, { params }) => getMotionGraphicVersion(ctx, { ...inMotion(params), version: params.version }),
  }),
  route({
    beta: true,
    method: 'put',
    path: '/v2/themes/{themeId}/motion-graphics/{graphicId}/lock',
    summary: 'Hold a motion graphic for five minutes, or go on holding it',
    params: MotionGraphicParams,
    response: HeldLock,
    throws: [locked],
    handle: (ctx, { params }) => holdGraphic(ctx, inMotion(params)),
  }),
  route({
    beta: true,
    method: 'delete',
    path: '/v2/themes/{themeId}/motion-graphics/{graphicId}/lock',
    status: 204,
    summary: 'Give back a motion graphic that the key holds',
    params: MotionGraphicParams,
    throws: [locked],
    handle: (ctx, { params }) => releaseGraphic(ctx, inMotion(params)),
  }),
]
