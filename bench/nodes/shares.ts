import type { Sql } from 'postgres'
import { ownersOf } from '../../src/nodes/slots.ts'

/** Whether the nodes at these addresses (`NODE_URL`), and no others, own the slots now, each its whole share. */
export async function haveTheirShares(sql: Sql, urls: readonly string[]): Promise<boolean> {
  const [nodes, leases] = await Promise.all([
    sql<
      { id: string }[]
    >`select distinct on (url) id from node where url = any(${[...urls]}) order by url, started_at desc`,
    sql<{ id: number; node: string }[]>`select id, node from slot where until > clock_timestamp()`,
  ])
  const shares = ownersOf(nodes.map(({ id }) => id))
  return (
    nodes.length === urls.length &&
    leases.length === shares.length &&
    leases.every(({ id, node }) => shares[id] === node)
  )
}
