import { z } from 'zod'
import { LIMITS } from '../../parsing/table.ts'
import { UpdatedAt } from '../../schema/concurrency.ts'
import { Count, Id } from '../../schema/fields.ts'
import { paged } from '../../schema/paging.ts'
import { Shape } from './templates.schema.ts'

// far cheaper than a record, of which zod makes each member anew
const Row = z.looseObject({})
const content = {
  rows: z.array(Row).max(LIMITS.rows).optional().meta({ description: 'Shape rows: all of them, by column' }),
  values: Row.optional().meta({ description: 'Shape kv: all of them, by key' }),
  value: z.unknown().optional().meta({ description: 'Shape cell' }),
}

/** Rows that replace all pushed before; also as a body of text/csv. spec: Data source template */
export const DataSourcePush = z
  .strictObject({
    ...content,
    csv: z
      .string()
      .optional()
      .meta({ description: 'Any shape: the text of a CSV file, read with the options of the template' }),
  })
  .refine((sent) => Object.keys(sent).length === 1, { error: 'send one of `rows`, `values`, `value` and `csv`' })
  .meta({
    id: 'DataSourcePush',
    description:
      'One member, by the shape of the template. Each cell is converted as in a template made from CSV: text that is a number becomes one ' +
      'where a number may stand, an empty cell is null, and so is one that a row leaves out.',
  })
export type DataSourcePush = z.output<typeof DataSourcePush>

export const PushedDataSource = z
  .object({
    alias: z.string(),
    shape: Shape,
    rowCount: Count.meta({ description: 'Rows, keys, or 1 for a cell' }),
    updatedAt: UpdatedAt,
  })
  .meta({ id: 'PushedDataSource' })

/** A template with the rows pushed last, if any were. */
export const DataSource = z
  .object({
    alias: z.string(),
    shape: Shape,
    rowCount: Count,
    updatedAt: UpdatedAt.nullable().meta({ description: 'null before any push' }),
    ...content,
  })
  .meta({ id: 'DataSource', description: 'Holds `rows`, `values` or `value` as converted, absent before any push' })

export const DataSourceSummary = DataSource.omit({ rows: true, values: true, value: true }).meta({
  id: 'DataSourceSummary',
})
export const DataSourceList = paged('dataSources', DataSourceSummary).meta({ id: 'DataSourceList' })

export const DataSourceListParams = z.object({ competitionThemeSettingId: Id }).meta({ id: 'DataSourceListParams' })
export const DataSourceParams = z
  .object({ competitionThemeSettingId: Id, alias: z.string().min(1) })
  .meta({ id: 'DataSourceParams' })
