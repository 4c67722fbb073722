import { z } from 'zod'
import { IfUnchangedSince, Unchanged, UpdatedAt } from '../../schema/concurrency.ts'
import { Id, Timestamp } from '../../schema/fields.ts'
import { BundleFile, type GraphicPath } from '../code-graphics/schema.ts'
import { UploadCreation } from '../uploads.ts'

/** integrations: OGraf import */
export const MAX_ARCHIVE_BYTES = 64 * 1_048_576

/** The declaration of an archive that is sent to a signed address. */
export const OgrafUploadCreation = UploadCreation.pick({ filename: true, sha256: true })
  .extend({ size: z.int32().min(1).max(MAX_ARCHIVE_BYTES) })
  .meta({ id: 'OgrafUploadCreation' })

const archive = z.unknown().optional()

/** What an import is made of: the zip itself, or one that was uploaded. */
export const OgrafImport = z
  .object({
    uploadId: Id.optional().meta({
      description: 'Of a zip that was uploaded; left out when the body itself is the zip',
    }),
    archive: archive.meta({ description: 'Never in JSON: send the zip as the body, with the type `application/zip`' }),
  })
  .refine(({ uploadId, archive: bytes }) => (uploadId === undefined) === Buffer.isBuffer(bytes), {
    error: 'send a zip as application/zip, or the uploadId of one',
  })
  .meta({ id: 'OgrafImport' })

export const OgrafFault = z
  .object({
    file: z.string().meta({ description: 'Its path in the archive; empty for the archive itself' }),
    path: z.string().meta({ description: 'The place in a manifest, as a JSON pointer; empty for all of it' }),
    message: z.string(),
  })
  .meta({ id: 'OgrafFault' })

export const ImportedOgraf = z
  .object({
    graphics: z.array(
      z
        .object({
          graphicId: z.string(),
          ografId: z.string().meta({ description: 'The `id` of its manifest' }),
          name: z.string(),
          warnings: z.array(z.string()),
        })
        .meta({ id: 'ImportedOgrafGraphic' }),
    ),
    errors: z.array(OgrafFault).meta({ description: 'With any of them nothing is imported' }),
  })
  .meta({ id: 'ImportedOgraf' })

const json = z.record(z.string(), z.unknown())

/** A property of the data of a graphic, as operators set it. */
export const OgrafVariable = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.enum(['string', 'number', 'boolean', 'enum', 'object', 'array']),
    title: z.string().optional(),
    description: z.string().optional(),
    options: z.array(z.string()).optional(),
    defaultValue: z.unknown().optional(),
    gddType: z.string().optional().meta({ description: 'Which editor it has; an unknown `a/b` is told as `a`' }),
    order: z.number().optional(),
    hidden: z.literal(true).optional(),
    schema: json.meta({ description: 'JSON Schema with GDD: values are held against it' }),
  })
  .meta({ id: 'OgrafVariable' })

export const OgrafAction = z
  .object({ id: z.string(), name: z.string(), description: z.string().optional(), schema: json.nullable() })
  .meta({ id: 'OgrafAction' })

const Thumbnail = z
  .object({ url: z.string(), width: z.int().nullable(), height: z.int().nullable() })
  .meta({ id: 'OgrafThumbnail' })

const about = {
  graphicId: z.string(),
  ografId: z.string().meta({ description: 'The `id` of its manifest: the same again replaces the working copy' }),
  name: z.string(),
  type: z.literal('ograf'),
  version: z.int32(),
  sports: z.array(z.string()),
  manifest: json,
  manifestPath: z.string().meta({ description: 'Of its files' }),
  stepCount: z.int().meta({ description: '0 plays out by itself, -1 has no known end' }),
  controlVariables: z.array(OgrafVariable),
  customActions: z.array(OgrafAction),
  thumbnails: z.array(Thumbnail),
  warnings: z.array(z.string()),
}

/** The working copy of an OGraf graphic. integrations: OGraf import */
export const OgrafGraphic = z
  .object({
    ...about,
    id: Id,
    files: z.array(BundleFile),
    publishedVersions: z.array(z.int32()),
    lock: z.object({ userName: z.string() }).meta({ id: 'OgrafLock' }).nullable(),
    manifestUrl: z.string(),
    updatedAt: UpdatedAt,
  })
  .meta({ id: 'OgrafGraphic' })
export const OgrafGraphicList = z.array(OgrafGraphic).meta({ id: 'OgrafGraphicList' })

const version = { graphicId: z.string(), version: z.int32(), publishedAt: Timestamp, manifestUrl: z.string() }
export const OgrafVersionList = z.array(z.object(version)).meta({ id: 'OgrafVersionList' })

/** A published version with everything that makes it. It never changes. */
export const OgrafVersion = z
  .object({
    ...about,
    ...version,
    files: z.array(
      z.object({ name: z.string(), mime: z.string(), size: z.int32(), hash: z.string(), url: z.string() }),
    ),
  })
  .meta({ id: 'OgrafVersion' })

export const PublishedOgraf = z
  .object({
    publishedVersion: z.int32(),
    graphic: OgrafGraphic,
    updatedAt: UpdatedAt.meta({ description: 'Of the theme' }),
  })
  .meta({ id: 'PublishedOgraf' })

const EITHER = '`ifUnchangedSince` is compared with the graphic, and with the theme when it is not that of the graphic'
export const OgrafPublication = z
  .object({ ifUnchangedSince: IfUnchangedSince })
  .prefault({})
  .meta({ id: 'OgrafPublication', description: EITHER })
export const OgrafRemoval = Unchanged.meta({ id: 'OgrafRemoval', description: EITHER })

export const OgrafParams = z.object({ themeId: Id, graphicId: z.string().min(1) }).meta({ id: 'OgrafParams' })
export const OgrafVersionParams = OgrafParams.extend({ version: z.int32().min(1) }).meta({ id: 'OgrafVersionParams' })

/** The path of an OGraf graphic, as the parts that all kinds share take it. */
export const inOgraf = ({ themeId, graphicId }: z.output<typeof OgrafParams>) =>
  ({ themeId, graphicId, kind: 'ograf' }) satisfies GraphicPath
