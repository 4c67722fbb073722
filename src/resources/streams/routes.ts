import { type Route, route } from '../../http/route.ts'
import { changeAutomation } from './automation.commands.ts'
import { createStream, deleteStream, updateStream } from './commands.ts'
import { getStream, listStreams } from './queries.ts'
import {
  AutomationChange,
  StreamAutomation,
  StreamCreation,
  StreamFilter,
  StreamList,
  StreamParams,
  StreamSettings,
  StreamUpdate,
} from './schema.ts'

export const streamRoutes: Route[] = [
  route({
    method: 'get',
    path: '/v1/streams',
    summary: 'List streams',
    query: StreamFilter,
    response: StreamList,
    handle: (ctx, { query }) => listStreams(ctx, query),
  }),
  route({
    method: 'post',
    path: '/v1/streams',
    status: 201,
    summary: 'Create a stream for a match',
    body: StreamCreation,
    response: StreamSettings,
    handle: (ctx, { body }) => createStream(ctx, body),
  }),
  route({
    method: 'get',
    path: '/v1/streams/{streamSettingsId}',
    summary: 'Read a stream',
    params: StreamParams,
    response: StreamSettings,
    handle: (ctx, { params }) => getStream(ctx, params.streamSettingsId),
  }),
  ...(['patch', 'post'] as const).map((method) =>
    route({
      method,
      path: '/v1/streams/{streamSettingsId}',
      summary: 'Change the settings of a stream',
      params: StreamParams,
      body: StreamUpdate,
      response: StreamSettings,
      handle: (ctx, { params, body }) => updateStream(ctx, params.streamSettingsId, body),
    }),
  ),
  route({
    method: 'delete',
    path: '/v1/streams/{streamSettingsId}',
    status: 204,
    summary: 'Delete a stream that is stopped, with its destinations',
    params: StreamParams,
    handle: (ctx, { params }) => deleteStream(ctx, params.streamSettingsId),
  }),
  route({
    method: 'post',
    path: '/v1/streams/{streamSettingsId}/automation',
    summary: 'Turn Auto Stream on or off',
    params: StreamParams,
    body: AutomationChange,
    response: StreamAutomation,
    handle: (ctx, { params, body }) => changeAutomation(ctx, params.streamSettingsId, body.autoStream),
  }),
]
