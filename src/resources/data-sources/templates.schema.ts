import { z } from 'zod'
import { RESERVED_NAMES } from '../../expressions/rules.ts'
import { LIMITS } from '../../parsing/table.ts'
import { IfUnchangedSince, UpdatedAt } from '../../schema/concurrency.ts'
import { alsoWhenInvalid, Id, text } from '../../schema/fields.ts'
import { paged } from '../../schema/paging.ts'
import { SPORTS } from '../../schema/sport.ts'
import { sportDataSchema } from '../matches/sport-data.schema.ts'

const SourceType = z.enum(['csv', 'xlsx'])
export const Shape = z.enum(['cell', 'kv', 'rows']).meta({
  description: '`rows`: a list of objects; `kv`: one object of keys and values; `cell`: a single value',
})

/** Parts of the sport data that came after such aliases were in use: where rows are pushed as one, a graphic that names it means them. */
const SHARED = new Set(['standings'])

/** Members of a frame's `data` beside the aliases: an alias of such a name could not be told from it in `selectedSchemas`. */
const RESERVED = new Set([
  ...SPORTS.flatMap((sport) => Object.keys(sportDataSchema(sport).shape)).filter((part) => !SHARED.has(part)),
  'selected',
  'expressions',
  'dataSources',
  'defaults',
  ...RESERVED_NAMES,
])

export const Alias = z
  .string()
  .regex(/^[a-z0-9_-]{1,64}$/, { error: '1 to 64 of a to z, 0 to 9, _ and -' })
  .refine((alias) => !RESERVED.has(alias), { error: 'the name of a part of the sport data, or reserved' })
  .meta({
    description:
      'What a graphic names in `selectedSchemas`; unique in the theme, and no name of a part of the sport data',
  })

const Row = z.int32().min(1).max(1_048_576)
const ADDRESS = '[A-Za-z]{1,3}[1-9]\\d{0,6}'

/** How samples and pushed CSV are read. Every option may be null, which is its default. */
export const TemplateConfig = z
  .strictObject({
    headerRow: z
      .union([Row, z.literal(false)])
      .nullable()
      .optional()
      .meta({
        description:
          'Row of the column names, from 1; false: there is none, and columns are A, B, C. Default: the first row that is not empty',
      }),
    dataStartRow: Row.nullable()
      .optional()
      .meta({ description: 'First row of data, from 1. Default: the row below the header' }),
    delimiter: z
      .enum([',', ';', '\t', '|'])
      .nullable()
      .optional()
      .meta({ description: 'csv. Default: what the first line has most of' }),
    sheet: z
      .union([z.string().min(1).max(255), z.int32().min(1).max(1000)])
      .nullable()
      .optional()
      .meta({
        description: 'xlsx: name of the sheet, or its place from 1. Default: the first',
      }),
    range: z
      .string()
      .regex(new RegExp(`^${ADDRESS}:${ADDRESS}$`), { error: 'such as A1:F20' })
      .nullable()
      .optional()
      .meta({
        description: 'Nothing outside is read: `A1:F20`. Default: everything',
      }),
    cell: z
      .string()
      .regex(new RegExp(`^${ADDRESS}$`), { error: 'such as B2' })
      .nullable()
      .optional()
      .meta({
        description: 'Shape cell: its address. Default: the first cell of the range',
      }),
  })
  .refine(({ headerRow, dataStartRow }) => !headerRow || !dataStartRow || dataStartRow > headerRow, {
    path: ['dataStartRow'],
    error: 'must be below headerRow',
    ...alsoWhenInvalid,
  })
  .meta({ id: 'DataSourceConfig' })
export type TemplateConfig = z.output<typeof TemplateConfig>

const SentSchema = z
  .record(z.string(), z.unknown())
  .refine((schema) => JSON.stringify(schema).length <= LIMITS.schemaCharacters, {
    error: `at most ${LIMITS.schemaCharacters} characters`,
  })
  .meta({
    id: 'DataSourceSchema',
    description:
      'JSON Schema 2020-12, or draft-07 where `$schema` says so, of what a push holds: a list of objects for `rows`, an object for `kv`, a ' +
      'value for `cell`. `nullable: true` beside a type allows null too, as in OpenAPI 3.0. References stay within it; patterns are RE2.',
  })

const sampled = {
  sample: z.string().min(1).optional().meta({ description: 'csv: the text of the file' }),
  sampleBase64: z.base64().min(1).optional().meta({
    description: 'csv or xlsx: the bytes of the file, at most 1 MB',
  }),
}
type Sampled = { sample?: string | undefined; sampleBase64?: string | undefined }
const notBoth = ({ sample, sampleBase64 }: Sampled) => sample === undefined || sampleBase64 === undefined
const NOT_BOTH = { path: ['sampleBase64'], error: 'send either `sample` or `sampleBase64`', ...alsoWhenInvalid }

const Description = text(0, 2_000).nullable()

export const TemplateCreation = z
  .object({
    alias: Alias,
    sourceType: SourceType,
    shape: Shape,
    config: TemplateConfig.nullable().optional(),
    ...sampled,
    schema: SentSchema.optional(),
    description: Description.optional(),
    ifUnchangedSince: IfUnchangedSince,
  })
  .refine(({ sample, sampleBase64 }) => sample !== undefined || sampleBase64 !== undefined, {
    path: ['sample'],
    error: 'a sample is required: `sample` or `sampleBase64`',
    ...alsoWhenInvalid,
  })
  .refine(notBoth, NOT_BOTH)
  .meta({ id: 'DataSourceTemplateCreation' })
export type TemplateCreation = z.output<typeof TemplateCreation>

/** spec: Themes 19 */
export const TemplateUpdate = z
  .object({
    ifUnchangedSince: IfUnchangedSince,
    config: TemplateConfig.nullable().optional(),
    ...sampled,
    schema: SentSchema.optional(),
    description: Description.optional(),
  })
  .refine(notBoth, NOT_BOTH)
  .meta({ id: 'DataSourceTemplateUpdate' })
export type TemplateUpdate = z.output<typeof TemplateUpdate>

/** spec: Data source template */
export const DataSourceTemplate = z
  .object({
    id: Id,
    alias: z.string(),
    sourceType: SourceType,
    shape: Shape,
    config: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'Parse options; null when defaults apply' }),
    schema: z
      .record(z.string(), z.unknown())
      .meta({ description: 'JSON Schema of what a push holds, as sent or inferred from the sample' }),
    sample: z.unknown().meta({ description: 'First rows of the sample as a push would hold them, for preview' }),
    sampleHash: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'SHA-256 of the sample as it was sent; null for one that was not kept' }),
    description: z.string().nullable(),
    updatedAt: UpdatedAt,
  })
  .meta({ id: 'DataSourceTemplate' })

/** The sample as it was sent, to send it to another theme. */
export const TemplateSample = z
  .object({ sampleHash: z.string(), sampleBase64: z.string() })
  .meta({ id: 'DataSourceSample' })

export const DataSourceTemplateList = paged('dataSourceTemplates', DataSourceTemplate).meta({
  id: 'DataSourceTemplateList',
})

export const TemplateListParams = z.object({ themeId: Id }).meta({ id: 'DataSourceTemplateListParams' })
export const TemplateParams = z.object({ themeId: Id, id: Id }).meta({ id: 'DataSourceTemplateParams' })
