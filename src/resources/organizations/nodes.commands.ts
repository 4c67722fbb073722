import type { ReadContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { drainNode, listNodes, listTakeovers } from '../../nodes/rows.ts'

/** The nodes of the whole service, whichever of them is asked. */
export async function listServiceNodes({ db }: ReadContext) {
  const [nodes, takeovers] = await Promise.all([listNodes(db.sql), listTakeovers(db.sql)])
  const alone = nodes.every(({ state }) => state === 'dead')
  return { at: new Date().toISOString(), alone, nodes, takeovers }
}

/** Empties a node, or takes that back. Throws notFound. */
export async function drainServiceNode({ db }: ReadContext, id: string, isDrained: boolean) {
  const row = await drainNode(db.sql, id, isDrained)
  if (!row) throw notFound()
  return row
}
