import type { ISql } from 'postgres'
import type { z } from 'zod'
import { bundleAddress } from '../../catalog/bundle-address.ts'
import type { Context, ReadContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { resolved } from '../../ograf/archive.ts'
import { type Manifest, stepCountOf } from '../../ograf/manifest.ts'
import { variablesOf } from '../../ograf/variables.ts'
import { getGraphicVersion, listGraphicVersions } from '../code-graphics/queries.ts'
import type { GraphicPath } from '../code-graphics/schema.ts'
import type { Asset } from '../code-graphics/working-copy.ts'
import { exactly } from '../target.ts'
import { getTheme } from '../themes/queries.ts'
import type { OgrafGraphic, OgrafVersion, OgrafVersionList } from './schema.ts'

/** What is stored beside the files: the manifest, its path among them, and what was odd about it. */
export type Stored = { path: string; manifest: Manifest; warnings: string[] }

type AddressContext = ReadContext & Pick<Context, 'publicUrl'>
type Shape = z.output<typeof OgrafGraphic>
type Row = Pick<
  Shape,
  'graphicId' | 'id' | 'name' | 'version' | 'sports' | 'publishedVersions' | 'lock' | 'updatedAt'
> & {
  ograf: Stored
  assets: Asset[]
  bundleHash: string
}

const columns = (sql: ISql, lasting: boolean) => sql`
  g.id as "graphicId", d.id, g.name, d.version, d.sports, d.ograf, d.assets, d.bundle_hash as "bundleHash",
  ${exactly(sql, 'd.updated_at')} as "updatedAt",
  (select coalesce(array_agg(v.version order by v.version), '{}') from graphic_version v where v.graphic_id = g.id)
    as "publishedVersions",
  (select json_build_object('userName', l.held->'holder'->>'userName')
    from (select a.snapshot->'context' as held from actor a where a.ref = 'graphic-lock/' || g.id) l
    where l.held->'holder'->>'userName' is not null and (${!lasting} or (l.held->>'edit')::boolean
      or (l.held->>'upload')::boolean)) as lock`

/** What the API tells of a manifest. */
function aboutOf(
  { publicUrl }: AddressContext,
  { path, manifest, warnings }: Stored,
  bundleHash: string,
  names: ReadonlySet<string>,
) {
  const thumbnails = (manifest.thumbnails ?? []).flatMap(({ file, resolution }) => {
    const name = resolved(path, file)
    if (!names.has(name)) return []
    const { width = null, height = null } = resolution ?? {}
    return [{ url: `${publicUrl}${bundleAddress(bundleHash, name)}`, width, height }]
  })
  return {
    ografId: manifest.id,
    type: 'ograf' as const,
    manifest: { ...manifest },
    manifestPath: path,
    stepCount: stepCountOf(manifest),
    controlVariables: variablesOf(manifest.schema).map((variable) => ({ ...variable, schema: { ...variable.schema } })),
    customActions: (manifest.customActions ?? []).map(({ id, name, description, schema = null }) => ({
      id,
      name,
      ...(description !== undefined && { description }),
      schema: schema === null ? null : { ...schema },
    })),
    thumbnails,
    warnings,
  }
}

function shapeOf(ctx: AddressContext, { ograf, assets, bundleHash, ...graphic }: Row): Shape {
  return {
    ...graphic,
    ...aboutOf(ctx, ograf, bundleHash, new Set(assets.map(({ name }) => name))),
    files: assets,
    manifestUrl: `${ctx.publicUrl}${bundleAddress(bundleHash, ograf.path)}`,
  }
}

/** The working copies of a theme's OGraf graphics, in the order they were made. */
export async function listOgrafGraphics(ctx: AddressContext, themeId: number): Promise<Shape[]> {
  const { sql } = ctx.db
  await getTheme(ctx, themeId)
  const rows = await sql<Row[]>`
    select ${columns(sql, false)} from graphic g join graphic_draft d on d.graphic_id = g.id
    where g.theme_id = ${themeId} and g.ograf_id is not null order by g.created_at, g.id`
  return rows.map((row) => shapeOf(ctx, row))
}

/** Throws notFound for a theme or graphic that is not there, deleted, or not the organization's. */
export const getOgrafGraphic = (ctx: AddressContext, path: GraphicPath) => read(ctx, path, ctx.db.sql, false)

/** The graphic as a write in this transaction leaves it. */
export const getWrittenOgrafGraphic = (ctx: AddressContext, tx: ISql, path: GraphicPath) => read(ctx, path, tx, true)

async function read(
  ctx: AddressContext,
  { themeId, graphicId }: GraphicPath,
  sql: ISql,
  lasting: boolean,
): Promise<Shape> {
  const [row] = await sql<Row[]>`
    select ${columns(sql, lasting)} from graphic g
    join graphic_draft d on d.graphic_id = g.id
    join theme t on t.id = g.theme_id
    where g.id = ${graphicId} and g.theme_id = ${themeId} and g.ograf_id is not null
      and t.organization_id = ${ctx.organizationId}`
  if (!row) throw notFound()
  return shapeOf(ctx, row)
}

/** The published versions of an OGraf graphic, ascending. Throws notFound. */
export async function listOgrafVersions(
  ctx: AddressContext,
  path: GraphicPath,
): Promise<z.output<typeof OgrafVersionList>> {
  const versions = await listGraphicVersions(ctx, path)
  return versions.map(({ bundleUrl, ...version }) => ({ ...version, manifestUrl: bundleUrl ?? '' }))
}

/** A published version with all that makes it. Throws notFound. */
export async function getOgrafVersion(
  ctx: AddressContext,
  path: GraphicPath & { version: number },
): Promise<z.output<typeof OgrafVersion>> {
  const { bundleUrl, stateMachine: _, ...version } = await getGraphicVersion(ctx, path)
  const [row] = await ctx.db.sql<{ ograf: Stored; bundleHash: string }[]>`
    select ograf, bundle_hash as "bundleHash" from graphic_version
    where graphic_id = ${path.graphicId} and version = ${path.version}`
  if (!row || bundleUrl === null) throw notFound()
  return {
    ...version,
    ...aboutOf(ctx, row.ograf, row.bundleHash, new Set(version.files.map(({ name }) => name))),
    manifestUrl: bundleUrl,
  }
}
