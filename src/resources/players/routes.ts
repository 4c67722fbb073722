import { inUse } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import { deletePlayer } from './commands.ts'
import { getPlayer, listPlayers } from './queries.ts'
import { Player, PlayerFilter, PlayerList, PlayerParams } from './schema.ts'

export const playerRoutes: Route[] = [
  route({
    method: 'get',
    path: '/v1/players',
    summary: 'List players',
    query: PlayerFilter,
    response: PlayerList,
    handle: (ctx, { query }) => listPlayers(ctx, query),
  }),
  route({
    method: 'get',
    path: '/v1/players/{playerId}',
    summary: 'Read a player',
    params: PlayerParams,
    response: Player,
    handle: (ctx, { params }) => getPlayer(ctx, params.playerId),
  }),
  route({
    method: 'delete',
    path: '/v1/players/{playerId}',
    status: 204,
    summary: 'Delete a player whom nothing names',
    params: PlayerParams,
    throws: [inUse],
    handle: (ctx, { params }) => deletePlayer(ctx, params.playerId),
  }),
]
