import { createHash } from 'node:crypto'
import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { invalid, notFound } from '../../errors.ts'
import { told } from '../../parsing/refusals.ts'
import { LIMITS } from '../../parsing/table.ts'
import { textOf } from '../../schema/bytes.ts'
import { asRead, checkTarget, exactly, lockTheme, thisWrite, touchTheme } from '../target.ts'
import { TemplateChanged, untilUnchanged } from './template-changed.ts'
import { getTemplate } from './templates.queries.ts'
import type { DataSourceTemplate, TemplateConfig, TemplateCreation, TemplateUpdate } from './templates.schema.ts'

type Template = z.output<typeof DataSourceTemplate>
type Asked = Pick<TemplateUpdate, 'sample' | 'sampleBase64' | 'schema'>
type Reading = Pick<Template, 'sourceType' | 'shape'> & { config: TemplateConfig | null }

/** Creates a template; its schema is inferred from the sample unless one is sent. spec: Data source template */
export async function createTemplate(ctx: Context, themeId: number, asked: TemplateCreation): Promise<Template> {
  const { alias, sourceType, shape, description = null, ifUnchangedSince } = asked
  await findTheme(ctx, themeId)
  const config = configOf(asked.config, asked)
  const file = fileOf(asked)
  const made = await read(ctx, { sourceType, shape, config }, asked, file)
  const command = { ref: 'data-source-template/new', type: 'create', asked: { themeId, ...journaled(asked) } }
  return ctx.db.write(ctx, command, async (tx) => {
    await lockTheme(ctx, tx, themeId, ifUnchangedSince)
    const [row] = await tx<{ id: number }[]>`
      insert into data_source_template (theme_id, alias, source_type, shape, config, schema, sample, description,
        sample_file, sample_sha256)
      values (${themeId}, ${alias}, ${sourceType}, ${shape}, ${jsonOf(config)}::text::json, ${made.schema ?? null}::text::json,
        ${made.sample ?? null}::text::json, ${description}, ${file ?? null}, ${file ? digestOf(file) : null})
      on conflict (theme_id, alias) do nothing returning id`
    if (!row) throw invalid({ 'body.alias': { message: 'the theme has a template of this alias', value: alias } })
    await touchTheme(tx, themeId)
    return {
      ref: `data-source-template/${row.id}`,
      result: await getTemplate(ctx, themeId, row.id, tx),
      events: [{ type: 'dataSourceTemplate.created', themeId, templateId: row.id, alias }],
    }
  })
}

/**
 * Changes the fields that are sent; alias, source type and shape never. A new sample reinfers the schema unless one is sent as
 * well. Rows pushed before stay as they are. spec: Themes 19
 */
export const updateTemplate = (ctx: Context, themeId: number, id: number, asked: TemplateUpdate): Promise<Template> =>
  untilUnchanged(() => changeTemplate(ctx, themeId, id, asked))

async function changeTemplate(ctx: Context, themeId: number, id: number, asked: TemplateUpdate): Promise<Template> {
  const { sourceType, shape, ...stored } = await getTemplate(ctx, themeId, id)
  const config =
    asked.config === undefined
      ? (stored.config as TemplateConfig | null)
      : configOf(asked.config, { sourceType, shape })
  const file = fileOf(asked)
  const made = await read(ctx, { sourceType, shape, config }, asked, file)
  const command = { ref: `data-source-template/${id}`, type: 'update', asked: journaled(asked) }
  return ctx.db.write(ctx, command, async (tx) => {
    const { updatedAt } = await lockTemplate(tx, themeId, id, asked.ifUnchangedSince)
    if (file && asked.config === undefined && updatedAt !== stored.updatedAt) throw new TemplateChanged()
    const changes = Object.keys(asked).filter((name) => name !== 'ifUnchangedSince')
    if (changes.length > 0)
      await tx`
        update data_source_template set updated_at = ${thisWrite(tx)}
          ${asked.config === undefined ? tx`` : tx`, config = ${jsonOf(config)}::text::json`}
          ${made.schema === undefined ? tx`` : tx`, schema = ${made.schema}::text::json`}
          ${made.sample === undefined ? tx`` : tx`, sample = ${made.sample}::text::json`}
          ${file ? tx`, sample_file = ${file}, sample_sha256 = ${digestOf(file)}` : tx``}
          ${asked.description === undefined ? tx`` : tx`, description = ${asked.description}`}
        where id = ${id}`
    return {
      result: await getTemplate(ctx, themeId, id, tx),
      events: changes.length > 0 ? [{ type: 'dataSourceTemplate.updated', themeId, templateId: id, changes }] : [],
    }
  })
}

/** Deletes a template with everything that was pushed into it; graphics on air lose it. */
export async function deleteTemplate(
  ctx: Context,
  themeId: number,
  id: number,
  ifUnchangedSince?: string,
): Promise<undefined> {
  const { alias } = await getTemplate(ctx, themeId, id)
  return ctx.db.write(ctx, { ref: `data-source-template/${id}`, type: 'delete' }, async (tx) => {
    await lockTheme(ctx, tx, themeId)
    await lockTemplate(tx, themeId, id, ifUnchangedSince)
    const profiles = await tx<{ profileId: number }[]>`
      delete from data_source where template_id = ${id} returning theme_profile_id as "profileId"`
    await tx`delete from data_source_template where id = ${id}`
    await touchTheme(tx, themeId)
    await tx`select pg_notify('catalog', ${JSON.stringify({ theme: themeId })})`
    return {
      result: undefined,
      events: [{ type: 'dataSourceTemplate.deleted', themeId, templateId: id, alias }],
      outbox: profiles.map(({ profileId }) => ({
        kind: 'reaction' as const,
        payload: { event: 'dataSourceTemplate.deleted', ref: `data-source/${profileId}` },
      })),
    }
  })
}

async function findTheme(ctx: Context, themeId: number): Promise<void> {
  const [theme] = await ctx.db.sql`
    select 1 from theme where id = ${themeId} and organization_id = ${ctx.organizationId}`
  if (!theme) throw notFound()
}

async function lockTemplate(tx: TransactionSql, themeId: number, id: number, ifUnchangedSince: string | undefined) {
  const [row] = await tx<{ unchanged: boolean; updatedAt: string }[]>`
    select ${asRead(tx, ifUnchangedSince)} as unchanged, ${exactly(tx)} as "updatedAt" from data_source_template
    where id = ${id} and theme_id = ${themeId} for update`
  return checkTarget(row)
}

/** The options that say something; null when none does. Throws invalid for those that this kind of file or shape has no use for. */
function configOf(
  config: TemplateConfig | null | undefined,
  { sourceType, shape }: Pick<Template, 'sourceType' | 'shape'>,
): TemplateConfig | null {
  const said = Object.entries(config ?? {}).filter(([, value]) => value !== null && value !== undefined)
  const meant: Readonly<Record<string, boolean>> = {
    delimiter: sourceType === 'csv',
    sheet: sourceType === 'xlsx',
    cell: shape === 'cell',
    headerRow: shape !== 'cell',
    dataStartRow: shape !== 'cell',
  }
  const useless = said.filter(([name]) => meant[name] === false)
  if (useless.length > 0)
    throw invalid(
      Object.fromEntries(
        useless.map(([name]) => [
          `body.config.${name}`,
          { message: `not an option of ${sourceType} with the shape ${shape}` },
        ]),
      ),
    )
  return said.length > 0 ? Object.fromEntries(said) : null
}

/** The rows and schema made of a request's sample and schema: JSON texts, absent where the request brings neither. */
async function read(
  ctx: Context,
  { sourceType, shape, config }: Reading,
  { sample, schema }: Asked,
  file: Buffer | undefined,
): Promise<{ schema?: string; sample?: string }> {
  const sent = schema && JSON.stringify(schema)
  const owner = ctx.organizationId
  if (!file) return sent === undefined ? {} : told(() => ctx.parsing.run(owner, { kind: 'schema', schema: sent }))
  const at = sample === undefined ? 'sampleBase64' : 'sample'
  const refuse = (message: string) => invalid({ [`body.${at}`]: { message } })
  if (file.length > LIMITS.bytes) throw refuse(`more than ${LIMITS.bytes} bytes`)
  const job = { kind: 'sample', shape, options: config ?? {}, at, schema: sent } as const
  if (sourceType === 'xlsx') {
    if (sample !== undefined) throw refuse('a workbook is sent as `sampleBase64`')
    return told(() => ctx.parsing.run(owner, { ...job, workbook: file }))
  }
  const csv = sample ?? textOf(file)
  if (csv === undefined) throw refuse('neither UTF-8 nor UTF-16: save it as CSV UTF-8')
  return told(() => ctx.parsing.run(owner, { ...job, csv }))
}

/** The bytes of the sample of a request. */
function fileOf({ sample, sampleBase64 }: Asked): Buffer | undefined {
  if (sample !== undefined) return Buffer.from(sample)
  return sampleBase64 === undefined ? undefined : Buffer.from(sampleBase64, 'base64')
}

const jsonOf = (value: object | null) => value && JSON.stringify(value)

/** The command as asked, without the bytes of the sample. */
function journaled({ sample, sampleBase64, schema, ...rest }: TemplateUpdate | TemplateCreation) {
  const bytes = sample ?? sampleBase64
  return {
    ...rest,
    ...(schema && { schemaSha256: digestOf(JSON.stringify(schema)) }),
    ...(bytes !== undefined && { sampleSha256: digestOf(bytes) }),
  }
}

const digestOf = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
