import type { ISql } from 'postgres'
import type { z } from 'zod'
import { type OnAir, type Overlay as OverlayState, staged } from '../../../machines/overlay/model.ts'
import { toldSchedule } from '../../../machines/overlay/told.ts'
import type { Context } from '../../context.ts'
import type { RowSecrets } from '../../secrets/secrets.ts'
import { checkOwn } from '../ownership.ts'
import type { GraphicsAnswer } from './graphics.schema.ts'
import type { ManualGraphicState, Overlay, OverlayFilter, OverlayV2 } from './schema.ts'

type Row = {
  id: number
  organizationId: number
  key: string
  secrets: string
  name: string
  matchId: number
  encodingDelay: number
  autoMode: boolean
  adType: z.output<typeof Overlay>['adType']
  competitionThemeSettingId: number | null
  controlRoomId: number | null
  themeId: number | null
  activeThemeVersion: number | null
  graphics: OverlayState['graphics'] | null
  preview: OverlayState['graphics'] | null
  schedule: NonNullable<OverlayState['schedule']> | null
  rehearsal: OverlayState['rehearsal'] | null
  obsUrl: string | null
  obsRefresh: z.output<typeof Overlay>['obsRefresh']
  createdAt: Date
  updatedAt: Date
}

/** The pages of an overlay, each behind a token of its own. */
export const overlayUrls = (
  publicUrl: string,
  { key, control, monitoring }: { key: string } & RowSecrets['overlay'],
) => ({
  controlRoomUrl: `${publicUrl}/control/${control}`,
  productionUrl: `${publicUrl}/overlay/${key}`,
  monitoringUrl: `${publicUrl}/monitor/${monitoring}`,
})

/** The graphics on air or on preview, as the API shows them: keyed by graphic name. */
export function manualGraphicState(graphics: Readonly<Record<string, OnAir>>): z.output<typeof ManualGraphicState> {
  const state: z.output<typeof ManualGraphicState> = {}
  for (const id in graphics) {
    const graphic = graphics[id]
    if (!graphic) continue
    const { graphicName, presetId, values, ograf } = graphic
    state[graphicName] = {
      _service_presetId: presetId,
      variableValues: values,
      ...(ograf && { step: ograf.step }),
    }
  }
  return state
}

/** The whole state of an overlay after a command. */
export const graphicsAnswer = (
  overlayId: number,
  state: OverlayState,
  warnings: readonly string[] = [],
): z.output<typeof GraphicsAnswer> => ({
  overlayId,
  manualGraphicState: manualGraphicState(staged(state).graphics),
  previewState: manualGraphicState(state.preview ?? NOTHING),
  scheduled: toldSchedule(state.schedule),
  ...(warnings.length > 0 && { warnings: [...warnings] }),
})

const NOTHING = {}

// the state comes from the actor's row, which holds the result of every acknowledged command
const columns = (sql: ISql) => sql`
  o.id, o.organization_id as "organizationId", o.key, o.secrets, o.name, o.match_id as "matchId",
  o.encoding_delay_seconds as "encodingDelay", o.auto_mode as "autoMode", o.ad_type as "adType",
  o.theme_profile_id as "competitionThemeSettingId", o.control_room_id as "controlRoomId", t.id as "themeId",
  t.active_version as "activeThemeVersion", a.snapshot->'context'->'graphics' as graphics,
  a.snapshot->'context'->'preview' as preview, a.snapshot->'context'->'schedule' as schedule,
  a.snapshot->'context'->'rehearsal' as rehearsal, o.obs_url as "obsUrl", o.obs_refresh as "obsRefresh",
  o.created_at as "createdAt", o.updated_at as "updatedAt"`

const joins = (sql: ISql) => sql`
  left join control_room r on r.id = o.control_room_id
  left join theme_profile p on p.id = o.theme_profile_id
  left join theme t on t.id = coalesce(r.theme_id, p.theme_id)
  left join actor a on a.ref = 'overlay/' || o.id`

/** Readers may not get to command by an address: that of the control room goes to callers that may write. */
function opened({ publicUrl, scopes, db }: Context, { id, key, secrets }: Row) {
  const { obsPassword, ...tokens } = db.secrets.open('overlay', id, secrets)
  const { controlRoomUrl, ...urls } = overlayUrls(publicUrl, { key, ...tokens })
  return {
    ...urls,
    ...(scopes.has('overlays:write') && { controlRoomUrl }),
    obsPasswordSet: obsPassword !== undefined,
  }
}

const overlayOf = (ctx: Context, row: Row): z.output<typeof Overlay> => ({
  id: row.id,
  key: row.key,
  name: row.name,
  matchId: row.matchId,
  encodingDelay: row.encodingDelay,
  autoMode: row.autoMode,
  adType: row.adType,
  competitionThemeSettingId: row.competitionThemeSettingId,
  controlRoomId: row.controlRoomId,
  ...opened(ctx, row),
  active: (ctx.renderers?.(row.id) ?? 0) > 0,
  manualGraphicState: manualGraphicState(row.rehearsal?.graphics ?? row.graphics ?? {}),
  previewState: manualGraphicState(row.preview ?? {}),
  scheduled: toldSchedule(row.schedule ?? undefined),
  rehearsal: row.rehearsal !== null,
  obsUrl: row.obsUrl,
  obsRefresh: row.obsRefresh,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

const overlayV2Of = (ctx: Context, row: Row): z.output<typeof OverlayV2> => ({
  ...overlayOf(ctx, row),
  themeId: row.themeId,
  activeThemeVersion: row.activeThemeVersion,
})

async function getRow(ctx: Context, sql: ISql, overlayId: number): Promise<Row> {
  const [row] = await sql<Row[]>`select ${columns(sql)} from overlay o ${joins(sql)} where o.id = ${overlayId}`
  checkOwn(ctx, row)
  return row
}

/** Throws notFound, or forbidden when it is another organization's. A command gives its transaction. */
export const getOverlay = async (ctx: Context, overlayId: number, sql: ISql = ctx.db.sql) =>
  overlayOf(ctx, await getRow(ctx, sql, overlayId))
/** As `getOverlay`, with the theme it renders. */
export const getOverlayV2 = async (ctx: Context, overlayId: number, sql: ISql = ctx.db.sql) =>
  overlayV2Of(ctx, await getRow(ctx, sql, overlayId))

async function list<T>(ctx: Context, filter: z.output<typeof OverlayFilter>, map: (ctx: Context, row: Row) => T) {
  const { sql } = ctx.db
  const scope = sql`o.organization_id = ${ctx.organizationId}
    ${filter.matchId === undefined ? sql`` : sql`and o.match_id = ${filter.matchId}`}`
  const [rows, [counted]] = await Promise.all([
    sql<Row[]>`select ${columns(sql)} from overlay o ${joins(sql)} where ${scope}
      order by o.id limit ${filter.limit} offset ${filter.offset}`,
    sql<{ total: number }[]>`select count(*)::int as total from overlay o where ${scope}`,
  ])
  return { overlays: rows.map((row) => map(ctx, row)), total: counted?.total ?? 0, returned: rows.length }
}

/** The organization's overlays by id. */
export const listOverlays = (ctx: Context, filter: z.output<typeof OverlayFilter>) => list(ctx, filter, overlayOf)
export const listOverlaysV2 = (ctx: Context, filter: z.output<typeof OverlayFilter>) => list(ctx, filter, overlayV2Of)

/** As `getOverlay` and `getOverlayV2`, of any state that its actor may come to: what a command answers. */
export async function overlayWith(ctx: Context, overlayId: number) {
  const row = await getRow(ctx, ctx.db.sql, overlayId)
  const after = ({ graphics, preview, schedule, rehearsal }: OverlayState): Row => ({
    ...{ ...row, graphics, preview: preview ?? null, schedule: schedule ?? null, rehearsal: rehearsal ?? null },
  })
  return {
    settings: row,
    told: (state: OverlayState) => overlayOf(ctx, after(state)),
    toldV2: (state: OverlayState) => overlayV2Of(ctx, after(state)),
  }
}

/** The overlays of these matches, for the `o` include of match reads. */
export async function overlaysOfMatches(ctx: Context, matchIds: readonly number[]) {
  const { sql } = ctx.db
  const rows = await sql<Row[]>`select ${columns(sql)} from overlay o ${joins(sql)}
    where o.organization_id = ${ctx.organizationId} and o.match_id = any(${[...matchIds]}) order by o.id`
  return rows.map((row) => overlayOf(ctx, row))
}

/** The overlays that use a control room, with their monitoring page. */
export async function overlaysOfRoom(ctx: Context, roomId: number) {
  const rows = await ctx.db.sql<{ id: number; name: string; matchId: number; secrets: string }[]>`
    select id, name, match_id as "matchId", secrets from overlay
    where organization_id = ${ctx.organizationId} and control_room_id = ${roomId} order by id`
  return rows.map(({ id, name, matchId, secrets }) => ({
    id,
    name,
    matchId,
    monitoringUrl: `${ctx.publicUrl}/monitor/${ctx.db.secrets.open('overlay', id, secrets).monitoring}`,
  }))
}
