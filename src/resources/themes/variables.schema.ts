import { z } from 'zod'
import { IfUnchangedSince, UpdatedAt } from '../../schema/concurrency.ts'
import { Id, text } from '../../schema/fields.ts'
import { ThemeVariableType } from '../../schema/theme-variable.ts'

/** spec: Theme variable */
export const ThemeVariable = z
  .object({
    id: z.string(),
    name: z.string(),
    type: ThemeVariableType,
    defaultValue: z.string().nullable(),
    description: z.string().nullable(),
    enumOptions: z.array(z.string()).nullable(),
    isStyle: z.boolean(),
  })
  .meta({ id: 'ThemeVariable' })

/** A variable as it is read alone and as a write of it answers. spec: Themes 18 */
export const WrittenThemeVariable = ThemeVariable.extend({ updatedAt: UpdatedAt }).meta({
  id: 'WrittenThemeVariable',
  description: 'With the `updatedAt` of its theme',
})

/** spec: Themes 17 */
export const ThemeVariableList = z
  .object({ updatedAt: UpdatedAt, variables: z.array(ThemeVariable) })
  .meta({ id: 'ThemeVariableList' })

/** The text of a theme variable's value, whatever its type. */
export const ThemeValueText = text(0, 2000)

const changes = {
  defaultValue: ThemeValueText.nullable()
    .optional()
    .meta({ description: 'In force when a competition sets nothing; null for no default' }),
  description: text(0, 1000).nullable().optional(),
  enumOptions: z
    .array(text(1, 255))
    .max(500)
    .nullable()
    .optional()
    .meta({ description: 'Allowed values of an enum variable; null for other types' }),
  isStyle: z.boolean().optional().meta({ description: 'It holds a colour, a font or another style value' }),
}

export const ThemeVariableCreation = z
  .object({ ifUnchangedSince: IfUnchangedSince, name: text(1, 255), type: ThemeVariableType, ...changes })
  .meta({ id: 'ThemeVariableCreation' })

/** spec: Themes 18 */
export const ThemeVariableUpdate = z
  .object({ ifUnchangedSince: IfUnchangedSince, type: ThemeVariableType.optional(), ...changes })
  .meta({ id: 'ThemeVariableUpdate' })

export const ThemeVariableParams = z.object({ themeId: Id, id: z.string().min(1) }).meta({ id: 'ThemeVariableParams' })
