import type { ISql } from 'postgres'
import type { z } from 'zod'
import type { ReadContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { exactly } from '../target.ts'
import type { ThemeVariable, ThemeVariableList, WrittenThemeVariable } from './variables.schema.ts'

type Variable = z.output<typeof ThemeVariable>

const columns = (sql: ISql) => sql`
  v.id, v.name, v.type, v.default_value as "defaultValue", v.description, v.enum_options as "enumOptions",
  v.is_style as "isStyle"`

/** By name. Throws notFound, also for another organization's theme. spec: Themes 17 */
export async function listThemeVariables(
  ctx: ReadContext,
  themeId: number,
): Promise<z.output<typeof ThemeVariableList>> {
  const { sql } = ctx.db
  // first the time: a client that sends it back after newer writes is refused, never the other way round
  const [theme] = await sql<{ updatedAt: string }[]>`
    select ${exactly(sql)} as "updatedAt" from theme where organization_id = ${ctx.organizationId} and id = ${themeId}`
  if (!theme) throw notFound()
  const variables = await sql<Variable[]>`
    select ${columns(sql)} from theme_variable v where v.theme_id = ${themeId} order by v.name`
  return { updatedAt: theme.updatedAt, variables: [...variables] }
}

/** Throws notFound, also for another organization's theme. A command gives its transaction. */
export async function getThemeVariable(
  ctx: ReadContext,
  themeId: number,
  variableId: string,
  sql: ISql = ctx.db.sql,
): Promise<z.output<typeof WrittenThemeVariable>> {
  const [variable] = await sql<z.output<typeof WrittenThemeVariable>[]>`
    select ${columns(sql)}, ${exactly(sql, 't.updated_at')} as "updatedAt"
    from theme_variable v join theme t on t.id = v.theme_id
    where t.organization_id = ${ctx.organizationId} and t.id = ${themeId} and v.id = ${variableId}`
  if (!variable) throw notFound()
  return variable
}
