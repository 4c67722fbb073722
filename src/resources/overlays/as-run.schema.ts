import { z } from 'zod'
import { CausedBy } from '../../schema/cause.ts'
import { Id, Moment, ShownPreset, Timestamp } from '../../schema/fields.ts'
import { LoggedAction } from '../../schema/logged-action.ts'
import { paged } from '../../schema/paging.ts'
import { SetValue } from '../../schema/set-value.ts'
import { MAX_CURSOR } from './as-run.cursor.ts'
import { AdType } from './schema.ts'

const JsonObject = z.record(z.string(), z.unknown())

/** One graphic touched by one command; a refresh of live data touches all and names none, a take of all that is to come later neither. live-path 6, 21 */
export const AsRunEntry = z
  .strictObject({
    seq: z.int(),
    at: Timestamp.meta({ description: 'When it was committed' }),
    action: z.string().meta({
      description: `One of ${LoggedAction.options.join(', ')}. \`next\` and \`previous\` are of the rundown; \`load\`, \`play\`, \`stop\` and \`clear\` of the OGraf Server API; \`autoHide\`: its time was up. \`cue\`, \`uncue\`, \`schedule\`, \`unschedule\` and \`rehearse\` change nothing on air; \`missed\` and \`refused\`: a scheduled command that was not carried out, \`asked.reason\` says why`,
    }),
    graphicId: z.string().nullable(),
    graphicName: z.string().nullable(),
    presetId: ShownPreset.nullable(),
    values: z
      .record(z.string(), SetValue)
      .nullable()
      .meta({ description: 'What was on air after it, or with `cue` on preview; null when it went off' }),
    names: z.record(z.string(), z.string()).optional().meta({
      description:
        'By variable, what the record of the match is called now that its value names (a player, a team, a fact, …); left out when none has a name',
    }),
    rehearsal: z.literal(true).optional().meta({
      description: 'Beta. It was in rehearsal: nothing of it was on air; left out of all other rows',
    }),
    asked: JsonObject.meta({ description: 'The command as it was sent' }),
    by: CausedBy,
    requestId: z.string(),
    commandId: z.uuid(),
    painted: z
      .array(z.strictObject({ renderer: z.string(), at: Timestamp, latencyMs: z.int() }))
      .meta({ description: 'When each renderer first had this graphic on screen, or gone, as of this or a later seq' }),
    overlayId: Id,
    adType: AdType.nullable().meta({ description: 'Of the overlay at that time' }),
    brand: z
      .string()
      .nullable()
      .meta({ description: 'The value of the control variable `brand`, else `sponsor`, `advertiser` or `partner`' }),
  })
  .meta({ id: 'AsRunEntry' })
export type AsRunEntry = z.output<typeof AsRunEntry>

export const AsRunLog = paged('asRun', AsRunEntry)
  .extend({
    nextCursor: z
      .string()
      .optional()
      .meta({ description: 'Send it as `cursor` for the rows that follow; left out when there are none now' }),
  })
  .meta({ id: 'AsRunLog' })

export const AsRunQuery = z
  .object({
    limit: z.int32().min(1).max(1000).optional().meta({ description: 'Default 100; in CSV all rows' }),
    offset: z
      .int32()
      .min(0)
      .optional()
      .meta({ description: 'How many to skip, 0 unless said; not together with `cursor`' }),
    cursor: z.string().min(1).max(MAX_CURSOR).optional().meta({
      description:
        'The `nextCursor` of an answer (of CSV with a `limit` the header `X-Next-Cursor`), to go on behind its last row: of the same log in the same order. It stays right while rows are added',
    }),
    from: Moment.optional().meta({ description: 'Committed at or after' }),
    to: Moment.optional().meta({ description: 'Committed before' }),
    action: LoggedAction.optional(),
    graphicId: z.string().min(1).max(100).optional(),
    graphicName: z.string().min(1).max(200).optional(),
    presetId: Id.optional(),
    by: z
      .string()
      .regex(/^(?:(?:key|person)\/[1-9]\d{0,8}|gamePlan\/[\s\S]{1,100}|key|person|link|system|gamePlan)$/, {
        error:
          'key, person, link, system or gamePlan; key, person and gamePlan with `/` and an id if it is a certain one',
      })
      .optional()
      .meta({
        description:
          'Who: `key/5`, `person/3`, a rule of the game plan by its id: `gamePlan/goal`, or any `key`, `person`, `link`, `system` or `gamePlan`',
      }),
    adType: AdType.optional().meta({ description: 'What the overlay was set to at that time' }),
    order: z.enum(['asc', 'desc']).optional().meta({ description: 'Oldest first unless `desc`' }),
    include: z.enum(['refresh', 'rehearsal']).optional().meta({
      description: 'Also refreshes of live data, or what a rehearsal showed, which was not on air',
    }),
    format: z.enum(['json', 'csv']).optional().meta({ description: 'Wins over the Accept header' }),
  })
  .meta({ id: 'AsRunQuery' })
export type AsRunQuery = z.output<typeof AsRunQuery>
