import type { ISql } from 'postgres'
import type { z } from 'zod'
import type { ReadContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { ParseOptions } from '../../parsing/table.ts'
import type { Paging } from '../../schema/paging.ts'
import { owned } from '../ownership.ts'
import { exactly } from '../target.ts'
import type { DataSource, DataSourceSummary } from './schema.ts'

type Shape = 'rows' | 'kv' | 'cell'

/** A template as a push into it must know it. `schema` is JSON text, `changedAt` tells one state of it from another. */
export type PushTarget = {
  templateId: number
  shape: Shape
  schema: string
  config: ParseOptions | null
  changedAt: string
}

/** The theme of a profile, also of an archived one: missing 404, another organization's 403. spec: Authentication 11 */
async function themeOf(ctx: ReadContext, profileId: number, sql: ISql): Promise<number> {
  const [profile] = await sql<{ themeId: number; organizationId: number }[]>`
    select theme_id as "themeId", organization_id as "organizationId" from theme_profile where id = ${profileId}`
  return owned(ctx, profile).themeId
}

/** Throws notFound for an unknown alias. */
export async function getTarget(ctx: ReadContext, profileId: number, alias: string): Promise<PushTarget> {
  const { sql } = ctx.db
  const [row] = await sql<(Partial<PushTarget> & { organizationId: number })[]>`
    select p.organization_id as "organizationId", d.id as "templateId", d.shape, d.schema::text as schema, d.config,
      ${exactly(sql, 'd.updated_at')} as "changedAt"
    from theme_profile p left join data_source_template d on d.theme_id = p.theme_id and d.alias = ${alias}
    where p.id = ${profileId}`
  const { templateId, shape, schema, config, changedAt } = owned(ctx, row)
  if (!templateId || !shape || schema === undefined || changedAt === undefined) throw notFound()
  return { templateId, shape, schema, config: config ?? null, changedAt }
}

const MEMBERS = { rows: 'rows', kv: 'values', cell: 'value' } as const

/** The rows that were pushed last. Throws notFound for an unknown alias. */
export async function getDataSource(
  ctx: ReadContext,
  profileId: number,
  alias: string,
): Promise<z.output<typeof DataSource>> {
  const { sql } = ctx.db
  const themeId = await themeOf(ctx, profileId, sql)
  const [row] = await sql<(z.output<typeof DataSourceSummary> & { pushed: unknown })[]>`
    select ${summary(sql)}, s.value as pushed from ${templatesWith(sql, profileId)}
    where d.theme_id = ${themeId} and d.alias = ${alias}`
  if (!row) throw notFound()
  const { pushed, ...source } = row
  return source.updatedAt === null ? source : { ...source, [MEMBERS[source.shape]]: pushed }
}

/** Every alias of the profile's theme, with or without a push. */
export async function listDataSources(ctx: ReadContext, profileId: number, { limit, offset }: Paging) {
  const { sql } = ctx.db
  const themeId = await themeOf(ctx, profileId, sql)
  const [dataSources, [counted]] = await Promise.all([
    sql<z.output<typeof DataSourceSummary>[]>`
      select ${summary(sql)} from ${templatesWith(sql, profileId)}
      where d.theme_id = ${themeId} order by d.id limit ${limit} offset ${offset}`,
    sql<{ total: number }[]>`select count(*)::int as total from data_source_template where theme_id = ${themeId}`,
  ])
  return { dataSources: [...dataSources], total: counted?.total ?? 0, returned: dataSources.length }
}

const summary = (sql: ISql) => sql`
  d.alias, d.shape, coalesce(s.row_count, 0) as "rowCount", ${exactly(sql, 's.updated_at')} as "updatedAt"`

const templatesWith = (sql: ISql, profileId: number) => sql`
  data_source_template d left join data_source s on s.template_id = d.id and s.theme_profile_id = ${profileId}`

/** The rows pushed to a theme profile, by alias: `data.dataSources` of its overlays. */
export async function pushedDataSources(sql: ISql, profileId: number): Promise<Readonly<Record<string, unknown>>> {
  const rows = await sql<{ alias: string; value: unknown }[]>`
    select d.alias, s.value from data_source s join data_source_template d on d.id = s.template_id
    where s.theme_profile_id = ${profileId} order by d.id`
  return Object.fromEntries(rows.map(({ alias, value }) => [alias, value]))
}
