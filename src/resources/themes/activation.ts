import type { ISql, TransactionSql } from 'postgres'
import { storedPart } from '../../catalog/stored-part.ts'
import type { ReadContext } from '../../context.ts'

/** Tells every node that a theme, its active version or its variables changed, as part of the commit. */
export async function tellCatalog(tx: TransactionSql, themeId: number) {
  await tx`select pg_notify('catalog', ${JSON.stringify({ theme: themeId })})`
}

/** Makes a version of a locked theme the active one, or none; answers the event. Undefined when the theme has no such version. */
export async function activate(tx: TransactionSql, themeId: number, version: number | null) {
  if (version !== null) {
    const [known] = await tx`select from theme_version where theme_id = ${themeId} and version = ${version}`
    if (!known) return undefined
  }
  await tx`update theme set active_version = ${version} where id = ${themeId}`
  return { type: 'theme.activated', themeId, version }
}

export type GraphicOnAir = {
  overlayId: number
  graphicId: string
  graphicName: string
  version: number
  nextVersion: number | null
}
export type PresetLeftOut = { presetId: number; controlRoomId: number; name: string; graphicId: string }

/**
 * The effects of activating a version with these graphics: graphics of the theme on air, with the version that the next show
 * brings (null: it cannot be shown again), and the presets whose graphic the version leaves out.
 */
export async function effectsOf(
  ctx: ReadContext,
  sql: ISql,
  themeId: number,
  graphics: readonly { graphicId: string; version: number }[],
): Promise<{ graphicsOnAir: GraphicOnAir[]; presetsLeftOut: PresetLeftOut[] }> {
  const next = new Map(graphics.map(({ graphicId, version }) => [graphicId, version]))
  const onAir = await sql<Omit<GraphicOnAir, 'nextVersion'>[]>`
    select o.id as "overlayId", g.value->>'graphicId' as "graphicId", g.value->>'graphicName' as "graphicName",
      (g.value->>'version')::int as version
    from overlay o
    join actor a on a.ref = 'overlay/' || o.id
    cross join json_each(${storedPart(sql, 'a', 'graphics', 'object')}) g
    where o.organization_id = ${ctx.organizationId} and (g.value->>'themeId')::int = ${themeId}
    order by o.id, 3`
  const presetsLeftOut = await sql<PresetLeftOut[]>`
    select p.id as "presetId", r.id as "controlRoomId", p.name, p.graphic_id as "graphicId"
    from preset p join control_room r on r.id = p.control_room_id
    where r.theme_id = ${themeId} and p.graphic_id <> all(${[...next.keys()]}) order by p.id`
  return {
    graphicsOnAir: onAir.map((graphic) => ({ ...graphic, nextVersion: next.get(graphic.graphicId) ?? null })),
    presetsLeftOut: [...presetsLeftOut],
  }
}
