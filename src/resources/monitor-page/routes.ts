import { type Route, route } from '../../http/route.ts'
import { monitoredAsRun, monitoredObs, monitoredRoom, monitoredStreams } from './queries.ts'
import { MonitoredAsRun, MonitoredObs, MonitoredRoom, MonitoredStreams } from './schema.ts'

/** The operations of an overlay's monitoring page, by the secret in its address: `/monitor/{token}/rest`. All of them only read. */
export const monitorPageRoutes: Route[] = [
  route({
    method: 'get',
    path: '/room',
    summary: 'What the presets and sections are called',
    scopes: ['monitor'],
    response: MonitoredRoom,
    handle: (ctx) => monitoredRoom(ctx),
  }),
  route({
    method: 'get',
    path: '/streams',
    summary: 'Inputs and destinations of the streams of this overlay and its match, with their bitrates',
    scopes: ['monitor'],
    response: MonitoredStreams,
    handle: (ctx) => monitoredStreams(ctx),
  }),
  route({
    method: 'get',
    path: '/obs',
    summary: 'Whether OBS refreshes the browser sources of the overlay by itself, and how that went',
    scopes: ['monitor'],
    response: MonitoredObs,
    handle: (ctx) => monitoredObs(ctx),
  }),
  route({
    method: 'get',
    path: '/as-run',
    summary: 'The last rows of the as-run log',
    scopes: ['monitor'],
    response: MonitoredAsRun,
    handle: (ctx) => monitoredAsRun(ctx),
  }),
]
