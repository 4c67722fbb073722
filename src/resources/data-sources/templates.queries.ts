import type { ISql } from 'postgres'
import type { z } from 'zod'
import type { ReadContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Paging } from '../../schema/paging.ts'
import { exactly } from '../target.ts'
import type { DataSourceTemplate, TemplateSample } from './templates.schema.ts'

type Template = z.output<typeof DataSourceTemplate>

const columns = (sql: ISql) => sql`
  d.id, d.alias, d.source_type as "sourceType", d.shape, d.config, d.schema, d.sample, d.description,
  d.sample_sha256 as "sampleHash", ${exactly(sql, 'd.updated_at')} as "updatedAt"`

/** Throws notFound, also for another organization's theme. spec: Data source template */
export async function getTemplate(
  ctx: ReadContext,
  themeId: number,
  id: number,
  sql: ISql = ctx.db.sql,
): Promise<Template> {
  const [template] = await sql<Template[]>`
    select ${columns(sql)} from data_source_template d
    join theme t on t.id = d.theme_id and t.organization_id = ${ctx.organizationId}
    where d.id = ${id} and d.theme_id = ${themeId}`
  if (!template) throw notFound()
  return template
}

/** The sample as it was sent. Throws notFound, also for one that was not kept. */
export async function getSample(
  ctx: ReadContext,
  themeId: number,
  id: number,
): Promise<z.output<typeof TemplateSample>> {
  const [row] = await ctx.db.sql<{ file: Buffer; sampleHash: string }[]>`
    select d.sample_file as file, d.sample_sha256 as "sampleHash" from data_source_template d
    join theme t on t.id = d.theme_id and t.organization_id = ${ctx.organizationId}
    where d.id = ${id} and d.theme_id = ${themeId} and d.sample_file is not null`
  if (!row) throw notFound()
  return { sampleHash: row.sampleHash, sampleBase64: row.file.toString('base64') }
}

/** The templates of a theme by id. Throws notFound, also for another organization's theme. */
export async function listTemplates(ctx: ReadContext, themeId: number, { limit, offset }: Paging) {
  const { sql } = ctx.db
  const [[theme], templates] = await Promise.all([
    sql<{ total: number }[]>`
      select (select count(*)::int from data_source_template where theme_id = t.id) as total
      from theme t where t.id = ${themeId} and t.organization_id = ${ctx.organizationId}`,
    sql<Template[]>`
      select ${columns(sql)} from data_source_template d
      where d.theme_id = ${themeId} order by d.id limit ${limit} offset ${offset}`,
  ])
  if (!theme) throw notFound()
  return { dataSourceTemplates: [...templates], total: theme.total, returned: templates.length }
}

/** The samples of a theme's templates by alias: `data.dataSources` of a preview. */
export async function sampleDataSources(sql: ISql, themeId: number): Promise<Record<string, unknown>> {
  const rows = await sql<{ alias: string; sample: unknown }[]>`
    select alias, sample from data_source_template where theme_id = ${themeId} order by id`
  return Object.fromEntries(rows.map(({ alias, sample }) => [alias, sample]))
}
