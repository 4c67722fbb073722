import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import { asRead, checkTarget, thisWrite } from '../target.ts'
import { faultsOf, getRundown, NO_STATE, ownOverlay } from './queries.ts'
import type { Rundown, RundownItemAsked, RundownReplacement } from './schema.ts'

/** Replaces the whole list of an overlay, or nothing: `invalid` names every bad field. Throws targetChanged, notFound and forbidden. */
export async function replaceRundown(
  ctx: Context,
  overlayId: number,
  { items, ifUnchangedSince }: z.output<typeof RundownReplacement>,
): Promise<z.output<typeof Rundown>> {
  const overlay = await ownOverlay(ctx, overlayId)
  const details = await wrongItems(ctx, overlay, items)
  const command = {
    ref: `rundown/${overlayId}`,
    type: 'replaceRundown',
    asked: { items: items.length, ifUnchangedSince },
  }
  return ctx.db.write(ctx, command, async (tx) => {
    await tx`
      insert into rundown (overlay_id, items, updated_at)
      select id, '[]', created_at from overlay where id = ${overlayId} on conflict do nothing`
    const [stored] = await tx<{ unchanged: boolean }[]>`
      select ${asRead(tx, ifUnchangedSince)} as unchanged from rundown where overlay_id = ${overlayId} for update`
    checkTarget(stored)
    if (Object.keys(details).length > 0) throw invalid(details)
    const kept = items.map(({ id = randomUUID(), ...item }) => ({ id, ...item }))
    await tx`
      update rundown set items = ${JSON.stringify(kept)}::text::json, updated_at = ${thisWrite(tx)}
      where overlay_id = ${overlayId}`
    await tx`select pg_notify('rundown', ${JSON.stringify({ overlay: overlayId })})`
    return {
      result: await getRundown(ctx, overlayId, tx),
      events: [{ type: 'rundown.replaced', overlayId, itemIds: kept.map(({ id }) => id) }],
    }
  })
}

async function wrongItems(
  ctx: Context,
  overlay: Awaited<ReturnType<typeof ownOverlay>>,
  items: readonly RundownItemAsked[],
): Promise<FieldErrors> {
  const details: FieldErrors = {}
  const ids = new Set<string>()
  for (const [index, item] of items.entries()) {
    const { id } = item
    if (id !== undefined && ids.has(id)) details[`body.items[${index}].id`] = { message: 'named twice', value: id }
    if (id !== undefined) ids.add(id)
    for (const [field, message] of Object.entries(await faultsOf({ ctx, overlay, state: NO_STATE }, item)))
      details[`body.items[${index}].${field}`] = { message }
  }
  return details
}
