import type { Context } from '../../context.ts'
import { unavailable } from '../../errors.ts'
import { Raw } from '../../http/route.ts'
import { checkOwn } from '../ownership.ts'

/**
 * The lamps of an overlay, with their hash as `ETag`. They are made once for each change, from what this server follows in memory: a poll
 * reads no row, and one that has them already is answered 304. Throws notFound, forbidden and unavailable. integrations: State document
 */
export async function getOverlayLamps(ctx: Context, overlayId: number): Promise<Raw> {
  const card = await ctx.catalog.overlay(overlayId)
  checkOwn(ctx, card)
  if (!ctx.lamps) throw unavailable()
  const { body, tag } = await ctx.lamps(overlayId)
  return new Raw('application/json', body, { ETag: `"${tag}"`, 'Cache-Control': 'private, no-cache' })
}

type Button = { presetId: number; name: string; sectionId: string; color: string | null }

/** The buttons of a control room as its pages order them. */
export async function findButtons({ sql }: Pick<Context['db'], 'sql'>, organizationId: number, roomId: number) {
  const rows = await sql<Button[]>`
    select p.id as "presetId", p.name, p.section_id as "sectionId", s.color_key as color
    from preset p join section s on s.id = p.section_id join control_room r on r.id = p.control_room_id
    where r.id = ${roomId} and r.organization_id = ${organizationId}
    order by s.order_index, p.order_index, p.id`
  return [...rows]
}
