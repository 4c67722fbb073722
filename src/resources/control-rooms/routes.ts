import { type Route, route } from '../../http/route.ts'
import { getRoomDetail, listPresets, listRooms, listSections } from './queries.ts'
import { ControlRoomDetail, ControlRoomList, PresetList, RoomFilter, RoomParams, SectionList } from './schema.ts'

const read = { method: 'get', beta: true, scopes: ['themes:read', 'overlays:read'] } as const

export const controlRoomRoutes: Route[] = [
  route({
    ...read,
    path: '/v2/control-rooms',
    summary: 'List control rooms',
    query: RoomFilter,
    response: ControlRoomList,
    handle: (ctx, { query }) => listRooms(ctx, query.themeId),
  }),
  route({
    ...read,
    path: '/v2/control-rooms/{roomId}',
    summary: 'Read a control room with its theme, presets and overlays',
    params: RoomParams,
    response: ControlRoomDetail,
    handle: (ctx, { params }) => getRoomDetail(ctx, params.roomId),
  }),
  route({
    ...read,
    path: '/v2/control-rooms/{roomId}/sections',
    summary: 'List the sections of a control room in order',
    params: RoomParams,
    response: SectionList,
    handle: (ctx, { params }) => listSections(ctx, params.roomId),
  }),
  route({
    ...read,
    path: '/v2/control-rooms/{roomId}/presets',
    summary: 'List the presets of a control room',
    params: RoomParams,
    response: PresetList,
    handle: (ctx, { params }) => listPresets(ctx, params.roomId),
  }),
]
