import { randomUUID } from 'node:crypto'
import type { WriteContext } from '../context.ts'

/** The administrator's command cannot be done; the message is one line for people. */
export class Refused extends Error {}

/** A command that the administrator gives on the machine, for an organization. */
export const administratorOf = (db: WriteContext['db'], organizationId: number): WriteContext => ({
  db,
  organizationId,
  actor: { type: 'system', name: 'admin' },
  requestId: `admin-${randomUUID()}`,
  commandId: randomUUID(),
})
