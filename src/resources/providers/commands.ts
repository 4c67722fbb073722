import type { WriteContext } from '../../context.ts'
import { administratorOf, Refused } from '../administrator.ts'
import { nextId } from '../next-id.ts'
import { findConnection } from './queries.ts'
import type { Connection } from './schema.ts'

type Database = WriteContext['db']

/** The outbox row of a sync that is due now. */
const syncJob = (connectionId: number) => ({
  kind: 'job',
  payload: { name: 'provider-sync', data: { connectionId }, delayMs: 0, attempts: 20 },
})

/** Connects a data provider; its initial load begins as soon as a server runs. spec: Teams 2 */
export async function connectProvider(
  db: Database,
  organizationId: number,
  asked: { provider: string; url: string; intervalSeconds: number; token: string | null },
  by: WriteContext = administratorOf(db, organizationId),
): Promise<Connection> {
  const { provider, url, intervalSeconds, token } = asked
  const [organization] = await db.sql`select from organization where id = ${organizationId}`
  if (!organization) throw new Refused(`There is no organization ${organizationId}`)
  // neither the token nor the query of the URL goes to the journal
  const [shown = ''] = url.split('?')
  const journaled = { provider, url: shown, intervalSeconds }
  const command = { ref: 'provider-connection/new', type: 'connect', asked: journaled }
  return db.write(by, command, async (tx) => {
    const id = await nextId(tx, 'provider_connection')
    const sealed = db.secrets.seal('provider_connection', id, { url, token })
    const [row] = await tx<{ id: number }[]>`
      insert into provider_connection (id, organization_id, provider_name, url, interval_seconds, secrets, has_token)
      overriding system value
      values (${id}, ${organizationId}, ${provider}, ${shown}, ${intervalSeconds}, ${sealed}, ${token !== null})
      on conflict (organization_id, provider_name) do nothing returning id`
    if (!row)
      throw new Refused(`${provider} is connected to organization ${organizationId} already: disconnect it first`)
    const connection = await findConnection(tx, row.id)
    if (!connection) throw new Error('an insert returned no row')
    return {
      ref: `provider-connection/${row.id}`,
      result: connection,
      events: [{ type: 'provider.connected', connectionId: row.id, provider }],
      outbox: [syncJob(row.id)],
    }
  })
}

/** Ends a connection. Records that it brought stay, as the organization's own copy with its provider's ids. */
export async function disconnectProvider(db: Database, id: number, by?: WriteContext): Promise<{ disconnected: true }> {
  const connection = await existing(db, id)
  const command = { ref: `provider-connection/${id}`, type: 'disconnect' }
  return db.write(by ?? administratorOf(db, connection.organizationId), command, async (tx) => {
    await tx`delete from provider_connection where id = ${id}`
    return {
      result: { disconnected: true as const },
      events: [{ type: 'provider.disconnected', connectionId: id, provider: connection.provider }],
    }
  })
}

/** Makes a connection due now; the database's time of the request, which the sync that answers it begins after. */
export async function requestSync(db: Database, id: number, by?: WriteContext): Promise<{ requestedAt: string }> {
  const connection = await existing(db, id)
  const command = { ref: `provider-connection/${id}`, type: 'requestSync' }
  return db.write(by ?? administratorOf(db, connection.organizationId), command, async (tx) => {
    const [row] = await tx<{ requestedAt: string }[]>`
      update provider_connection set due_at = clock_timestamp() where id = ${id} returning due_at::text as "requestedAt"`
    if (!row) throw new Refused(`There is no provider connection ${id}`)
    return { result: row, events: [], outbox: [syncJob(id)] }
  })
}

async function existing(db: Database, id: number): Promise<Connection> {
  const connection = await findConnection(db.sql, id)
  if (!connection) throw new Refused(`There is no provider connection ${id}`)
  return connection
}
