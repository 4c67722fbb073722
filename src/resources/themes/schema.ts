import { z } from 'zod'
import { IfUnchangedSince, UpdatedAt } from '../../schema/concurrency.ts'
import { Id, text } from '../../schema/fields.ts'
import { paged } from '../../schema/paging.ts'
import { SPORTS, SportKey } from '../../schema/sport.ts'

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
    sports: z.array(z.string()).optional(),
    updatedAt: UpdatedAt.optional(),
  })
  .meta({ id: 'Theme' })

export const ThemeList = paged('themes', Theme).meta({ id: 'ThemeList' })

const name = text(1, 255)
const MADE_FOR = 'What its graphics are made for'
const sports = z.array(SportKey).min(1).max(SPORTS.length).meta({ description: MADE_FOR })

export const ThemeCreation = z
  .object({ name, sports: sports.default([...SPORTS]).meta({ description: `${MADE_FOR}; every sport unless said` }) })
  .meta({ id: 'ThemeCreation' })

export const ThemeUpdate = z
  .object({
    ifUnchangedSince: IfUnchangedSince,
    name: name.optional(),
    sports: sports.optional(),
    activeVersion: z
      .int32()
      .min(1)
      .nullable()
      .optional()
      .meta({ description: 'A published version, an earlier one too; null takes the theme out of use' }),
  })
  .meta({ id: 'ThemeUpdate' })

export const ThemeParams = z.object({ themeId: Id }).meta({ id: 'ThemeParams' })
