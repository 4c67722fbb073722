import { type Route, route } from '../../http/route.ts'
import { connectOwn, disconnectOwn, listOwnConnections, syncOwn } from './own.commands.ts'
import {
  ProviderConnection,
  ProviderConnectionCreation,
  ProviderConnectionList,
  ProviderConnectionParams,
} from './own.schema.ts'

/** Operations only for owners and admins who are signed in at the dashboard, as those of API keys. show-control: Records */
export const connectionRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/v1/provider-connections',
    summary: 'List the data providers that are connected, with what came of the last sync',
    response: ProviderConnectionList,
    handle: (ctx) => listOwnConnections(ctx),
  }),
  route({
    method: 'post',
    path: '/v1/provider-connections',
    status: 201,
    summary: 'Connect a data provider, whose initial load begins at once',
    body: ProviderConnectionCreation,
    response: ProviderConnection,
    handle: (ctx, { body }) => connectOwn(ctx, body),
  }),
  route({
    method: 'post',
    path: '/v1/provider-connections/{connectionId}/sync',
    status: 204,
    summary: 'Sync with a data provider now',
    params: ProviderConnectionParams,
    handle: (ctx, { params }) => syncOwn(ctx, params.connectionId),
  }),
  route({
    method: 'delete',
    path: '/v1/provider-connections/{connectionId}',
    status: 204,
    summary: 'Disconnect a data provider; what it brought stays',
    params: ProviderConnectionParams,
    handle: (ctx, { params }) => disconnectOwn(ctx, params.connectionId),
  }),
]
