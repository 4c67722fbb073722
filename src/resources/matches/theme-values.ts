import type { Sql } from 'postgres'
import { themeValue } from '../../schema/theme-variable.ts'

type VariableRow = {
  name: string
  type: string
  enumOptions: string[] | null
  value: string | null
  defaultValue: string | null
}

/**
 * The variables of a theme with the values in force: those of the profile over the defaults; variables without any are
 * absent. A value that the variable cannot have any more counts as none.
 */
export async function themeValues(sql: Sql, themeId: number | null, profileId: number | null) {
  const rows = await sql<VariableRow[]>`
    select v.name, v.type, v.enum_options as "enumOptions", s.value, v.default_value as "defaultValue"
    from theme_variable v
    left join theme_variable_value s on s.variable_id = v.id and s.theme_profile_id = ${profileId}
    where v.theme_id = ${themeId}`
  const values: Record<string, string | number | boolean> = {}
  for (const { name, value, defaultValue, ...kind } of rows) {
    const inForce = typed(kind, value) ?? typed(kind, defaultValue)
    if (inForce !== undefined) values[name] = inForce
  }
  return values
}

const typed = (kind: Pick<VariableRow, 'type' | 'enumOptions'>, text: string | null) =>
  text === null ? undefined : themeValue(kind, text)
