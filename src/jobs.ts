import { z } from 'zod'

/** A deadline of an actor: look at its row then. `dueAt` is database time: ISO 8601 in the row, ms since 1970 when read. */
export const TimerNotice = z.object({
  ref: z.string(),
  name: z.string(),
  dueAt: z.iso.datetime({ offset: true }).transform((text) => Date.parse(text)),
})
export type TimerNotice = z.infer<typeof TimerNotice>

/** An event of a record or actor that other actors may have to hear of; src/reactions.ts says which. */
export const Reaction = z.object({ event: z.string(), ref: z.string() })
export type Reaction = z.infer<typeof Reaction>

/** The event that a repair leaves, in the commit that makes a snapshot anew. */
export const REPAIRED = 'actor.repaired'

/**
 * Whether a reaction is tried for as long as it takes, slowly at last: it brings an overlay up to date that could not be told of
 * changes. One per overlay stands for all that it missed.
 */
export const isKeptUp = ({ ref }: Reaction) => ref.startsWith('overlay/')

/** Work that runs once, some time after the commit that asked for it; tried again with backoff until `attempts` are used up. */
export const JobRequest = z.object({
  name: z.string(),
  data: z.unknown(),
  delayMs: z.number().int().min(0).default(0),
  attempts: z.number().int().min(1).default(20),
})
export type JobRequest = z.infer<typeof JobRequest>

/** Every kind of outbox row with the shape of its payload. */
export const OutboxEntry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('timer'), payload: TimerNotice }),
  z.object({ kind: z.literal('reaction'), payload: Reaction }),
  z.object({ kind: z.literal('job'), payload: JobRequest }),
])
export type OutboxEntry = z.infer<typeof OutboxEntry>

/** The data of the queue's jobs, by job name. */
export const OutboxTask = z.object({ outboxId: z.number().int() })
export const TimerTask = z.object({ ref: z.string(), name: z.string() })
export const WebhookTask = z.object({ webhookId: z.number().int() })

/** The jobs that a `job` row may name, with the data each is given. */
export const jobPayloads = {
  /** Deletes rows that retention no longer keeps, then asks for itself again. */
  prune: z.object({}),
  /** Deletes uploaded files that no row names, then asks for itself again; runs where the files are. */
  'prune-files': z.object({}),
  /** Brings the schedules of streams in line with their matches, then asks for itself again; runs where the actors live. */
  'auto-stream': z.object({}),
  /** Syncs a provider connection when it is due; runs where the actors live. */
  'provider-sync': z.object({ connectionId: z.number().int() }),
  /** Looks at a file that was received for a motion graphic, or notes that it was used; runs where the actors live. */
  'motion-import': z.object({ jobId: z.string() }),
  /** Tells webhooks what a record command left in the journal; runs where the actors live. */
  'webhook-record': z.object({ ref: z.string(), commandId: z.string() }),
  /** Has the OBS of an overlay refresh its sources, `now` also while something is on air; runs where the actors live. */
  'obs-refresh': z.object({ overlayId: z.number().int(), now: z.boolean() }),
}
