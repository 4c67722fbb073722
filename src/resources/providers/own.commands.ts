import type { z } from 'zod'
import type { WriteContext } from '../../context.ts'
import { invalid } from '../../errors.ts'
import { Refused } from '../administrator.ts'
import { checkOwn } from '../ownership.ts'
import { connectProvider, disconnectProvider, requestSync } from './commands.ts'
import type { ProviderConnection, ProviderConnectionCreation } from './own.schema.ts'
import { findConnection, findLastReport, listConnections } from './queries.ts'
import type { Connection } from './schema.ts'

type Shape = z.input<typeof ProviderConnection>

const USUAL_SECONDS = 900

/** The connections of the organization by id, with what came of the last sync of each. show-control: Records */
export async function listOwnConnections({ db, organizationId }: WriteContext): Promise<{ connections: Shape[] }> {
  const connections = await listConnections(db.sql, organizationId)
  return { connections: await Promise.all(connections.map((connection) => shown(db, connection))) }
}

/** Throws invalid while the provider is connected already. */
export async function connectOwn(
  ctx: WriteContext,
  { provider, url, interval = USUAL_SECONDS, token = undefined }: z.output<typeof ProviderConnectionCreation>,
): Promise<Shape> {
  const asked = { provider, url, intervalSeconds: interval, token: token ?? null }
  try {
    return await shown(ctx.db, await connectProvider(ctx.db, ctx.organizationId, asked, ctx))
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    throw invalid({ 'body.provider': { message: 'is connected already: disconnect it first', value: provider } })
  }
}

/** Makes a connection due now. Throws notFound and forbidden. */
export async function syncOwn(ctx: WriteContext, id: number): Promise<undefined> {
  await own(ctx, id)
  await requestSync(ctx.db, id, ctx)
}

/** Ends a connection; what it brought stays. Throws notFound and forbidden. */
export async function disconnectOwn(ctx: WriteContext, id: number): Promise<undefined> {
  await own(ctx, id)
  await disconnectProvider(ctx.db, id, ctx)
}

async function own(ctx: WriteContext, id: number) {
  checkOwn(ctx, await findConnection(ctx.db.sql, id))
}

async function shown({ sql }: WriteContext['db'], { organizationId: _, ...connection }: Connection): Promise<Shape> {
  return { ...connection, lastReport: await findLastReport(sql, connection.id) }
}
