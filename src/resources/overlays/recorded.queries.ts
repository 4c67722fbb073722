import type { ISql } from 'postgres'
import type { z } from 'zod'
import type { ReadContext } from '../../context.ts'
import { owned, ownRecords } from '../ownership.ts'
import type { AdType } from './schema.ts'

/** An overlay that is or was: its journal outlives the record. */
export type RecordedOverlay = { id: number; matchId: number; name: string; removed: boolean }

/** An own overlay, also one that was deleted. Throws notFound, or forbidden when it is another organization's. */
export async function getRecordedOverlay(ctx: ReadContext, overlayId: number): Promise<RecordedOverlay> {
  const { sql } = ctx.db
  const [row] = await sql<(RecordedOverlay & { organizationId: number })[]>`
    select id, match_id as "matchId", name, false as removed, organization_id as "organizationId" from overlay
    where id = ${overlayId}
    union all
    select id, match_id, name, true, organization_id from removed_overlay where id = ${overlayId}`
  return owned(ctx, row)
}

/** The overlays that an own match has and had, by id. Throws notFound, or forbidden when it is another organization's. */
export async function listRecordedOverlays(ctx: ReadContext, matchId: number): Promise<RecordedOverlay[]> {
  const { sql } = ctx.db
  await ownRecords(ctx, sql, 'match', [matchId])
  const rows = await sql<RecordedOverlay[]>`
    select id, match_id as "matchId", name, false as removed from overlay where match_id = ${matchId}
    union all
    select id, match_id, name, true from removed_overlay where match_id = ${matchId}
    order by id`
  return [...rows]
}

/** The overlays that matches of an own competition have and had, by id. Throws notFound, or forbidden when it is another organization's. */
export async function listCompetitionOverlays(ctx: ReadContext, competitionId: number): Promise<RecordedOverlay[]> {
  const { sql } = ctx.db
  await ownRecords(ctx, sql, 'competition', [competitionId])
  const rows = await sql<RecordedOverlay[]>`
    select o.id, o.match_id as "matchId", o.name, false as removed from overlay o
    join match m on m.id = o.match_id where m.competition_id = ${competitionId}
    union all
    select o.id, o.match_id, o.name, true from removed_overlay o
    join match m on m.id = o.match_id where m.competition_id = ${competitionId}
    order by id`
  return [...rows]
}

type Ads = z.output<typeof AdType> | null

/** The settings of an overlay that a proof needs, and from when to when (ms since 1970, `to` excluded) they held. */
export type SettingsSpan = { overlayId: number; from: number; to: number; adType: Ads; encodingDelaySeconds: number }

type Said = { adType?: Ads; encodingDelay?: number }
type Row = { overlayId: number; at: number; type: string; asked: Said | null }
type Now = { overlayId: number; adType: Ads; encodingDelaySeconds: number }

/**
 * The settings of overlays over time, from the journal of their records, each from the beginning to for ever. Settings stored
 * now stand for those that the rows do not say, since retention took their beginning.
 */
export async function settingsOf(sql: ISql, overlayIds: readonly number[]): Promise<Map<number, SettingsSpan[]>> {
  const ids = [...overlayIds]
  const [stored, rows] = await Promise.all([
    sql<Now[]>`
      select id as "overlayId", ad_type as "adType", encoding_delay_seconds as "encodingDelaySeconds" from overlay
      where id = any(${ids})
      union all
      select id, ad_type, encoding_delay_seconds from removed_overlay where id = any(${ids})`,
    sql<Row[]>`
      select split_part(ref, '/', 2)::int as "overlayId", extract(epoch from at)::float8 * 1000 as at,
        command->>'type' as type, command->'asked' as asked
      from journal where ref = any(${ids.map((id) => `overlay-settings/${id}`)}::text[])
        and command->>'type' in ('create', 'update')
      order by at, seq`,
  ])
  return new Map(
    stored.map((now) => [
      now.overlayId,
      spansOf(
        now,
        rows.filter((row) => row.overlayId === now.overlayId),
      ),
    ]),
  )
}

function spansOf(now: Now, rows: readonly Row[]): SettingsSpan[] {
  const { overlayId } = now
  let { adType, encodingDelaySeconds } = rows[0]?.type === 'create' ? { adType: null, encodingDelaySeconds: 0 } : now
  const spans: SettingsSpan[] = []
  for (const { at, asked } of rows) {
    adType = asked?.adType ?? adType
    encodingDelaySeconds = asked?.encodingDelay ?? encodingDelaySeconds
    const last = spans.at(-1)
    if (last?.adType === adType && last.encodingDelaySeconds === encodingDelaySeconds) continue
    if (last) last.to = at
    spans.push({ overlayId, from: last ? at : 0, to: Number.POSITIVE_INFINITY, adType, encodingDelaySeconds })
  }
  return spans.length > 0 ? spans : [{ ...now, from: 0, to: Number.POSITIVE_INFINITY }]
}

/** The settings at a moment (ms since 1970). */
export const settingsAt = (spans: readonly SettingsSpan[], at: number): SettingsSpan | undefined =>
  spans.find(({ from, to }) => from <= at && at < to)
