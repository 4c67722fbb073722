import { z } from 'zod'
import { Moment } from './fields.ts'

/** When a resource was last written: ISO 8601 with microseconds, in UTC. No two writes of one resource have the same. spec: Optimistic concurrency */
export const UpdatedAt = z.iso
  .datetime({ precision: 6 })
  .meta({ id: 'UpdatedAt', description: 'With microseconds; send it back as `ifUnchangedSince` with the next write' })

/** Refuses a write with 409 `TARGET_CHANGED` when the target was written since. spec: Optimistic concurrency */
export const IfUnchangedSince = Moment.optional().meta({
  description: 'The `updatedAt` of the target as it was read; left out, the write is not compared',
})

/** The query of a deletion. */
export const Unchanged = z.object({ ifUnchangedSince: IfUnchangedSince }).meta({ id: 'Unchanged' })
