import { targetChanged } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import { Unchanged } from '../../schema/concurrency.ts'
import { createRoom, deleteRoom, updateRoom } from './commands.ts'
import { presetRoutes } from './presets.routes.ts'
import { getRoomDetail, listRooms } from './queries.ts'
import {
  ControlRoom,
  ControlRoomCreation,
  ControlRoomDetail,
  ControlRoomList,
  ControlRoomUpdate,
  RoomFilter,
  RoomParams,
} from './schema.ts'
import { reads, writes } from './scopes.ts'
import { sectionRoutes } from './sections.routes.ts'

export const controlRoomRoutes: Route[] = [
  route({
    ...reads,
    path: '/v2/control-rooms',
    summary: 'List control rooms',
    query: RoomFilter,
    response: ControlRoomList,
    handle: (ctx, { query }) => listRooms(ctx, query.themeId),
  }),
  route({
    ...writes,
    method: 'post',
    path: '/v2/control-rooms',
    status: 201,
    summary: 'Create a control room of a theme with its sections',
    body: ControlRoomCreation,
    response: ControlRoom,
    throws: [targetChanged],
    handle: (ctx, { body }) => createRoom(ctx, body),
  }),
  route({
    ...reads,
    path: '/v2/control-rooms/{roomId}',
    summary: 'Read a control room with its theme, presets and overlays',
    params: RoomParams,
    response: ControlRoomDetail,
    handle: (ctx, { params }) => getRoomDetail(ctx, params.roomId),
  }),
  route({
    ...writes,
    method: 'patch',
    path: '/v2/control-rooms/{roomId}',
    summary: 'Rename a control room, set its mode, put its sections in order',
    params: RoomParams,
    body: ControlRoomUpdate,
    response: ControlRoom,
    throws: [targetChanged],
    handle: (ctx, { params, body }) => updateRoom(ctx, params.roomId, body),
  }),
  route({
    ...writes,
    method: 'delete',
    path: '/v2/control-rooms/{roomId}',
    status: 204,
    summary: 'Delete a control room that nothing uses',
    params: RoomParams,
    query: Unchanged,
    throws: [targetChanged],
    handle: (ctx, { params, query }) => deleteRoom(ctx, params.roomId, query.ifUnchangedSince),
  }),
  ...sectionRoutes,
  ...presetRoutes,
]
