import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Database } from '../database.ts'
import type { JournalPrincipal } from '../principal.ts'
import type { SignedIn } from './sessions.ts'

/** From where somebody came. */
export type Origin = { address: string; userAgent: string; requestId: string }

type Happening = {
  organizationId: number
  personId: number
  actor: JournalPrincipal
  command: string
  events: readonly { type: string }[]
  from: Origin
}

/** Journals the events of signing in, for the audit list of the organization. */
export function createAudit(db: Database, log: Logger) {
  const write = ({ organizationId, personId, actor, command, events, from }: Happening) => {
    const { requestId, ...asked } = from
    const ctx = { organizationId, actor, requestId, commandId: randomUUID(), db }
    return db.write(ctx, { ref: `person/${personId}`, type: command, asked }, async () => ({
      result: undefined,
      events,
    }))
  }
  const findPerson = async (email: string) => {
    const [row] = await db.sql<{ id: number; organization_id: number }[]>`
      select id, organization_id from person where email = ${email}`
    return row
  }
  return {
    /** A person who is signed in has done it. */
    by: (who: Pick<SignedIn, 'organizationId' | 'personId' | 'email'>, command: string, event: string, from: Origin) =>
      write({
        ...who,
        actor: { type: 'person', id: who.personId, name: who.email },
        command,
        events: [{ type: event }],
        from,
      }),
    /**
     * No answer waits for it, so that none takes longer for a person who exists. Without a row when the address is nobody's:
     * then no organization is there to tell.
     */
    failed(email: string, locked: boolean, from: Origin): void {
      const note = async () => {
        const person = await findPerson(email)
        if (!person) return log.info({ address: from.address }, 'sign-in of nobody known failed')
        await write({
          organizationId: person.organization_id,
          personId: person.id,
          actor: { type: 'system', name: 'sign-in' },
          command: 'sign-in',
          events: [{ type: 'person.sign-in-failed' }, ...(locked ? [{ type: 'person.locked' }] : [])],
          from,
        })
      }
      note().catch((error) => log.warn({ err: error }, 'a failed sign-in could not be journaled'))
    },
  }
}

export type Audit = ReturnType<typeof createAudit>
