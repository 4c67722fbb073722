import type { ISql } from 'postgres'
import type { z } from 'zod'
import { bundleAddress } from '../../catalog/bundle-address.ts'
import type { Context, ReadContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { getGraphicVersion, listGraphicVersions } from '../code-graphics/queries.ts'
import type { GraphicPath } from '../code-graphics/schema.ts'
import { type Asset, bundleHashOf } from '../code-graphics/working-copy.ts'
import { exactly } from '../target.ts'
import { getTheme } from '../themes/queries.ts'
import type { FileMetadata } from './imports.schema.ts'
import type { MotionGraphic, MotionGraphicList, MotionGraphicVersion, MotionGraphicVersionList } from './schema.ts'
import { MOTION_FILE, type Motion, motionOf, originalFiles, originalName, type Source, sourceOf } from './sources.ts'
import { StoredStateMachine } from './state-machine.schema.ts'

type AddressContext = ReadContext & Pick<Context, 'publicUrl'>
type Listed = z.output<typeof MotionGraphicList>[number]
type Held = { holder: string | null; dueAt: Date | null }

const columns = (sql: ISql) => sql`
  g.id as "graphicId", g.name, d.sports, ${exactly(sql, 'd.updated_at')} as "updatedAt",
  (select coalesce(array_agg(v.version order by v.version), '{}') from graphic_version v where v.graphic_id = g.id)
    as "publishedVersions"`

/** What a lock shows: all claims on the graphic, or those left when the write that reads it ends. */
const lockColumns = (sql: ISql, lasting: boolean) => sql`
  (select l.held->'holder'->>'userName' from (select a.snapshot->'context' as held from actor a
    where a.ref = 'graphic-lock/' || g.id) l
    where ${!lasting} or (l.held->>'edit')::boolean or (l.held->>'upload')::boolean) as holder,
  (select min(t.due_at) from timer t where t.ref = 'graphic-lock/' || g.id) as "dueAt"`

const lockOf = ({ holder, dueAt }: Held): Listed['lock'] =>
  holder === null || dueAt === null ? { holder: null, expiresAt: null } : { holder, expiresAt: dueAt.toISOString() }

/** The working copies of a theme's motion graphics, in the order they were made. spec: Motion graphics 22 */
export async function listMotionGraphics(ctx: ReadContext, themeId: number): Promise<Listed[]> {
  const { sql } = ctx.db
  await getTheme(ctx, themeId)
  const rows = await sql<(Omit<Listed, 'lock'> & Held)[]>`
    select ${columns(sql)}, ${lockColumns(sql, false)} from graphic g join graphic_draft d on d.graphic_id = g.id
    where g.theme_id = ${themeId} and g.kind = 'rive' order by g.created_at, g.id`
  return rows.map(({ holder, dueAt, ...graphic }) => ({ ...graphic, lock: lockOf({ holder, dueAt }) }))
}

type Row = Omit<Listed, 'lock'> &
  Held & {
    id: number
    version: number
    stateMachine: unknown
    motion: unknown
    assets: Asset[]
    bundleHash: string | null
  }

/** Throws notFound for a theme or graphic that is not there, deleted, or not the organization's. */
export const getMotionGraphic = (ctx: AddressContext, path: GraphicPath) => read(ctx, path, ctx.db.sql, false)

/** The graphic as a write in this transaction leaves it. */
export const getWrittenMotionGraphic = (ctx: AddressContext, tx: ISql, path: GraphicPath) => read(ctx, path, tx, true)

async function read(
  ctx: AddressContext,
  { themeId, graphicId }: GraphicPath,
  sql: ISql,
  lasting: boolean,
): Promise<z.output<typeof MotionGraphic>> {
  const [row] = await sql<Row[]>`
    select ${columns(sql)}, ${lockColumns(sql, lasting)}, d.id, d.version, d.state_machine as "stateMachine", d.motion,
      d.assets, d.bundle_hash as "bundleHash"
    from graphic g
    join graphic_draft d on d.graphic_id = g.id
    join theme t on t.id = g.theme_id
    where g.id = ${graphicId} and g.theme_id = ${themeId} and g.kind = 'rive' and t.organization_id = ${ctx.organizationId}`
  if (!row) throw notFound()
  const { holder, dueAt, stateMachine, motion, assets, bundleHash, ...graphic } = row
  return {
    ...graphic,
    type: 'rive',
    lock: lockOf({ holder, dueAt }),
    stateMachine: { version: row.version, ...StoredStateMachine.parse(stateMachine) },
    artboards: (motionOf(motion).file?.artboards ?? []).map(({ name, width, height, stateMachines }) => ({
      name,
      width,
      height,
      stateMachines: stateMachines.map(({ name: of }) => of),
    })),
    files: assets,
    fileUrl: bundleHash === null ? null : `${ctx.publicUrl}${bundleAddress(bundleHash, MOTION_FILE)}`,
  }
}

/** The published versions of a motion graphic, ascending. Throws notFound. */
export async function listMotionGraphicVersions(
  ctx: AddressContext,
  path: GraphicPath,
): Promise<z.output<typeof MotionGraphicVersionList>> {
  const versions = await listGraphicVersions(ctx, path)
  return versions.map(({ bundleUrl, ...version }) => ({ ...version, fileUrl: bundleUrl }))
}

/** A published version with all that makes it. Throws notFound. */
export async function getMotionGraphicVersion(
  ctx: AddressContext,
  path: GraphicPath & { version: number },
): Promise<z.output<typeof MotionGraphicVersion>> {
  const { bundleUrl, stateMachine, ...version } = await getGraphicVersion(ctx, path)
  return {
    ...version,
    type: 'rive',
    fileUrl: bundleUrl,
    stateMachine: { version: path.version, ...StoredStateMachine.parse(stateMachine) },
  }
}

type Files = { motion: Motion; names: ReadonlySet<string>; stateMachine: StoredStateMachine }

/** Where a file of the working copy or of a version came from. Throws notFound. spec: Motion graphics 24 */
export async function getFileMetadata(
  ctx: AddressContext,
  path: GraphicPath,
  { version, assetId = MOTION_FILE }: { version: string; assetId?: string | undefined },
): Promise<z.output<typeof FileMetadata>> {
  const { motion, names, stateMachine } = await filesOf(ctx, path, version)
  const source = sourceOf(motion, assetId)
  const asset = stateMachine.assets.find(({ id }) => id === assetId)
  if (source)
    return {
      assetId,
      runtimeAvailable: assetId === MOTION_FILE ? names.has(MOTION_FILE) : asset?.unresolved !== true,
      originalAvailable: source.original !== null,
      sourceKind: source.sourceKind,
      originalFilename: source.originalFilename,
      selectedEntry: source.selectedEntry,
      archive: source.sourceKind === 'archive',
      editableSource: source.editableSource,
      originalUrl: originalUrl(ctx, source),
    }
  if (!asset) throw notFound()
  return {
    assetId,
    runtimeAvailable: asset.unresolved !== true,
    originalAvailable: false,
    // in the motion file itself, or in the archive that brought it
    sourceKind: asset.metadata?.storageKey === undefined ? 'embedded' : 'archive',
    originalFilename: asset.uniqueFileName,
    selectedEntry: '',
    archive: false,
    editableSource: false,
    originalUrl: null,
  }
}

function originalUrl({ publicUrl }: AddressContext, source: Source): string | null {
  if (!source.original) return null
  const name = originalName(source)
  return `${publicUrl}${bundleAddress(bundleHashOf(name, originalFiles(source, source.original)), name)}`
}

async function filesOf(ctx: ReadContext, { themeId, graphicId }: GraphicPath, version: string): Promise<Files> {
  const { sql } = ctx.db
  const table = version === 'working' ? sql`graphic_draft` : sql`graphic_version`
  // a version in a path has at most ten digits, which may be too many for the column
  const exact = version === 'working' ? sql`` : sql`and f.version = ${Number(version)}::bigint`
  const [row] = await sql<{ motion: unknown; stateMachine: unknown; names: string[] | null }[]>`
    select f.motion, f.state_machine as "stateMachine",
      (select array_agg(file->>'name') from bundle b, jsonb_array_elements(b.files) file where b.hash = f.bundle_hash) as names
    from graphic g join theme t on t.id = g.theme_id join ${table} f on f.graphic_id = g.id ${exact}
    where g.id = ${graphicId} and g.theme_id = ${themeId} and g.kind = 'rive' and g.deleted_at is null
      and t.organization_id = ${ctx.organizationId}`
  if (!row) throw notFound()
  return {
    motion: motionOf(row.motion),
    names: new Set(row.names),
    stateMachine: StoredStateMachine.parse(row.stateMachine),
  }
}

/** The lists of a working copy whose entities have ids. */
export type EntityList = 'controlVariables' | 'userExpressions' | 'dataBindings' | 'stateMachineInputs' | 'assets'

/** Throws notFound unless the working copy of the graphic has this entity. */
export async function checkEntity(
  ctx: ReadContext,
  { themeId, graphicId, id }: GraphicPath & { id: string },
  list: EntityList,
): Promise<void> {
  const { sql } = ctx.db
  const [row] = await sql`
    select from graphic g join graphic_draft d on d.graphic_id = g.id join theme t on t.id = g.theme_id
    where g.id = ${graphicId} and g.theme_id = ${themeId} and g.kind = 'rive' and t.organization_id = ${ctx.organizationId}
      and d.state_machine->${list} @> ${JSON.stringify([{ id }])}::text::jsonb`
  if (!row) throw notFound()
}
