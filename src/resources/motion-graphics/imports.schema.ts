import { z } from 'zod'
import { IfUnchangedSince } from '../../schema/concurrency.ts'
import { Id, Moment, Timestamp, text } from '../../schema/fields.ts'

/** 50 MB, as a file of a code graphic. */
const MAX_BYTES = 50 * 1024 * 1024

/** spec: Motion graphics 23 */
export const MotionUploadCreation = z
  .object({
    filename: text(1, 255).meta({
      description:
        '.riv, .rev (kept as it is, with `retainSource` only) or .zip for the motion file; else by the type of the asset',
    }),
    size: z.int32().min(1).max(MAX_BYTES),
    sha256: z.string().regex(/^[0-9a-f]{64}$/, { error: '64 lower-case hexadecimal digits' }),
    retainSource: z
      .boolean()
      .default(false)
      .meta({ description: 'Keep the file as it was sent: an editable source, or a whole project archive' }),
    selectedEntry: z
      .string()
      .min(1)
      .optional()
      .meta({ description: 'Which motion file of an archive is meant; needed when it has several' }),
    target: z.object({
      graphicId: z.string().min(1),
      assetId: z
        .string()
        .min(1)
        .optional()
        .meta({ description: 'What it replaces: the motion file or an asset; left out only while the draft is empty' }),
      updatedAt: Moment.meta({ description: 'The `updatedAt` of the working copy as it was read' }),
      lockToken: z.string().optional().meta({ description: 'Not needed with an API key, which takes the lock itself' }),
    }),
  })
  .meta({ id: 'MotionUploadCreation' })

/** spec: Motion graphics 23 */
export const MotionUpload = z
  .object({
    jobId: z.string(),
    candidateId: z.string(),
    url: z.string().meta({ description: 'PUT the bytes here with these headers, once, without an API key' }),
    expiresAt: Timestamp,
    headers: z.object({ 'x-cloud-checksum-sha256': z.string() }),
  })
  .meta({ id: 'MotionUpload' })

/** domain 5.12 */
export const MotionImport = z
  .object({
    jobId: z.string(),
    candidateId: z.string(),
    graphicId: z.string(),
    assetId: z.string().meta({ description: 'What it replaces' }),
    state: z.enum(['pending', 'uploaded', 'validating', 'ready', 'applied', 'failed', 'expired']),
    error: z.string().nullable().meta({ description: 'Why it failed' }),
    assets: z
      .array(
        z.object({
          id: z.string(),
          name: z.string(),
          type: z.enum(['image', 'font', 'audio']),
          uniqueFileName: z.string(),
          unresolved: z.boolean(),
        }),
      )
      .meta({ description: 'Those of the motion file; empty until it is ready' }),
    createdAt: Timestamp,
    expiresAt: Timestamp.meta({ description: 'Of its address, then of the candidate' }),
  })
  .meta({ id: 'MotionImport' })

export const ImportApplication = z
  .object({ ifUnchangedSince: IfUnchangedSince })
  .prefault({})
  .meta({ id: 'ImportApplication' })

/** The working copy, or one published version. */
const VersionName = z.string().regex(/^(working|[1-9]\d{0,9})$/, { error: '`working`, or the number of a version' })

/** spec: Motion graphics 24 */
export const FileMetadataQuery = z
  .object({
    version: VersionName,
    assetId: z.string().min(1).optional().meta({ description: 'The motion file unless given' }),
  })
  .meta({ id: 'FileMetadataQuery' })

/** spec: Motion graphics 24 */
export const FileMetadata = z
  .object({
    assetId: z.string(),
    runtimeAvailable: z.boolean().meta({ description: 'Whether it can be drawn' }),
    originalAvailable: z.boolean().meta({ description: 'Whether the file is kept as it was sent' }),
    sourceKind: z.string().meta({ description: '`runtime`, `editable`, `archive`, or `embedded` in the motion file' }),
    originalFilename: z.string(),
    selectedEntry: z.string().meta({ description: 'Which file of the archive is used; empty when it is no archive' }),
    archive: z.boolean(),
    editableSource: z.boolean().meta({ description: 'Whether what is kept can be edited' }),
    originalUrl: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'The file as it was sent, for whoever has this address; null when it is not kept' }),
  })
  .meta({ id: 'FileMetadata' })

export const ImportParams = z.object({ themeId: Id, jobId: z.string().min(1) }).meta({ id: 'ImportParams' })
