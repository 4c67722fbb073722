import type { ReadContext, WriteContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { drainNode, listNodes, listTakeovers } from '../../nodes/rows.ts'

/** The nodes of the whole service, whichever of them is asked. */
export async function listServiceNodes({ db }: ReadContext) {
  const [nodes, takeovers] = await Promise.all([listNodes(db.sql), listTakeovers(db.sql)])
  const alone = nodes.every(({ state }) => state === 'dead')
  return { at: new Date().toISOString(), alone, nodes, takeovers }
}

/** Empties a node, or takes that back; the audit list tells who did. Throws notFound. */
export const drainServiceNode = (ctx: WriteContext, id: string, isDrained: boolean) =>
  ctx.db.write(ctx, { ref: `node/${id}`, type: isDrained ? 'drain' : 'undrain' }, async (tx) => {
    const row = await drainNode(tx, id, isDrained)
    if (!row) throw notFound()
    return { result: row, events: [{ type: isDrained ? 'node.drained' : 'node.undrained' }] }
  })
