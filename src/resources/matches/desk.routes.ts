import { type Route, route } from '../../http/route.ts'
import { linkedMatch } from '../ownership.ts'
import { correctAtDesk, eraseAtDesk, lineUpAtDesk, recordAtDesk, updateAtDesk } from './desk.commands.ts'
import { getDesk } from './desk.queries.ts'
import { Desk, DeskAnswer, DeskFactParams, DeskQuery, DeskTeamParams, DeskUpdate } from './desk.schema.ts'
import { Fact, FactCreation, FactUpdate } from './facts.schema.ts'
import { getEarlierLineup } from './lineup.queries.ts'
import { EarlierLineup, LineupUpdate, MatchLineup } from './lineup.schema.ts'

const scopes = ['desk'] as const

/** The operations of the desk of a match, by the secret in its address: `/desk/{token}/rest`. show-control: Match desk */
export const deskRoutes: Route[] = [
  route({
    method: 'get',
    path: '/desk',
    summary: 'The match with its facts, line-ups and squads',
    scopes,
    query: DeskQuery,
    response: Desk,
    handle: (ctx, { query }) => getDesk(ctx, query),
  }),
  route({
    method: 'post',
    path: '/facts',
    summary: 'Record a fact, at the time of the press',
    status: 201,
    repeats: true,
    scopes,
    body: FactCreation,
    response: Fact,
    handle: (ctx, { body }) => recordAtDesk(ctx, body),
  }),
  route({
    method: 'post',
    path: '/facts/{factId}',
    summary: 'Correct a fact',
    scopes,
    params: DeskFactParams,
    body: FactUpdate,
    response: Fact,
    handle: (ctx, { params, body }) => correctAtDesk(ctx, params.factId, body),
  }),
  route({
    method: 'delete',
    path: '/facts/{factId}',
    summary: 'Delete a fact; answers the fact that was',
    scopes,
    params: DeskFactParams,
    response: Fact,
    handle: (ctx, { params }) => eraseAtDesk(ctx, params.factId),
  }),
  route({
    method: 'patch',
    path: '/match',
    summary: 'Say the state or the score by hand',
    scopes,
    body: DeskUpdate,
    response: DeskAnswer,
    handle: (ctx, { body }) => updateAtDesk(ctx, body),
  }),
  route({
    method: 'put',
    path: '/lineup',
    summary: 'Replace the line-ups of the teams that are sent',
    scopes,
    body: LineupUpdate,
    response: MatchLineup,
    handle: (ctx, { body }) => lineUpAtDesk(ctx, body),
  }),
  route({
    method: 'get',
    path: '/teams/{teamId}/earlier-lineup',
    summary: 'The line-up of a team in its match before this one',
    scopes,
    params: DeskTeamParams,
    response: EarlierLineup,
    handle: (ctx, { params }) => getEarlierLineup(ctx, linkedMatch(ctx), params.teamId),
  }),
]
