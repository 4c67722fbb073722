import type { ISql } from 'postgres'
import type { z } from 'zod'
import type { Overlay as OverlayState } from '../../../machines/overlay/model.ts'
import { toldRundown } from '../../../machines/overlay/told.ts'
import type { OverlayCard } from '../../catalog/cards.ts'
import type { Context } from '../../context.ts'
import { ApiError, type FieldErrors, notFound } from '../../errors.ts'
import { decideChange } from '../overlays/graphic-change.ts'
import { checkOwn } from '../ownership.ts'
import { exactly } from '../target.ts'
import type { Rundown, StoredItem } from './schema.ts'

export const NO_STATE: OverlayState = { graphics: {}, revisions: {} }

type Row = { items: StoredItem[]; rundown: NonNullable<OverlayState['rundown']> | null; updatedAt: string }

/** The items of an overlay in order. */
export async function rundownItems(sql: ISql, overlayId: number): Promise<StoredItem[]> {
  const [row] = await sql<{ items: StoredItem[] }[]>`select items from rundown where overlay_id = ${overlayId}`
  return row?.items ?? []
}

/** The overlay, when it is the caller's. Throws notFound and forbidden. */
export async function ownOverlay(ctx: Context, overlayId: number): Promise<OverlayCard> {
  const overlay = await ctx.catalog.overlay(overlayId)
  checkOwn(ctx, overlay)
  return overlay
}

/** The rundown of an overlay; one that was never written has no items. Throws notFound and forbidden. */
export async function getRundown(
  ctx: Context,
  overlayId: number,
  sql: ISql = ctx.db.sql,
): Promise<z.output<typeof Rundown>> {
  const overlay = await ownOverlay(ctx, overlayId)
  const [row] = await sql<Row[]>`
    select coalesce(r.items, '[]'::json) as items, a.snapshot->'context'->'rundown' as rundown,
      coalesce(${exactly(sql, 'r.updated_at')}, ${exactly(sql, 'o.created_at')}) as "updatedAt"
    from overlay o
    left join rundown r on r.overlay_id = o.id
    left join actor a on a.ref = 'overlay/' || o.id
    where o.id = ${overlayId}`
  if (!row) throw notFound()
  const items = []
  for (const item of row.items) {
    const [first] = Object.values(await faultsOf({ ctx, overlay, state: NO_STATE }, item))
    items.push({ ...item, problem: first ?? null })
  }
  return { overlayId, items, position: toldRundown(row.rundown ?? undefined), updatedAt: row.updatedAt }
}

type Under = { ctx: Context; overlay: OverlayCard; state: OverlayState }

/** How an item comes on preview: with the values that were written, whoever presses. */
export const cueOf = (under: Under, { presetId, variableValues, durationSeconds }: Omit<StoredItem, 'id'>) =>
  decideChange({
    ...under,
    command: {
      action: 'cue',
      presetId,
      ...(variableValues && { variableValues }),
      ...(durationSeconds !== undefined && { durationSeconds }),
    },
    isPrepared: true,
  })

/** What speaks against an item now, by its field; empty: it can be shown. */
export async function faultsOf(under: Under, item: Omit<StoredItem, 'id'>): Promise<Record<string, string>> {
  try {
    await cueOf(under, item)
    return {}
  } catch (error) {
    return refusalsOf(error)
  }
}

/** The reasons of a refusal by the field of the item. Throws what is none. */
export function refusalsOf(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError) || error.status >= 500) throw error
  const details = Object.entries((error.body.details ?? {}) as FieldErrors)
  if (details.length === 0) return { presetId: error.message }
  return Object.fromEntries(details.map(([path, { message }]) => [path.replace(/^body\./, ''), message]))
}
