import type { z } from 'zod'
import { instancesOf, type Listed } from '../../../machines/overlay/instances.ts'
import { type Overlay as OverlayState, staged } from '../../../machines/overlay/model.ts'
import type { OverlayCard } from '../../catalog/cards.ts'
import { apiVersion, changelog } from '../../changelog.ts'
import type { Context, ReadContext } from '../../context.ts'
import { invalid, notFound } from '../../errors.ts'
import { Raw } from '../../http/route.ts'
import { resolved } from '../../ograf/archive.ts'
import type { Stored } from '../ograf-graphics/queries.ts'
import {
  type GraphicInfo,
  type GraphicList,
  PICTURE,
  type RendererInfo,
  type RendererList,
  type RenderTargetInfo,
  type ServerInfo,
} from './schema.ts'

/** As many renderers are listed, the newest. */
const MOST_RENDERERS = 1_000

export const serverInfo = (): z.output<typeof ServerInfo> => ({
  name: 'Tally',
  description: 'Live sports graphics: a renderer is an overlay, its render target the picture',
  author: { name: 'Tally' },
  version: apiVersion(changelog),
})

type Row = {
  graphicId: string
  ograf: Stored
  bundleHash: string
  createdAt: Date
  updatedAt: Date
}

/** The graphics of the organization that an active theme version has, each id once: as it was published last. */
async function findGraphics({ organizationId, db: { sql } }: ReadContext, ografId?: string): Promise<Row[]> {
  const rows = await sql<Row[]>`
    select distinct on (g.ograf_id) g.id as "graphicId", v.ograf, v.bundle_hash as "bundleHash",
      g.created_at as "createdAt", v.published_at as "updatedAt"
    from theme t
    join theme_version_graphic p on p.theme_id = t.id and p.version = t.active_version
    join graphic g on g.id = p.graphic_id
    join graphic_version v on v.graphic_id = g.id and v.version = p.graphic_version
    where t.organization_id = ${organizationId} and g.deleted_at is null and v.ograf is not null
      and g.ograf_id ${ografId === undefined ? sql`is not null` : sql`= ${ografId}`}
    order by g.ograf_id, v.published_at desc, t.id desc`
  return [...rows]
}

export async function listGraphics(ctx: ReadContext): Promise<z.output<typeof GraphicList>> {
  const graphics = (await findGraphics(ctx)).map(({ ograf: { manifest } }) => aboutOf(manifest))
  return { graphics: graphics.sort((one, other) => one.name.localeCompare(other.name, 'en')) }
}

const aboutOf = ({ id, name, description }: Stored['manifest']) => ({
  id,
  name,
  ...(description !== undefined && { description }),
})

export const noGraphic = (graphicId: string) => notFound(`There is no graphic ${JSON.stringify(graphicId)}`)

/** Throws notFound. */
export async function getGraphic(ctx: ReadContext, graphicId: string): Promise<z.output<typeof GraphicInfo>> {
  const [row] = await findGraphics(ctx, graphicId)
  if (!row) throw noGraphic(graphicId)
  const { manifest } = row.ograf
  return {
    graphic: { ...manifest },
    manifest: { ...manifest },
    metadata: {
      createdAt: row.createdAt.toISOString(),
      ...(manifest.author && { createdBy: { ...manifest.author } }),
      updatedAt: row.updatedAt.toISOString(),
    },
  }
}

export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/svg+xml', 'image/avif']

/** The largest picture that the manifest names. Throws notFound when it names none. */
export async function getThumbnail(ctx: ReadContext & Pick<Context, 'archives'>, graphicId: string): Promise<Raw> {
  const [row] = await findGraphics(ctx, graphicId)
  if (!row) throw noGraphic(graphicId)
  const { path, manifest } = row.ograf
  const widthOf = ({ resolution }: { resolution?: { width?: number } }) => resolution?.width ?? 0
  const wanted = [...(manifest.thumbnails ?? [])].sort((one, other) => widthOf(other) - widthOf(one))
  const [bundle] = await ctx.db.sql<{ files: { name: string; mime: string; blob: string }[] }[]>`
    select files from bundle where hash = ${row.bundleHash}`
  for (const { file } of wanted) {
    const found = bundle?.files.find(({ name }) => name === resolved(path, file))
    if (!found || !PICTURE_TYPES.includes(found.mime)) continue
    const bytes = await ctx.archives?.read(found.blob)
    if (bytes)
      return new Raw(found.mime, bytes, {
        ETag: `"${found.blob}"`,
        'Cache-Control': 'private, no-cache',
        'X-Content-Type-Options': 'nosniff',
        // a drawing may hold a script, which nobody runs here
        'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      })
  }
  throw notFound(`The graphic ${JSON.stringify(graphicId)} has no thumbnail`)
}

/** The overlay that is the renderer. Throws notFound, also for one of another organization: of the draft's statuses no other says so. */
export async function rendererOf(
  ctx: Pick<Context, 'organizationId' | 'catalog'>,
  rendererId: string,
): Promise<OverlayCard> {
  const overlay = /^[1-9]\d{0,8}$/.test(rendererId) ? await ctx.catalog.overlay(Number(rendererId)) : undefined
  if (overlay?.organizationId !== ctx.organizationId)
    throw notFound(`There is no renderer ${JSON.stringify(rendererId)}`)
  return overlay
}

export async function listRenderers({ organizationId, db }: ReadContext): Promise<z.output<typeof RendererList>> {
  const rows = await db.sql<{ id: number; name: string; matchId: number }[]>`
    select id, name, match_id as "matchId" from overlay where organization_id = ${organizationId}
    order by id desc limit ${MOST_RENDERERS}`
  return { renderers: rows.map(rendererAbout) }
}

const rendererAbout = ({ id, name, matchId }: { id: number; name: string; matchId: number }) => ({
  id: String(id),
  name,
  description: `The overlay ${id} of the match ${matchId}`,
})

/** What the renderer does as a whole: what the control room has for all that is on air. */
export const RENDERER_ACTIONS = [
  { id: 'hideAll', name: 'Hide all', description: 'Takes everything off air, graphics of the control room too' },
] as const

const TARGET_SCHEMA = {
  type: 'object',
  properties: {
    target: {
      type: 'string',
      title: 'Picture',
      enum: [PICTURE.target],
      gddType: 'select',
      gddOptions: { labels: { [PICTURE.target]: 'Picture' } },
      default: PICTURE.target,
    },
  },
  required: ['target'],
}

/** Throws notFound. */
export async function getRenderer(ctx: Context, rendererId: string): Promise<z.output<typeof RendererInfo>> {
  const overlay = await rendererOf(ctx, rendererId)
  const [row] = await ctx.db.sql<{ id: number; name: string; matchId: number }[]>`
    select id, name, match_id as "matchId" from overlay where id = ${overlay.id}`
  if (!row) throw notFound()
  return {
    renderer: {
      ...rendererAbout(row),
      // without a schema: the reference controller compares what it reads, and fails at a null
      customActions: RENDERER_ACTIONS.map((action) => ({ ...action })),
      renderCharacteristics: { resolution: { width: 1920, height: 1080 } },
      renderTargetSchema: TARGET_SCHEMA,
      status: statusOf(ctx.renderers?.(overlay.id) ?? 0),
      renderTargets: [await targetInfo(ctx, overlay)],
    },
  }
}

const statusOf = (connected: number): z.output<typeof RendererInfo>['renderer']['status'] =>
  connected > 0
    ? { status: 'OK', message: `${connected} browser source${connected === 1 ? '' : 's'} connected` }
    : { status: 'WARNING', message: 'No browser source is connected: commands take effect when one comes' }

/** Whether a render target is the picture: it says nothing else. */
export const isPicture = (target: unknown): boolean =>
  target === PICTURE.target ||
  (typeof target === 'object' &&
    target !== null &&
    !Array.isArray(target) &&
    Object.entries(target).every(([member, value]) => member === 'target' && value === PICTURE.target))

export function checkTarget(target: unknown): void {
  if (!isPicture(target))
    throw notFound(`There is no render target ${JSON.stringify(target)}: the only one is ${JSON.stringify(PICTURE)}`)
}

/** Throws notFound, and invalid for a target that is no JSON. */
export async function getTarget(
  ctx: Context,
  rendererId: string,
  renderTarget: string,
): Promise<z.output<typeof RenderTargetInfo>> {
  const overlay = await rendererOf(ctx, rendererId)
  let target: unknown
  try {
    target = JSON.parse(renderTarget)
  } catch {
    if (renderTarget !== PICTURE.target)
      throw invalid({ 'query.renderTarget': { message: 'expected a render target as JSON', value: renderTarget } })
    target = renderTarget
  }
  checkTarget(target)
  return targetInfo(ctx, overlay)
}

async function targetInfo(ctx: Context, overlay: OverlayCard): Promise<z.output<typeof RenderTargetInfo>> {
  const state = (await ctx.actors.read('overlay', overlay.id))?.context
  return {
    renderTarget: { ...PICTURE },
    name: 'Picture',
    description: 'What the browser sources of the overlay show, 1920×1080',
    graphicInstances: state
      ? (await namedInstances(ctx, state)).map(({ id, ografId, graphic, onAir }) => ({
          graphicInstanceId: id,
          graphic: { id: ografId, name: graphic.graphicName },
          status: onAir ? ('playing' as const) : ('loaded' as const),
          ...stepOf(onAir),
        }))
      : [],
  }
}

/** Where one on air stands; of one without steps, nowhere. */
export const stepOf = (onAir: Listed['onAir']): { currentStep?: number } =>
  onAir?.ograf && onAir.ograf.stepCount !== 0 ? { currentStep: onAir.ograf.step } : {}

/** Of a version that is gone the id of the manifest is gone, too. */
export async function namedInstances(
  { catalog }: Pick<Context, 'catalog'>,
  state: OverlayState,
): Promise<(Listed & { ografId: string })[]> {
  return Promise.all(
    instancesOf(staged(state)).map(async (listed) => {
      const { graphicId, themeId, themeVersion } = listed.graphic
      const pinned = (await catalog.pinned(themeId, themeVersion)).get(graphicId)
      return { ...listed, ografId: pinned?.ograf?.id ?? graphicId }
    }),
  )
}
