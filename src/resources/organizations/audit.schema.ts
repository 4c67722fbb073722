import { z } from 'zod'
import { CausedBy } from '../../schema/cause.ts'
import { Id, Moment, Timestamp } from '../../schema/fields.ts'
import { paged, paging } from '../../schema/paging.ts'

/** One record of the organization that somebody changed, or a sign-in. */
export const AuditEntry = z
  .strictObject({
    id: z.int().meta({ description: 'Rises with time' }),
    at: Timestamp,
    ref: z.string().meta({ description: 'What was changed: `person/3`, `api-key/new`, `theme/1`' }),
    command: z.string().meta({ description: 'What was asked for' }),
    asked: z.unknown().meta({ description: 'What it was asked for with; never a secret' }),
    events: z
      .array(z.looseObject({ type: z.string() }))
      .meta({ description: 'What happened: `person.signed-in`, `key.created`' }),
    by: CausedBy,
    requestId: z.string(),
  })
  .meta({ id: 'AuditEntry' })

export const AuditList = paged('audit', AuditEntry).meta({ id: 'AuditList' })

export const AuditQuery = z
  .object({
    ...paging,
    kind: z
      .string()
      .regex(/^[a-z]+(-[a-z]+)*(,[a-z]+(-[a-z]+)*)*$/, 'kinds of records with commas between them')
      .max(300)
      .optional()
      .meta({ description: 'Kinds of records, with commas between them: `person,api-key`' }),
    recordId: Id.optional().meta({ description: 'Of one record; needs one `kind`' }),
    event: z
      .string()
      .regex(/^[a-z-]+(\.[a-z-]+)+$/, 'an event such as person.signed-in')
      .max(100)
      .optional(),
    byType: z.enum(['key', 'person', 'system', 'link', 'desk']).optional(),
    byId: Id.optional().meta({ description: 'Of the person or key; needs `byType`' }),
    from: Moment.optional(),
    to: Moment.optional(),
  })
  .meta({ id: 'AuditQuery' })
export type AuditQuery = z.output<typeof AuditQuery>
