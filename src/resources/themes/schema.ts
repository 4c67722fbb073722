import { z } from 'zod'
import { Id, Timestamp } from '../../schema/fields.ts'
import { paged } from '../../schema/paging.ts'

const Versions = z.array(z.int32()).meta({ description: 'Published versions, ascending' })

/** spec: Theme */
export const ThemeGraphic = z
  .object({
    graphicId: z.string(),
    name: z.string(),
    type: z.string().meta({ description: '`code`, or `rive` for motion graphics' }),
    workingVersion: z.int32(),
    publishedVersions: Versions,
  })
  .meta({ id: 'ThemeGraphic' })

/** spec: Theme */
export const Theme = z
  .object({
    id: Id,
    name: z.string(),
    activeVersion: z.int32().nullable(),
    versions: Versions,
    graphics: z.array(ThemeGraphic),
  })
  .meta({ id: 'Theme' })

export const ThemeList = paged('themes', Theme).meta({ id: 'ThemeList' })

const VariableType = z.enum(['string', 'number', 'boolean', 'enum'])

/** spec: Theme variable */
export const ThemeVariable = z
  .object({
    id: z.string(),
    name: z.string(),
    type: VariableType,
    defaultValue: z.string().nullable(),
    description: z.string().nullable(),
    enumOptions: z.array(z.string()).nullable(),
    isStyle: z.boolean(),
  })
  .meta({ id: 'ThemeVariable' })

/** spec: Themes 17 */
export const ThemeVariableList = z
  .object({ updatedAt: Timestamp, variables: z.array(ThemeVariable) })
  .meta({ id: 'ThemeVariableList' })

/** spec: Theme profile */
export const ThemeProfile = z
  .object({
    id: Id,
    competitionId: Id,
    themeId: Id,
    name: z.string(),
    defaultControlRoomId: Id,
    isDefault: z.boolean(),
    themeVariableValues: z
      .array(z.object({ variableId: z.string(), value: z.string() }).meta({ id: 'ThemeVariableValue' }))
      .optional(),
  })
  .meta({ id: 'ThemeProfile' })

export const ThemeProfileList = z.array(ThemeProfile).meta({ id: 'ThemeProfileList' })

export const ThemeParams = z.object({ themeId: Id }).meta({ id: 'ThemeParams' })
export const ProfileListParams = z.object({ competitionId: Id }).meta({ id: 'ProfileListParams' })
