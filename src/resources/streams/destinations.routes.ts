import { type Route, route } from '../../http/route.ts'
import { createDestination, deleteDestination, updateDestination } from './destinations.commands.ts'
import { listDestinations, readDestination } from './destinations.queries.ts'
import {
  StreamDestination,
  StreamDestinationCreation,
  StreamDestinationFilter,
  StreamDestinationList,
  StreamDestinationParams,
  StreamDestinationUpdate,
} from './destinations.schema.ts'
import { StreamParams } from './schema.ts'

export const streamDestinationRoutes: Route[] = [
  route({
    method: 'get',
    path: '/v1/streams/{streamSettingsId}/destinations',
    summary: 'List the destinations of a stream',
    params: StreamParams,
    query: StreamDestinationFilter,
    response: StreamDestinationList,
    handle: (ctx, { params, query }) => listDestinations(ctx, params.streamSettingsId, query),
  }),
  route({
    method: 'post',
    path: '/v1/streams/{streamSettingsId}/destinations',
    status: 201,
    summary: 'Create a destination of a stream',
    params: StreamParams,
    body: StreamDestinationCreation,
    response: StreamDestination,
    handle: (ctx, { params, body }) => createDestination(ctx, params.streamSettingsId, body),
  }),
  route({
    method: 'get',
    path: '/v1/streams/destinations/{destinationId}',
    summary: 'Read a destination',
    params: StreamDestinationParams,
    response: StreamDestination,
    handle: (ctx, { params }) => readDestination(ctx, params.destinationId),
  }),
  ...(['patch', 'post'] as const).map((method) =>
    route({
      method,
      path: '/v1/streams/destinations/{destinationId}',
      summary: 'Change a destination',
      params: StreamDestinationParams,
      body: StreamDestinationUpdate,
      response: StreamDestination,
      handle: (ctx, { params, body }) => updateDestination(ctx, params.destinationId, body),
    }),
  ),
  route({
    method: 'delete',
    path: '/v1/streams/destinations/{destinationId}',
    status: 204,
    summary: 'Delete a destination that does not publish',
    params: StreamDestinationParams,
    handle: (ctx, { params }) => deleteDestination(ctx, params.destinationId),
  }),
]
