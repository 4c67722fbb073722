import type { Plan } from './options.ts'
import type { Reference } from './reference-server.ts'
import type { Samples } from './samples.ts'
import type { Say } from './say.ts'
import type { Server } from './server.ts'
import type { Target } from './target.ts'

/** The servers of a run on overlays, and what it is to do with them. */
export type Bench = {
  plan: Plan
  say: Say
  samples: Samples
  server: Server
  tally: Target
  reference: Reference
  /** Only where the push is measured. */
  committing: Reference | undefined
  /** Only where the cost of a trigger is. */
  fastify: Reference | undefined
}
