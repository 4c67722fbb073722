import { z } from 'zod'
import { IfUnchangedSince, UpdatedAt } from '../../schema/concurrency.ts'
import { Id, text } from '../../schema/fields.ts'
import { ThemeValueText } from './variables.schema.ts'

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
    updatedAt: UpdatedAt.optional(),
  })
  .meta({ id: 'ThemeProfile', description: '`id` is the `competitionThemeSettingId` of overlays and data sources' })

export const ThemeProfileList = z.array(ThemeProfile).meta({ id: 'ThemeProfileList' })

const name = text(1, 255)
const variableId = z.string().min(1)
const isDefault = z
  .boolean()
  .meta({ description: 'Overlays of the competition get it when they name none; no other profile is it any more' })
const values = z.array(z.object({ variableId, value: ThemeValueText })).max(1000)

export const ThemeProfileCreation = z
  .object({
    ifUnchangedSince: IfUnchangedSince.meta({ description: 'The `updatedAt` of the theme as it was read' }),
    themeId: Id,
    name,
    defaultControlRoomId: Id,
    isDefault: isDefault.optional(),
    themeVariableValues: values.optional(),
  })
  .meta({ id: 'ThemeProfileCreation' })

export const ThemeProfileCopy = z
  .object({
    name: name.optional().meta({ description: 'Left out, that of the profile' }),
    competitionId: Id.optional().meta({ description: 'Of the copy; left out, that of the profile' }),
    isDefault: isDefault.optional(),
  })
  .meta({ id: 'ThemeProfileCopy' })

export const ThemeProfileUpdate = z
  .object({
    ifUnchangedSince: IfUnchangedSince,
    name: name.optional(),
    defaultControlRoomId: Id.optional(),
    isDefault: isDefault.optional(),
    themeVariableValues: z
      .array(z.object({ variableId, value: ThemeValueText.nullable() }))
      .max(1000)
      .optional()
      .meta({ description: 'Values of variables that are not named stay; null goes back to the default' }),
  })
  .meta({ id: 'ThemeProfileUpdate' })

export const ThemeProfileValues = z
  .object({ ifUnchangedSince: IfUnchangedSince, themeVariableValues: values })
  .meta({ id: 'ThemeProfileValues', description: 'All values: variables that are not named go back to the default' })

export const ProfileListParams = z.object({ competitionId: Id }).meta({ id: 'ProfileListParams' })
export const ProfileParams = z.object({ competitionId: Id, profileId: Id }).meta({ id: 'ProfileParams' })
