import { targetChanged } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import { Unchanged } from '../../schema/concurrency.ts'
import { Paging } from '../../schema/paging.ts'
import { createTemplate, deleteTemplate, updateTemplate } from './templates.commands.ts'
import { getSample, getTemplate, listTemplates } from './templates.queries.ts'
import {
  DataSourceTemplate,
  DataSourceTemplateList,
  TemplateCreation,
  TemplateListParams,
  TemplateParams,
  TemplateSample,
  TemplateUpdate,
} from './templates.schema.ts'

/** A sample of 1 MB in base64, or as a JSON string with an escape for every other character, and a schema. */
const MAX_BODY_BYTES = 2_621_440

export const dataSourceTemplateRoutes: Route[] = [
  route({
    method: 'get',
    path: '/v2/themes/{themeId}/data-source-templates',
    beta: true,
    summary: 'List the data source templates of a theme',
    params: TemplateListParams,
    query: Paging,
    response: DataSourceTemplateList,
    handle: (ctx, { params, query }) => listTemplates(ctx, params.themeId, query),
  }),
  route({
    method: 'post',
    path: '/v2/themes/{themeId}/data-source-templates',
    status: 201,
    beta: true,
    summary: 'Create a data source template from a sample',
    params: TemplateListParams,
    body: TemplateCreation,
    response: DataSourceTemplate,
    throws: [targetChanged],
    maxBodyBytes: MAX_BODY_BYTES,
    handle: (ctx, { params, body }) => createTemplate(ctx, params.themeId, body),
  }),
  route({
    method: 'get',
    path: '/v2/themes/{themeId}/data-source-templates/{id}',
    beta: true,
    summary: 'Read a data source template',
    params: TemplateParams,
    response: DataSourceTemplate,
    handle: (ctx, { params }) => getTemplate(ctx, params.themeId, params.id),
  }),
  route({
    method: 'get',
    path: '/v2/themes/{themeId}/data-source-templates/{id}/sample',
    beta: true,
    summary: 'Read the sample of a data source template as it was sent',
    params: TemplateParams,
    response: TemplateSample,
    handle: (ctx, { params }) => getSample(ctx, params.themeId, params.id),
  }),
  route({
    method: 'patch',
    path: '/v2/themes/{themeId}/data-source-templates/{id}',
    beta: true,
    summary: 'Change a data source template',
    params: TemplateParams,
    body: TemplateUpdate,
    response: DataSourceTemplate,
    throws: [targetChanged],
    maxBodyBytes: MAX_BODY_BYTES,
    handle: (ctx, { params, body }) => updateTemplate(ctx, params.themeId, params.id, body),
  }),
  route({
    method: 'delete',
    path: '/v2/themes/{themeId}/data-source-templates/{id}',
    status: 204,
    beta: true,
    summary: 'Delete a data source template with what was pushed into it',
    params: TemplateParams,
    query: Unchanged,
    throws: [targetChanged],
    handle: (ctx, { params, query }) => deleteTemplate(ctx, params.themeId, params.id, query.ifUnchangedSince),
  }),
]
