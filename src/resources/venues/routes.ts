import { inUse } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import { createVenue, deleteVenue, updateVenue, writeVenues } from './commands.ts'
import { getVenue, listVenues } from './queries.ts'
import {
  Venue,
  VenueBatch,
  VenueBatchResult,
  VenueCreation,
  VenueFilter,
  VenueList,
  VenueParams,
  VenueUpdate,
} from './schema.ts'

export const venueRoutes: Route[] = [
  route({
    method: 'get',
    path: '/v1/venues',
    summary: 'List venues',
    query: VenueFilter,
    response: VenueList,
    handle: (ctx, { query }) => listVenues(ctx, query),
  }),
  route({
    method: 'post',
    path: '/v1/venues',
    status: 201,
    summary: 'Create a venue',
    body: VenueCreation,
    response: Venue,
    handle: (ctx, { body }) => createVenue(ctx, body),
  }),
  route({
    method: 'post',
    path: '/v1/venues/batch',
    summary: 'Create and change up to 200 venues, all of them or none',
    unhurried: true,
    beta: true,
    body: VenueBatch,
    response: VenueBatchResult,
    handle: (ctx, { body }) => writeVenues(ctx, body),
  }),
  route({
    method: 'get',
    path: '/v1/venues/{venueId}',
    summary: 'Read a venue',
    params: VenueParams,
    response: Venue,
    handle: (ctx, { params }) => getVenue(ctx, params.venueId),
  }),
  ...(['patch', 'post'] as const).map((method) =>
    route({
      method,
      path: '/v1/venues/{venueId}',
      summary: 'Change a venue',
      params: VenueParams,
      body: VenueUpdate,
      response: Venue,
      handle: (ctx, { params, body }) => updateVenue(ctx, params.venueId, body),
    }),
  ),
  route({
    method: 'delete',
    path: '/v1/venues/{venueId}',
    status: 204,
    summary: 'Delete a venue that nothing uses',
    params: VenueParams,
    throws: [inUse],
    handle: (ctx, { params }) => deleteVenue(ctx, params.venueId),
  }),
]
