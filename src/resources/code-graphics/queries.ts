import type { ISql } from 'postgres'
import type { z } from 'zod'
import { bundleAddress } from '../../catalog/bundle-address.ts'
import { kindOf } from '../../catalog/graphic-kind.ts'
import type { Context, ReadContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { exactly } from '../target.ts'
import { getTheme } from '../themes/queries.ts'
import type { CodeGraphic, CodeGraphicVersion, CodeGraphicVersionList, GraphicPath } from './schema.ts'

type Shape = z.output<typeof CodeGraphic>
type Row = Omit<Shape, 'bundleUrl'> & { bundleHash: string | null; entry: string | null }
type AddressContext = ReadContext & Pick<Context, 'publicUrl'>

/** Which claims on a graphic its lock shows: all, or those left when the write that reads it ends. */
type Claims = 'all' | 'lasting' | 'edit'

const columns = (sql: ISql, claims: Claims) => sql`
  g.id as "graphicId", d.id, g.name, g.kind as type, d.version, d.sports, d.state_machine as "stateMachine", d.assets,
  (select coalesce(array_agg(v.version order by v.version), '{}') from graphic_version v where v.graphic_id = g.id)
    as "publishedVersions",
  (select json_build_object('userName', l.held->'holder'->>'userName')
    from (select a.snapshot->'context' as held from actor a where a.ref = 'graphic-lock/' || g.id) l
    where l.held->'holder'->>'userName' is not null and (${claims === 'all'} or (l.held->>'edit')::boolean
      or (${claims === 'lasting'} and (l.held->>'upload')::boolean))) as lock,
  d.bundle_hash as "bundleHash", (select b.entry from bundle b where b.hash = d.bundle_hash) as entry,
  ${exactly(sql, 'd.updated_at')} as "updatedAt"`

const shapeOf =
  ({ publicUrl }: AddressContext) =>
  ({ bundleHash, entry, updatedAt, ...graphic }: Row): Shape => ({
    ...graphic,
    bundleUrl: bundleHash !== null && entry !== null ? `${publicUrl}${bundleAddress(bundleHash, entry)}` : null,
    ...(updatedAt !== undefined && { updatedAt }),
  })

/** The working copies of a theme's code graphics, in the order they were made. */
export async function listCodeGraphics(ctx: AddressContext, themeId: number): Promise<Shape[]> {
  const { sql } = ctx.db
  await getTheme(ctx, themeId)
  const rows = await sql<Row[]>`
    select ${columns(sql, 'all')} from graphic g join graphic_draft d on d.graphic_id = g.id
    where g.theme_id = ${themeId} and ${kindOf(sql)} = 'code' order by g.created_at, g.id`
  return rows.map(shapeOf(ctx))
}

/** Throws notFound for a theme or graphic that is not there, deleted, or not the organization's. */
export const getCodeGraphic = (ctx: AddressContext, themeId: number, graphicId: string): Promise<Shape> =>
  read(ctx, { themeId, graphicId }, ctx.db.sql, 'all')

/** The graphic as a write in this transaction leaves it; `ended` when it also ends the hold of an upload. */
export const getWrittenGraphic = (
  ctx: AddressContext,
  tx: ISql,
  path: GraphicPath,
  { ended }: { ended?: 'upload' } = {},
): Promise<Shape> => read(ctx, path, tx, ended ? 'edit' : 'lasting')

async function read(ctx: AddressContext, { themeId, graphicId }: GraphicPath, sql: ISql, claims: Claims) {
  const [row] = await sql<Row[]>`
    select ${columns(sql, claims)} from graphic g
    join graphic_draft d on d.graphic_id = g.id
    join theme t on t.id = g.theme_id
    where g.id = ${graphicId} and g.theme_id = ${themeId} and ${kindOf(sql)} = 'code' and t.organization_id = ${ctx.organizationId}`
  if (!row) throw notFound()
  return shapeOf(ctx)(row)
}

/** Throws notFound unless the organization has this graphic in this theme. */
export async function checkGraphic(
  ctx: ReadContext,
  { themeId, graphicId, kind = 'code' }: GraphicPath,
  sql: ISql = ctx.db.sql,
): Promise<void> {
  const [row] = await sql`
    select from graphic g join theme t on t.id = g.theme_id
    where g.id = ${graphicId} and g.theme_id = ${themeId} and ${kindOf(sql)} = ${kind} and g.deleted_at is null
      and t.organization_id = ${ctx.organizationId}`
  if (!row) throw notFound()
}

/** When a hold ends that nobody renews; undefined when nobody has the graphic. */
export async function findHoldEnd(ctx: ReadContext, graphicId: string): Promise<Date | undefined> {
  const [timer] = await ctx.db.sql<{ dueAt: Date }[]>`
    select due_at as "dueAt" from timer where ref = ${`graphic-lock/${graphicId}`}`
  return timer?.dueAt
}

type VersionRow = { version: number; publishedAt: Date; bundleHash: string; entry: string }

const versionOf = ({ publicUrl }: AddressContext, graphicId: string, row: VersionRow) => ({
  graphicId,
  version: row.version,
  publishedAt: row.publishedAt.toISOString(),
  bundleUrl: row.bundleHash ? `${publicUrl}${bundleAddress(row.bundleHash, row.entry)}` : null,
})

const versionColumns = (sql: ISql) => sql`
  v.version, v.published_at as "publishedAt", coalesce(v.bundle_hash, '') as "bundleHash", coalesce(b.entry, '') as entry`

/** The published versions of a graphic, ascending. */
export async function listGraphicVersions(
  ctx: AddressContext,
  path: GraphicPath,
): Promise<z.output<typeof CodeGraphicVersionList>> {
  await checkGraphic(ctx, path)
  const { sql } = ctx.db
  const rows = await sql<VersionRow[]>`
    select ${versionColumns(sql)} from graphic_version v left join bundle b on b.hash = v.bundle_hash
    where v.graphic_id = ${path.graphicId} order by v.version`
  return rows.map((row) => versionOf(ctx, path.graphicId, row))
}

type BundledFile = { name: string; mime: string; size: number; blob: string }

/** A published version with all that makes it. Throws notFound. */
export const getCodeGraphicVersion = async (
  ctx: AddressContext,
  path: GraphicPath & { version: number },
): Promise<z.output<typeof CodeGraphicVersion>> => ({ ...(await getGraphicVersion(ctx, path)), type: 'code' })

/** A published version of a graphic of either kind. Throws notFound. */
export async function getGraphicVersion(
  ctx: AddressContext,
  { version, ...path }: GraphicPath & { version: number },
): Promise<Omit<z.output<typeof CodeGraphicVersion>, 'type'>> {
  await checkGraphic(ctx, path)
  const { sql } = ctx.db
  const [row] = await sql<
    (VersionRow & Pick<Shape, 'name' | 'sports' | 'stateMachine'> & { files: BundledFile[] | null })[]
  >`
    select ${versionColumns(sql)}, g.name, v.sports, v.state_machine as "stateMachine", b.files
    from graphic_version v join graphic g on g.id = v.graphic_id left join bundle b on b.hash = v.bundle_hash
    where v.graphic_id = ${path.graphicId} and v.version = ${version}`
  if (!row) throw notFound()
  const { name, sports, stateMachine, files, bundleHash } = row
  return {
    ...versionOf(ctx, path.graphicId, row),
    name,
    sports,
    stateMachine,
    files: (files ?? []).map(({ name: of, mime, size, blob }) => ({
      name: of,
      mime,
      size,
      hash: blob,
      url: `${ctx.publicUrl}${bundleAddress(bundleHash, of)}`,
    })),
  }
}
