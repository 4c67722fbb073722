import type { TransactionSql } from 'postgres'
import type { Holder } from '../../../machines/graphic-lock.ts'
import { storedPart } from '../../catalog/stored-part.ts'
import type { Context } from '../../context.ts'
import { invalid, locked } from '../../errors.ts'
import { isHolder } from '../code-graphics/lock.ts'
import { deleteByRef } from '../code-graphics/working-copy.ts'
import { lockTheme } from '../target.ts'
import { tellCatalog } from './activation.ts'
import { getTheme } from './queries.ts'

/**
 * Deletes a theme with its graphics, versions, variables, control rooms and archived profiles. Throws invalid while a
 * profile or an overlay uses it, or something of it is on air, and locked while somebody else has a graphic of it open.
 */
export async function deleteTheme(ctx: Context, themeId: number, ifUnchangedSince?: string): Promise<undefined> {
  const command = { ref: `theme/${themeId}`, type: 'delete', asked: { ifUnchangedSince } }
  let graphicIds: string[] = []
  await ctx.db.write(ctx, command, async (tx) => {
    await lockTheme(ctx, tx, themeId, ifUnchangedSince)
    await lockParts(tx, themeId)
    const uses = await usesOf(ctx, tx, themeId)
    if (uses.length > 0)
      throw invalid(
        { 'path.themeId': { message: `used by ${uses.join(', ')}`, value: themeId } },
        `The theme is in use: ${uses.join(', ')}`,
      )
    const { name } = await getTheme(ctx, themeId, tx)
    graphicIds = await removeLocks(ctx, tx, themeId)
    await tx`delete from theme where id = ${themeId}`
    await tellCatalog(tx, themeId)
    return { result: undefined, events: [{ type: 'theme.deleted', themeId, name }] }
  })
  ctx.catalog.forget({ theme: themeId })
  for (const graphicId of graphicIds) ctx.actors.forget(`graphic-lock/${graphicId}`)
  return undefined
}

/**
 * Waits for every write of something in the theme, such as an overlay that is just being put into one of its rooms, in the
 * order in which these writes lock, so that none of them waits for the deletion.
 */
async function lockParts(tx: TransactionSql, themeId: number) {
  await tx`select from graphic_draft where graphic_id in (select id from graphic where theme_id = ${themeId}) for update`
  await tx`select from data_source_template where theme_id = ${themeId} for update`
  await tx`select from theme_profile where theme_id = ${themeId} for update`
  await tx`select from control_room where theme_id = ${themeId} for update`
}

/** The records that use the theme, as words for people. */
async function usesOf(ctx: Context, tx: TransactionSql, themeId: number): Promise<string[]> {
  const rows = await tx<{ use: string }[]>`
    select 'theme profile ' || id as use from theme_profile where theme_id = ${themeId} and archived_at is null
    union all
    select 'overlay ' || o.id from overlay o
      left join control_room r on r.id = o.control_room_id
      left join theme_profile p on p.id = o.theme_profile_id
      where r.theme_id = ${themeId} or p.theme_id = ${themeId}
    union all
    select distinct 'graphics on air on overlay ' || o.id from overlay o
      join actor a on a.ref = 'overlay/' || o.id
      cross join json_each(${storedPart(tx, 'a', 'graphics', 'object')}) g
      where o.organization_id = ${ctx.organizationId} and (g.value->>'themeId')::int = ${themeId}
    limit 10`
  return rows.map(({ use }) => use)
}

/** Takes away the locks and uploads of a theme's graphics; answers the ids of the graphics. */
async function removeLocks(ctx: Context, tx: TransactionSql, themeId: number): Promise<string[]> {
  const graphics = await tx<{ id: string }[]>`select id from graphic where theme_id = ${themeId}`
  const ids = graphics.map(({ id }) => id)
  // a commit of a lock that is under way is waited for
  const held = await tx<{ holder: Holder | null }[]>`
    select snapshot->'context'->'holder' as holder from actor
    where ref = any(${ids.map((id) => `graphic-lock/${id}`)}) for update`
  for (const { holder } of held) if (holder && !isHolder(ctx.actor, holder)) throw locked({ userName: holder.userName })
  await deleteByRef(tx, ids)
  return ids
}
