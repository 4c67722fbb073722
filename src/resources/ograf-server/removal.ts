import { randomUUID } from 'node:crypto'
import { instancesOf } from '../../../machines/overlay/instances.ts'
import { staged } from '../../../machines/overlay/model.ts'
import type { Context, Errand } from '../../context.ts'
import { unexpected } from '../../errors.ts'
import { whileLocked } from '../code-graphics/lock.ts'
import { removeGraphic } from '../graphic-writes.ts'
import { inOgraf } from '../ograf-graphics/schema.ts'
import { noGraphic } from './queries.ts'

type ClearGraphic = { overlayId: number; graphicIds: readonly string[] }

/** Takes all instances of graphics off air, and forgets them. */
export const clearGraphicErrand: Errand<ClearGraphic, undefined> = {
  name: 'clear graphic',
  run: (ctx, { overlayId, graphicIds }) =>
    ctx.actors.send(ctx, 'overlay', overlayId, {
      asked: { type: 'clear', graphicIds, reason: 'the graphic was deleted' },
      decide(state) {
        const meant = instancesOf(staged(state)).filter(({ graphic }) => graphicIds.includes(graphic.graphicId))
        return { type: 'instance', act: 'clear', ids: meant.map(({ id }) => id) }
      },
      reply: () => undefined,
      refused: unexpected,
    }),
}

/**
 * Deletes the graphics of the organization with this id, from every theme. What is on air or loaded stays, unless `force` takes it away
 * everywhere. Throws notFound, and locked while somebody edits one.
 */
export async function removeGraphics(
  ctx: Context,
  ografId: string,
  { force = false }: { force?: boolean | undefined },
): Promise<Record<string, never>> {
  const { sql } = ctx.db
  const rows = await sql<{ graphicId: string; themeId: number }[]>`
    select g.id as "graphicId", g.theme_id as "themeId" from graphic g join theme t on t.id = g.theme_id
    where t.organization_id = ${ctx.organizationId} and g.ograf_id = ${ografId} and g.deleted_at is null order by g.id`
  if (rows.length === 0) throw noGraphic(ografId)
  // first, so that nobody loads it again meanwhile
  for (const path of rows) await whileLocked(ctx, inOgraf(path), () => removeGraphic(ctx, inOgraf(path), {}))
  if (!force) return {}
  const graphicIds = rows.map(({ graphicId }) => graphicId)
  const overlays = await sql<{ id: number }[]>`
    select o.id from overlay o join actor a on a.ref = 'overlay/' || o.id
    where o.organization_id = ${ctx.organizationId} and concat(a.snapshot->'context'->'graphics',
      a.snapshot->'context'->'instances', a.snapshot->'context'->'rehearsal')
      like any(${graphicIds.map((id) => `%${id}%`)}::text[])
    order by o.id`
  for (const { id } of overlays) {
    // each is a command of its own
    const own = { ...ctx, commandId: randomUUID() }
    await own.atOwner(`overlay/${id}`, clearGraphicErrand, { overlayId: id, graphicIds })
  }
  return {}
}
