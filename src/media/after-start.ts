import { serviceTime } from '../waiting/service-time.ts'
import type { Wishes } from './director.ts'
import { destinationStep } from './plan-destination.ts'
import { inputReport, UNSEEN } from './plan-input.ts'
import type { MediaLeases, Observation } from './ports.ts'
import { streamLease } from './share.ts'

/**
 * Tells the actors of running streams that connections they remember ended with the last server. Finding out the capabilities of
 * this machine takes seconds, in which no client may be told of a connection that is not there. What other nodes run is theirs to tell.
 */
export async function tellWhatEnded(
  wishes: Wishes,
  observe: (seen: Observation) => Promise<void>,
  leases?: MediaLeases,
): Promise<void> {
  const { streamIds } = await wishes.all()
  for (const streamId of streamIds) {
    const wish = await wishes.stream(streamId)
    if (!wish || (leases && !leases.lease(streamLease(wish)))) continue
    const { organizationId } = wish
    const input = wish.inputId === null ? undefined : await wishes.input(wish.inputId)
    const lost = input && inputReport(input, UNSEEN)
    if (lost?.type === 'input.lost') await observe(lost)
    const told = { now: serviceTime(), random: Math.random(), organizationId }
    for (const destination of wish.destinations) {
      const { report } = destinationStep(destination, undefined, { up: false, generation: 0 }, told)
      if (report) await observe(report)
    }
  }
}
