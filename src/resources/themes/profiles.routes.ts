import { targetChanged } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import { Unchanged } from '../../schema/concurrency.ts'
import { archiveProfile, copyProfile, createProfile, replaceProfileValues, updateProfile } from './profiles.commands.ts'
import { getProfile, listProfiles } from './profiles.queries.ts'
import {
  ProfileListParams,
  ProfileParams,
  ThemeProfile,
  ThemeProfileCopy,
  ThemeProfileCreation,
  ThemeProfileList,
  ThemeProfileUpdate,
  ThemeProfileValues,
} from './profiles.schema.ts'

const LIST = '/v2/competitions/{competitionId}/theme-profiles'
const ONE = '/v2/competitions/{competitionId}/theme-profiles/{profileId}'

export const themeProfileRoutes: Route[] = [
  route({
    method: 'get',
    path: LIST,
    summary: 'List the active theme profiles of a competition',
    params: ProfileListParams,
    response: ThemeProfileList,
    handle: (ctx, { params }) => listProfiles(ctx, params.competitionId),
  }),
  route({
    method: 'post',
    path: LIST,
    status: 201,
    summary: 'Attach a theme to a competition',
    params: ProfileListParams,
    body: ThemeProfileCreation,
    response: ThemeProfile,
    throws: [targetChanged],
    handle: (ctx, { params, body }) => createProfile(ctx, params.competitionId, body),
  }),
  route({
    method: 'get',
    path: ONE,
    summary: 'Read a theme profile',
    params: ProfileParams,
    response: ThemeProfile,
    handle: (ctx, { params }) => getProfile(ctx, params),
  }),
  route({
    method: 'patch',
    path: ONE,
    summary: 'Update a theme profile, single values too',
    params: ProfileParams,
    body: ThemeProfileUpdate,
    response: ThemeProfile,
    throws: [targetChanged],
    handle: (ctx, { params, body }) => updateProfile(ctx, params, body),
  }),
  route({
    method: 'delete',
    path: ONE,
    status: 204,
    summary: 'Archive a theme profile',
    params: ProfileParams,
    query: Unchanged,
    throws: [targetChanged],
    handle: (ctx, { params, query }) => archiveProfile(ctx, params, query.ifUnchangedSince),
  }),
  route({
    method: 'post',
    path: `${ONE}/copy`,
    status: 201,
    summary: 'Copy a theme profile with its values and its game plan',
    params: ProfileParams,
    body: ThemeProfileCopy,
    response: ThemeProfile,
    handle: (ctx, { params, body }) => copyProfile(ctx, params, body),
  }),
  route({
    method: 'put',
    path: `${ONE}/variable-values`,
    summary: 'Replace the values of a theme profile',
    params: ProfileParams,
    body: ThemeProfileValues,
    response: ThemeProfile,
    throws: [targetChanged],
    handle: (ctx, { params, body }) => replaceProfileValues(ctx, params, body),
  }),
]
