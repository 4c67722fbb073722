import { targetChanged } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import { Paging } from '../../schema/paging.ts'
import { ThemeParams } from './schema.ts'
import { activateThemeVersion, publishThemeVersion } from './versions.commands.ts'
import { getThemeVersion, listThemeVersions } from './versions.queries.ts'
import {
  ActivatedTheme,
  PublishedTheme,
  ThemeActivation,
  ThemePublication,
  ThemeVersion,
  ThemeVersionList,
  ThemeVersionParams,
} from './versions.schema.ts'

/** Also under the path that the specification names, which has no version. */
const publish = (path: string): Route =>
  route({
    method: 'post',
    path,
    beta: true,
    summary: 'Publish a version of a theme, or try it out',
    params: ThemeParams,
    body: ThemePublication,
    response: PublishedTheme,
    throws: [targetChanged],
    handle: (ctx, { params, body }) => publishThemeVersion(ctx, params.themeId, body),
  })

export const themeVersionRoutes: Route[] = [
  publish('/v2/themes/{themeId}/versions'),
  publish('/themes/{themeId}/versions'),
  route({
    method: 'get',
    path: '/v2/themes/{themeId}/versions',
    beta: true,
    summary: 'List the published versions of a theme with their graphics',
    params: ThemeParams,
    query: Paging,
    response: ThemeVersionList,
    handle: (ctx, { params, query }) => listThemeVersions(ctx, params.themeId, query),
  }),
  route({
    method: 'get',
    path: '/v2/themes/{themeId}/versions/{version}',
    beta: true,
    summary: 'Read a published version of a theme',
    params: ThemeVersionParams,
    response: ThemeVersion,
    handle: (ctx, { params }) => getThemeVersion(ctx, params.themeId, params.version),
  }),
  route({
    method: 'post',
    path: '/v2/themes/{themeId}/versions/{version}/activate',
    beta: true,
    summary: 'Make a published version the active one, an earlier one too',
    params: ThemeVersionParams,
    body: ThemeActivation,
    response: ActivatedTheme,
    throws: [targetChanged],
    handle: (ctx, { params, body }) => activateThemeVersion(ctx, params.themeId, params.version, body),
  }),
]
