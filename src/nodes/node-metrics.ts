import type { Metrics } from '../metrics/metrics.ts'
import type { OpenNode } from './open.ts'

/** The figures of this node, read at each scrape. */
export function measureNode(
  metrics: Pick<Metrics, 'table'>,
  node: Pick<OpenNode, 'figures' | 'bus'>,
  repaired: () => number,
): void {
  const figure = (name: `tally_${string}`, type: 'gauge' | 'total', help: string, read: () => number) =>
    metrics.table<never>({ name, help, type, labels: [], read: () => [{ labels: {}, value: read() }] })
  figure('tally_slots_owned', 'gauge', 'Slots that this node commands, of 256', () => node.figures().slotsOwned)
  figure('tally_forwarded_total', 'total', 'What this node had another one do', () => node.figures().forwarded)
  figure(
    'tally_takeovers_total',
    'total',
    'Times that this node took slots over from another one, for any reason',
    () => node.figures().takeovers,
  )
  figure('tally_repaired_total', 'total', 'Commits that were found in the database and not heard of', repaired)
  figure('tally_bus_up', 'gauge', '1 while this node hears the others by Redis', () => (node.bus.isUp() ? 1 : 0))
}
