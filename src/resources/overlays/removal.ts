import type { TransactionSql } from 'postgres'
import type { Context, Errand } from '../../context.ts'
import { notFound, notOnAir } from '../../errors.ts'

type HideEverything = { overlayId: number; reason: string }

export const hideEverythingErrand: Errand<HideEverything, undefined> = {
  name: 'hide everything',
  run: (ctx, { overlayId, reason }) =>
    ctx.actors.send(ctx, 'overlay', overlayId, {
      asked: { type: 'hideAll', reason },
      decide: () => ({ type: 'hideAll' }),
      reply: () => undefined,
      refused: () => notOnAir(),
    }),
}

/** Takes everything off air before an overlay goes. */
export const hideEverything = (ctx: Context, overlayId: number, reason: string): Promise<undefined> =>
  ctx.atOwner(`overlay/${overlayId}`, hideEverythingErrand, { overlayId, reason })

/**
 * Deletes an overlay with its actor and that of its game plan; its sockets close with the commit. Its journal and paint reports stay, with a row to read
 * them by. Throws notFound.
 */
export async function removeOverlay(tx: TransactionSql, overlayId: number) {
  const refs = [`overlay/${overlayId}`, `game-plan/${overlayId}`]
  // the actors' rows first: they wait for a commit under way and fence every later one
  await tx`delete from actor where ref = any(${refs})`
  await tx`delete from timer where ref = any(${refs})`
  const gone = await tx`
    with gone as (delete from overlay where id = ${overlayId} returning *)
    insert into removed_overlay (id, organization_id, match_id, name, ad_type, encoding_delay_seconds, created_at)
    select id, organization_id, match_id, name, ad_type, encoding_delay_seconds, created_at from gone
    returning id`
  if (gone.length === 0) throw notFound()
  await notifyOverlay(tx, overlayId)
}

/** Tells every node that the row of an overlay changed, as part of the commit. */
export async function notifyOverlay(tx: TransactionSql, overlayId: number) {
  await tx`select pg_notify('overlay', ${JSON.stringify({ id: overlayId })}),
    pg_notify('catalog', ${JSON.stringify({ overlay: overlayId })})`
}

/** Drops the cached state of an overlay that is gone. */
export function forgetOverlay(ctx: Context, overlayId: number) {
  ctx.catalog.forget({ overlay: overlayId })
  ctx.actors.forget(`overlay/${overlayId}`)
  ctx.actors.forget(`game-plan/${overlayId}`)
}
