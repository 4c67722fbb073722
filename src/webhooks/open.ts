import type { Logger } from 'pino'
import type { TransactionSql } from 'postgres'
import type { Database } from '../database.ts'
import { WEBHOOKS_DUE } from '../resources/webhooks/commands.ts'
import type { DueDelivery } from '../resources/webhooks/tell.ts'
import type { Listener } from '../store/listen.ts'
import { createPump } from './pump.ts'
import { openRegistry } from './registry.ts'
import { deliveryRows } from './rows.ts'
import { createScreens } from './screens.ts'
import { createThreadSender } from './sender.ts'
import { createTeller } from './teller.ts'

export type WebhooksParts = {
  db: Database
  listener: Listener
  /** Whether addresses of private networks may be connected to. */
  isPrivateAllowed: boolean
  /** Whether the actor, record or webhook of this ref is for this node to look after; left out: it is. */
  owns?: ((ref: string) => boolean) | undefined
  /** An attempt ended, `ms` after it began. */
  attempted(outcome: 'delivered' | 'retried' | 'failed', ms: number): void
  log: Logger
}

export type Webhooks = Awaited<ReturnType<typeof openWebhooks>>

/** From what was committed to what other servers are told. journal -> event -> delivery -> attempt */
export async function openWebhooks({
  db,
  listener,
  isPrivateAllowed,
  owns = () => true,
  attempted,
  log,
}: WebhooksParts) {
  const { sql, secrets } = db
  /** The queue is there once the workers run. */
  let queue: (webhookId: number, delayMs: number) => void = () => {}
  const registry = await openRegistry({ sql, secrets, listener, log })
  const ownsWebhook = (webhookId: number) => owns(`webhook/${webhookId}`)
  const sender = createThreadSender({ isPrivateAllowed, log })
  const rows = deliveryRows(db)
  const pump = createPump({
    ...{ rows, registry, sender, owns: ownsWebhook, log },
    later: (webhookId, delayMs) => queue(webhookId, delayMs),
    attempted,
  })
  const teller = createTeller({ sql, registry, made: pump.offer, owns: ownsWebhook, ownsActor: owns, log })
  const screens = createScreens({ sql, registry, teller })
  if (!registry.isEmpty) sender.warm()
  registry.onRead((ids, isFirst) => {
    sender.warm()
    pump.look(ids)
    // what was committed since the first one was made and before it was read here
    if (isFirst) teller.sweep().catch((error: unknown) => log.warn({ err: error }, 'webhooks could not be swept'))
  })
  await listener.listen(WEBHOOKS_DUE, (text) => pump.look(idsIn(text)))
  return {
    /** An actor of this organization has committed. Costs a look into a map where it has no webhooks. */
    committed: teller.committed,
    /** Makes the deliveries of a record's change in a transaction; the second function sends them, after it. */
    record: (tx: TransactionSql, ref: string, commandId: string) => teller.record(tx, ref, commandId),
    offer: (deliveries: readonly DueDelivery[]) => pump.offer(deliveries),
    /** A retry is due. A node that does not serve the webhook tells the one that does. */
    async retry(webhookId: number): Promise<void> {
      if (ownsWebhook(webhookId)) pump.look([webhookId])
      else await sql`select pg_notify(${WEBHOOKS_DUE}, ${JSON.stringify([webhookId])})`
    },
    /** Connections of renderers were stored. */
    connectionsStored(): void {
      if (registry.isEmpty) return
      screens
        .connections()
        .catch((error: unknown) => log.warn({ err: error }, 'renderers could not be told to webhooks'))
    },
    /** Deliveries that are due and that nobody came for; graphics that nobody painted. */
    async sweepSoon(): Promise<void> {
      if (!listener.isUp()) await registry.reread()
      if (registry.isEmpty) return
      pump.look(await rows.overdue())
      await screens.paints()
    },
    /** Commits and connections that nobody told of. */
    async sweep(): Promise<void> {
      await teller.sweep()
      await screens.connections()
    },
    /** Where retries wait. */
    retryBy(add: (webhookId: number, delayMs: number) => void): void {
      queue = add
    },
    async close(): Promise<void> {
      await teller.close()
      await pump.close()
    },
  }
}

function idsIn(text: string): number[] {
  const ids: unknown = JSON.parse(text)
  return Array.isArray(ids) ? ids.filter((id): id is number => Number.isInteger(id)) : []
}
