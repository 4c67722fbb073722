import { z } from 'zod'
import { Count, Id, Moment, Timestamp, text } from '../../schema/fields.ts'
import { paged } from '../../schema/paging.ts'
import { Provider } from '../../schema/provider.ts'

export const PeriodType = z
  .enum(['half', 'quarter', 'period', 'set', 'innings', 'overtime', 'shootout'])
  .meta({ id: 'PeriodType' })
const Source = z.enum(['api', 'app', 'provider']).meta({ id: 'FactSource' })

/** One thing that happened in a match. domain 5.4 */
export const Fact = z
  .object({
    id: Id,
    matchId: Id,
    type: z.string(),
    teamId: Id.nullable(),
    playerId: Id.nullable(),
    secondaryPlayerId: Id.nullable().meta({ description: 'Assist, player off, fielder' }),
    period: z.int32().meta({ description: 'From 1; 0 before the first' }),
    periodType: PeriodType.nullable(),
    clockMs: z.number().nullable().meta({ description: 'What the match clock showed' }),
    minute: z.number().nullable(),
    addedMinute: z.number().nullable(),
    points: z.number(),
    value: z.union([z.string(), z.number(), z.boolean(), z.null()]),
    details: z.record(z.string(), z.unknown()),
    timestamp: Timestamp.meta({ description: 'When it happened' }),
    source: Source,
    dataProvider: Provider.optional(),
    clientFactId: z.string().optional(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Fact' })

export const FactList = paged('facts', Fact).meta({ id: 'FactList' })

const MAX_DETAILS = 4096

const given = {
  teamId: Id.nullable().optional(),
  playerId: Id.nullable().optional(),
  secondaryPlayerId: Id.nullable().optional(),
  period: Count.max(999).optional(),
  periodType: PeriodType.nullable().optional(),
  clockMs: Count.nullable().optional(),
  minute: Count.nullable().optional(),
  addedMinute: Count.nullable().optional(),
  points: Count.max(9999).optional(),
  value: z
    .union([text(0, 255), z.number(), z.boolean(), z.null()])
    .optional()
    .meta({ description: 'What the type leaves open' }),
  details: z
    .record(text(1, 64), z.unknown())
    .refine((details) => JSON.stringify(details).length <= MAX_DETAILS, {
      error: `at most ${MAX_DETAILS} characters of JSON`,
    })
    .optional(),
  timestamp: Moment.optional(),
  source: Source.optional(),
}

const FactType = text(1, 64).meta({ description: 'One of the fact types of the sport' })

/** Fields left out are taken from the state of play at `timestamp`, which is now unless given. domain 5.4 */
export const FactCreation = z
  .object({
    ...given,
    type: FactType,
    clientFactId: text(1, 255).optional().meta({ description: 'Sent again, it answers the fact that is there' }),
  })
  .meta({ id: 'FactCreation' })
export type FactCreation = z.output<typeof FactCreation>

/** Fields left out keep their value. */
export const FactUpdate = z.object({ ...given, type: FactType.optional() }).meta({ id: 'FactUpdate' })
export type FactUpdate = z.output<typeof FactUpdate>

export const FactParams = z.object({ matchId: Id, factId: Id }).meta({ id: 'FactParams' })
