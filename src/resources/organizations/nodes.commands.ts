import type { Sql, TransactionSql } from 'postgres'
import type { ReadContext, WriteContext } from '../../context.ts'
import { notFound, operatorOnly } from '../../errors.ts'
import { drainNode, listNodes, listTakeovers } from '../../nodes/rows.ts'
import { serviceMoment } from '../../waiting/service-time.ts'

/** The nodes of the whole service, whichever of them is asked. */
export async function listServiceNodes({ db }: ReadContext) {
  const [nodes, takeovers, drainable] = await Promise.all([
    listNodes(db.sql),
    listTakeovers(db.sql),
    isOfOneOrganization(db.sql),
  ])
  const alone = nodes.every(({ state }) => state === 'dead')
  return { at: serviceMoment(), alone, drainable, nodes, takeovers }
}

/** Where several organizations share the service, none of them may move what the others have on air. */
async function isOfOneOrganization(sql: Sql | TransactionSql): Promise<boolean> {
  const [row] = await sql<
    [{ several: boolean }]
  >`select exists (select from organization where complete offset 1) as several`
  return !row.several
}

/** Empties a node, or takes that back; the audit list tells who did. Throws operatorOnly, notFound. */
export const drainServiceNode = (ctx: WriteContext, id: string, isDrained: boolean) =>
  ctx.db.write(ctx, { ref: `node/${id}`, type: isDrained ? 'drain' : 'undrain' }, async (tx) => {
    if (!(await isOfOneOrganization(tx))) throw operatorOnly()
    const row = await drainNode(tx, id, isDrained)
    if (!row) throw notFound()
    return { result: row, events: [{ type: isDrained ? 'node.drained' : 'node.undrained' }] }
  })
