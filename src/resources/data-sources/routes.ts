import { invalid } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import { textOf } from '../../schema/bytes.ts'
import { Paging } from '../../schema/paging.ts'
import { clearDataSource, pushDataSource } from './commands.ts'
import { getDataSource, listDataSources } from './queries.ts'
import {
  DataSource,
  DataSourceList,
  DataSourceListParams,
  DataSourceParams,
  DataSourcePush,
  PushedDataSource,
} from './schema.ts'

function fromCsv(bytes: Buffer): { csv: string } {
  const csv = textOf(bytes)
  if (csv === undefined) throw invalid({ body: { message: 'neither UTF-8 nor UTF-16' } })
  return { csv }
}

export const dataSourceRoutes: Route[] = [
  route({
    method: 'get',
    path: '/v2/data-sources/{competitionThemeSettingId}',
    summary: 'List the data sources of a theme profile',
    params: DataSourceListParams,
    query: Paging,
    response: DataSourceList,
    handle: (ctx, { params, query }) => listDataSources(ctx, params.competitionThemeSettingId, query),
  }),
  route({
    method: 'get',
    path: '/v2/data-sources/{competitionThemeSettingId}/{alias}',
    summary: 'Read what was pushed last',
    params: DataSourceParams,
    response: DataSource,
    handle: (ctx, { params }) => getDataSource(ctx, params.competitionThemeSettingId, params.alias),
  }),
  route({
    method: 'post',
    path: '/v2/data-sources/{competitionThemeSettingId}/{alias}',
    summary: 'Push data: replaces what was pushed before, and reaches graphics on air',
    params: DataSourceParams,
    body: DataSourcePush,
    consumes: { 'text/csv': fromCsv },
    response: PushedDataSource,
    handle: (ctx, { params, body }) => pushDataSource(ctx, params.competitionThemeSettingId, params.alias, body),
  }),
  route({
    method: 'delete',
    path: '/v2/data-sources/{competitionThemeSettingId}/{alias}',
    status: 204,
    summary: 'Take away what was pushed',
    params: DataSourceParams,
    handle: (ctx, { params }) => clearDataSource(ctx, params.competitionThemeSettingId, params.alias),
  }),
]
