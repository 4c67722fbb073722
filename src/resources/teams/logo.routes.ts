import { type Route, route } from '../../http/route.ts'
import { Upload } from '../uploads.ts'
import { Club, ClubParams } from './clubs.schema.ts'
import { clubLogo, teamLogo } from './logo.commands.ts'
import { LogoChoice, LogoUploadCreation } from './logo.schema.ts'
import { Team, TeamParams } from './schema.ts'

export const logoRoutes: Route[] = [
  route({
    method: 'post',
    path: '/v1/teams/{teamId}/logo/uploads',
    summary: 'Open an upload for the logo of a team',
    params: TeamParams,
    body: LogoUploadCreation,
    response: Upload,
    handle: (ctx, { params, body }) => teamLogo.open(ctx, params.teamId, body),
  }),
  route({
    method: 'put',
    path: '/v1/teams/{teamId}/logo',
    summary: 'Set the logo of a team from a completed upload',
    params: TeamParams,
    body: LogoChoice,
    response: Team,
    handle: (ctx, { params, body }) => teamLogo.set(ctx, params.teamId, body),
  }),
  route({
    method: 'delete',
    path: '/v1/teams/{teamId}/logo',
    summary: 'Remove the logo of a team',
    params: TeamParams,
    response: Team,
    handle: (ctx, { params }) => teamLogo.remove(ctx, params.teamId),
  }),
  route({
    method: 'post',
    path: '/v1/teams/clubs/{clubId}/logo/uploads',
    status: 201,
    summary: 'Open an upload for the logo of a club',
    params: ClubParams,
    body: LogoUploadCreation,
    response: Upload,
    handle: (ctx, { params, body }) => clubLogo.open(ctx, params.clubId, body),
  }),
  route({
    method: 'put',
    path: '/v1/teams/clubs/{clubId}/logo',
    summary: 'Set the logo of a club from a completed upload',
    params: ClubParams,
    body: LogoChoice,
    response: Club,
    handle: (ctx, { params, body }) => clubLogo.set(ctx, params.clubId, body),
  }),
  route({
    method: 'delete',
    path: '/v1/teams/clubs/{clubId}/logo',
    summary: 'Remove the logo of a club',
    params: ClubParams,
    response: Club,
    handle: (ctx, { params }) => clubLogo.remove(ctx, params.clubId),
  }),
]
