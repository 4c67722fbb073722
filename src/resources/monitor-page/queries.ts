import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { listPresets, listSections } from '../control-rooms/queries.ts'
import { latestAsRun } from '../overlays/as-run.queries.ts'
import { getOverlay } from '../overlays/queries.ts'
import { linkedOverlay } from '../ownership.ts'
import { monitorStream } from '../streams/monitoring.queries.ts'
import type { MonitoredAsRun, MonitoredObs, MonitoredRoom, MonitoredStreams } from './schema.ts'

/** Streams that anybody would run for one match, and more. */
const STREAMS = 20
const ROWS = 30

/** Names of presets and sections of the overlay's control room. */
export async function monitoredRoom(ctx: Context): Promise<z.output<typeof MonitoredRoom>> {
  const { controlRoomId } = await getOverlay(ctx, linkedOverlay(ctx))
  if (controlRoomId === null) return { sections: [], presets: [], demanding: [] }
  const [sections, presets, demanding] = await Promise.all([
    listSections(ctx, controlRoomId),
    listPresets(ctx, controlRoomId),
    demandingGraphics(ctx),
  ])
  return { sections, presets: presets.map(({ id, name, sectionId }) => ({ id, name, sectionId })), demanding }
}

/** Those that ask for something of a renderer. */
async function demandingGraphics(ctx: Context) {
  const themeId = (await ctx.catalog.overlay(linkedOverlay(ctx)))?.themeId ?? null
  const active = themeId === null ? [] : (await ctx.catalog.active(themeId)).values()
  return [...active].flatMap(({ graphicId, graphicName, requirements }) =>
    requirements ? [{ graphicId, graphicName, requirements: [...requirements] }] : [],
  )
}

/** Whether OBS is told of new theme versions, and how that went; an error names no address to outsiders. */
export async function monitoredObs(ctx: Context): Promise<z.output<typeof MonitoredObs>> {
  const { obsUrl, obsRefresh } = await getOverlay(ctx, linkedOverlay(ctx))
  if (obsUrl === null) return { configured: false, refresh: null }
  const { host, hostname } = new URL(obsUrl)
  const error = obsRefresh?.error?.replaceAll(host, 'OBS').replaceAll(hostname, 'OBS') ?? null
  return { configured: true, refresh: obsRefresh && { ...obsRefresh, error } }
}

/** The streams of the overlay and its match, for people who watch over them. */
export async function monitoredStreams(ctx: Context): Promise<z.output<typeof MonitoredStreams>> {
  const overlayId = linkedOverlay(ctx)
  const rows = await ctx.db.sql<{ id: number; name: string; overlayId: number | null }[]>`
    select s.id, s.name, s.overlay_id as "overlayId"
    from overlay o join stream_settings s on s.match_id = o.match_id
    where o.id = ${overlayId} and s.organization_id = ${ctx.organizationId}
    order by s.overlay_id = ${overlayId} desc nulls last, s.id limit ${STREAMS}`
  const streams = rows.map(async ({ id, ...row }) => {
    const { events: _, problems: __, ...monitoring } = await monitorStream(ctx, id)
    return { ...row, ...monitoring }
  })
  return { streams: await Promise.all(streams) }
}

/** The last rows of the as-run log, without the commands as sent. */
export async function monitoredAsRun(ctx: Context): Promise<z.output<typeof MonitoredAsRun>> {
  const latest = await latestAsRun(ctx.db.sql, linkedOverlay(ctx), ROWS)
  return {
    asRun: latest.map(({ seq, at, action, graphicName, presetId, by: { type, name }, painted }) => {
      const latencies = painted.map(({ latencyMs }) => latencyMs)
      const firstMs = latencies.length > 0 ? Math.min(...latencies) : null
      const lastMs = latencies.length > 0 ? Math.max(...latencies) : null
      return {
        seq,
        at,
        action,
        graphicName,
        presetId,
        // the page is given to outsiders, who need no e-mail addresses
        by: { type, name: type === 'person' ? (name?.split('@')[0] ?? null) : name },
        painted: { renderers: latencies.length, firstMs, lastMs },
      }
    }),
  }
}
