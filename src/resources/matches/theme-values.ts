import type { Sql } from 'postgres'

type VariableRow = { name: string; type: string; value: string | null }

/** The variables of a theme with the values in force: those of the profile over the defaults; variables without any are absent. */
export async function themeValues(sql: Sql, themeId: number | null, profileId: number | null) {
  const rows = await sql<VariableRow[]>`
    select v.name, v.type, coalesce(s.value, v.default_value) as value
    from theme_variable v
    left join theme_variable_value s on s.variable_id = v.id and s.theme_profile_id = ${profileId}
    where v.theme_id = ${themeId}`
  const values: Record<string, string | number | boolean> = {}
  for (const { name, type, value } of rows) if (value !== null) values[name] = typed(type, value)
  return values
}

function typed(type: string, value: string) {
  if (type === 'number' && value.trim() !== '' && Number.isFinite(Number(value))) return Number(value)
  return type === 'boolean' ? value === 'true' : value
}
