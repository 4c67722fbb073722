import { mediaMissing } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import { DestinationsNamed, GoLive, StreamDestinationReports } from './destinations.schema.ts'
import { goLive, startDestinations, stopDestinations } from './publish.commands.ts'
import { hideOverlay, startStream, stopStream } from './run.commands.ts'
import { StreamOverlay, StreamParams, StreamSettings } from './schema.ts'

/** Operations that have a stream run and publish. spec: Streams 13 */
export const streamRunRoutes: Route[] = [
  route({
    method: 'post',
    path: '/v1/streams/{streamSettingsId}/start',
    summary: 'Start a stream, to look at it before it goes live',
    params: StreamParams,
    response: StreamSettings,
    throws: [mediaMissing],
    handle: (ctx, { params }) => startStream(ctx, params.streamSettingsId),
  }),
  route({
    method: 'post',
    path: '/v1/streams/{streamSettingsId}/stop',
    summary: 'Stop a stream and all its destinations',
    params: StreamParams,
    response: StreamSettings,
    handle: (ctx, { params }) => stopStream(ctx, params.streamSettingsId),
  }),
  route({
    method: 'post',
    path: '/v1/streams/{streamSettingsId}/go-live',
    summary: 'Publish a running stream to its destinations',
    params: StreamParams,
    body: GoLive,
    response: StreamDestinationReports,
    throws: [mediaMissing],
    handle: (ctx, { params, body }) => goLive(ctx, params.streamSettingsId, body),
  }),
  route({
    method: 'post',
    path: '/v1/streams/{streamSettingsId}/destinations/start',
    summary: 'Start destinations of a running stream',
    params: StreamParams,
    body: DestinationsNamed,
    response: StreamDestinationReports,
    throws: [mediaMissing],
    handle: (ctx, { params, body }) => startDestinations(ctx, params.streamSettingsId, body),
  }),
  route({
    method: 'post',
    path: '/v1/streams/{streamSettingsId}/destinations/stop',
    summary: 'Stop destinations of a running stream',
    params: StreamParams,
    body: DestinationsNamed,
    response: StreamDestinationReports,
    handle: (ctx, { params, body }) => stopDestinations(ctx, params.streamSettingsId, body),
  }),
  ...(['show', 'hide'] as const).map((action) =>
    route({
      method: 'post',
      path: `/v1/streams/{streamSettingsId}/overlay/${action}`,
      summary: action === 'show' ? 'Show the burned-in graphics' : 'Hide the burned-in graphics of this stream',
      params: StreamParams,
      response: StreamOverlay,
      handle: (ctx, { params }) => hideOverlay(ctx, params.streamSettingsId, action === 'hide'),
    }),
  ),
]
