import { type Route, route } from '../../http/route.ts'
import { StreamDestinationParams } from './destinations.schema.ts'
import { StreamInputParams } from './inputs.schema.ts'
import { monitorDestination, monitorInput, monitorStream } from './monitoring.queries.ts'
import { StreamDestinationMonitoring, StreamInputMonitoring, StreamMonitoring } from './monitoring.schema.ts'
import { StreamParams } from './schema.ts'

export const streamMonitoringRoutes: Route[] = [
  route({
    method: 'get',
    path: '/v1/streams/{streamSettingsId}/monitoring',
    summary: 'Watch over a stream: bitrates with their history, faults, and what happened',
    params: StreamParams,
    response: StreamMonitoring,
    handle: (ctx, { params }) => monitorStream(ctx, params.streamSettingsId),
  }),
  route({
    method: 'get',
    path: '/v1/streams/inputs/{inputId}/monitoring',
    summary: 'Watch over a stream input',
    params: StreamInputParams,
    response: StreamInputMonitoring,
    handle: (ctx, { params }) => monitorInput(ctx, params.inputId),
  }),
  route({
    method: 'get',
    path: '/v1/streams/destinations/{destinationId}/monitoring',
    summary: 'Watch over a destination',
    params: StreamDestinationParams,
    response: StreamDestinationMonitoring,
    handle: (ctx, { params }) => monitorDestination(ctx, params.destinationId),
  }),
]
