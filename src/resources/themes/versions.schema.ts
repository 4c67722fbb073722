import { z } from 'zod'
import { IfUnchangedSince, UpdatedAt } from '../../schema/concurrency.ts'
import { Id, Timestamp, text } from '../../schema/fields.ts'
import { paged } from '../../schema/paging.ts'

const version = z.int32()
const dryRun = z.boolean().default(false).meta({ description: 'Changes nothing and answers what would happen' })

/** A graphic as a theme version pins it. */
export const PinnedVersion = z
  .object({ graphicId: z.string(), name: z.string(), type: z.string(), version })
  .meta({ id: 'PinnedVersion' })

export const ThemeVersion = z
  .object({
    version,
    active: z.boolean(),
    publishedAt: Timestamp,
    notes: z.string().nullable(),
    graphics: z.array(PinnedVersion),
  })
  .meta({ id: 'ThemeVersion' })

export const ThemeVersionList = paged('versions', ThemeVersion).meta({ id: 'ThemeVersionList' })

/** spec: Graphic versions and lock */
export const ThemePublication = z
  .object({
    activate: z.boolean().default(false).meta({ description: 'Makes the new version the active one' }),
    dryRun,
    ifUnchangedSince: IfUnchangedSince,
    notes: text(0, 2000).optional(),
  })
  .prefault({})
  .meta({ id: 'ThemePublication' })

const effects = {
  graphicsOnAir: z
    .array(
      z
        .object({
          overlayId: Id,
          graphicId: z.string(),
          graphicName: z.string(),
          version: version.meta({ description: 'On air, and stays until it is shown again' }),
          nextVersion: version.nullable().meta({ description: 'What the next show brings; null when there is none' }),
        })
        .meta({ id: 'GraphicOnAir' }),
    )
    .meta({ description: 'What of the theme is on air' }),
  presetsLeftOut: z
    .array(
      z
        .object({ presetId: Id, controlRoomId: Id, name: z.string(), graphicId: z.string() })
        .meta({ id: 'PresetLeftOut' }),
    )
    .meta({ description: 'Presets whose graphic the active version does not have: they stay, but cannot be shown' }),
}

/** spec: Graphic versions and lock */
export const PublishedTheme = z
  .object({
    version,
    activeVersion: version.nullable(),
    dryRun: z.boolean(),
    graphics: z.array(PinnedVersion),
    skipped: z
      .array(
        z
          .object({ graphicId: z.string(), name: z.string(), reason: z.literal('NO_PUBLISHED_VERSION') })
          .meta({ id: 'SkippedGraphic' }),
      )
      .meta({ description: 'Graphics that are not in the version' }),
    graphicsOnAir: effects.graphicsOnAir.optional(),
    presetsLeftOut: effects.presetsLeftOut.optional(),
    updatedAt: UpdatedAt,
  })
  .meta({ id: 'PublishedTheme' })

export const ThemeActivation = z
  .object({ dryRun, ifUnchangedSince: IfUnchangedSince })
  .prefault({})
  .meta({ id: 'ThemeActivation' })

export const ActivatedTheme = z
  .object({
    activeVersion: version,
    previousVersion: version.nullable(),
    dryRun: z.boolean(),
    ...effects,
    updatedAt: UpdatedAt,
  })
  .meta({ id: 'ActivatedTheme' })

export const ThemeVersionParams = z.object({ themeId: Id, version: Id }).meta({ id: 'ThemeVersionParams' })
