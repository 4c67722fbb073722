import { stillMissing, targetChanged } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import { Unchanged } from '../../schema/concurrency.ts'
import { createPreset, deletePreset, updatePreset } from './presets.commands.ts'
import {
  PresetCreation,
  PresetList,
  PresetParams,
  PresetUpdate,
  PresetWithGraphic,
  StillQuery,
} from './presets.schema.ts'
import { getPreset, listPresets } from './queries.ts'
import { RoomParams } from './schema.ts'
import { reads, writes } from './scopes.ts'
import { stillFor } from './stills.ts'

export const presetRoutes: Route[] = [
  route({
    ...reads,
    path: '/v2/control-rooms/{roomId}/presets',
    summary: 'List the presets of a control room',
    params: RoomParams,
    response: PresetList,
    handle: (ctx, { params }) => listPresets(ctx, params.roomId),
  }),
  route({
    ...writes,
    method: 'post',
    path: '/v2/control-rooms/{roomId}/presets',
    status: 201,
    summary: 'Add a preset of a graphic to a section',
    params: RoomParams,
    body: PresetCreation,
    response: PresetWithGraphic,
    throws: [targetChanged],
    handle: (ctx, { params, body }) => createPreset(ctx, params.roomId, body),
  }),
  route({
    ...reads,
    path: '/v2/control-rooms/{roomId}/presets/{presetId}',
    summary: 'Read a preset',
    params: PresetParams,
    response: PresetWithGraphic,
    handle: (ctx, { params }) => getPreset(ctx, params.roomId, params.presetId),
  }),
  route({
    ...reads,
    path: '/v2/control-rooms/{roomId}/presets/{presetId}/still',
    summary: 'A picture of what a preset would put on air: PNG, 480×270',
    params: PresetParams,
    query: StillQuery,
    produces: ['image/png'],
    tagged: true,
    throws: [stillMissing],
    handle: (ctx, { params, query }) => stillFor(ctx, { ...params, ...query }),
  }),
  route({
    ...writes,
    method: 'patch',
    path: '/v2/control-rooms/{roomId}/presets/{presetId}',
    summary: 'Change a preset, or its place',
    params: PresetParams,
    body: PresetUpdate,
    response: PresetWithGraphic,
    throws: [targetChanged],
    handle: (ctx, { params, body }) => updatePreset(ctx, params, body),
  }),
  route({
    ...writes,
    method: 'delete',
    path: '/v2/control-rooms/{roomId}/presets/{presetId}',
    status: 204,
    summary: 'Delete a preset',
    params: PresetParams,
    query: Unchanged,
    throws: [targetChanged],
    handle: (ctx, { params, query }) => deletePreset(ctx, params, query.ifUnchangedSince),
  }),
]
