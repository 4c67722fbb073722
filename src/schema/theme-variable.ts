import { z } from 'zod'

/** spec: Theme variable */
export const ThemeVariableType = z.enum(['string', 'number', 'boolean', 'enum']).meta({ id: 'ThemeVariableType' })

type Kind = { type: string; enumOptions: readonly string[] | null }

/** The value that graphics receive for the stored text of a theme variable; undefined when the text does not fit its type. */
export function themeValue({ type, enumOptions }: Kind, text: string): string | number | boolean | undefined {
  switch (type) {
    case 'number':
      return text.trim() === text && text !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined
    case 'boolean':
      return text === 'true' || text === 'false' ? text === 'true' : undefined
    case 'enum':
      return enumOptions?.includes(text) ? text : undefined
    default:
      return text
  }
}

/** The fault of the text for a theme variable, undefined when there is none. */
export function themeValueProblem(kind: Kind, text: string): string | undefined {
  if (themeValue(kind, text) !== undefined) return undefined
  if (kind.type === 'enum') return `not one of ${(kind.enumOptions ?? []).join(', ')}`
  return kind.type === 'boolean' ? 'neither true nor false' : 'not a number'
}
