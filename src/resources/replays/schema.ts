import { z } from 'zod'
import { CausedBy } from '../../schema/cause.ts'
import { Id, Moment, ShownPreset, Timestamp } from '../../schema/fields.ts'
import { SetValue } from '../../schema/set-value.ts'

/** How one JSON value becomes another. */
export type Patch =
  | { set: unknown }
  | { members: Readonly<Record<string, Patch>>; gone: readonly string[] }
  | { keep: number; items: readonly unknown[] }

const Patch: z.ZodType<Patch> = z
  .lazy(() =>
    z.union([
      z.strictObject({ set: z.unknown() }),
      z.strictObject({ members: z.record(z.string(), Patch), gone: z.array(z.string()) }),
      z.strictObject({ keep: z.int(), items: z.array(z.unknown()) }),
    ]),
  )
  .meta({
    id: 'ReplayPatch',
    description:
      'Of the `data` that this graphic was given last: another value (`set`), other `members` with those that are `gone`, or a list of which the first `keep` stay, followed by `items`',
  })

const Values = z.record(z.string(), SetValue)

const Load = z
  .strictObject({
    action: z.literal('load'),
    graphicId: z.string(),
    graphicName: z.string(),
    kind: z.enum(['code', 'rive', 'ograf']),
    step: z.int().optional(),
    version: z.int(),
    url: z.string().meta({ description: 'From the root of this host' }),
    presetId: ShownPreset,
    sport: z.string(),
    variableValues: Values,
    themeVariables: z.record(z.string(), z.unknown()),
    data: Patch.nullable(),
  })
  .meta({ id: 'ReplayLoad' })

const Update = z
  .strictObject({
    action: z.literal('update'),
    graphicId: z.string(),
    presetId: ShownPreset.optional(),
    variableValues: Values.optional(),
    step: z.int().optional(),
    customAction: z
      .strictObject({ id: z.string(), payload: z.unknown().optional() })
      .optional()
      .meta({ description: 'What an OGraf graphic did then' }),
    data: Patch.nullable(),
  })
  .meta({ id: 'ReplayUpdate' })

const Hide = z.strictObject({ action: z.literal('hide'), graphicId: z.string() }).meta({ id: 'ReplayHide' })

const Situation = z
  .strictObject({
    state: z.string(),
    period: z.string().nullable(),
    score: z.strictObject({ home: z.number(), away: z.number() }),
    clock: z.strictObject({
      running: z.boolean(),
      valueMs: z.number(),
      asOf: z.string(),
      direction: z.enum(['up', 'down']),
      limitMs: z.number().nullable().meta({ description: 'Where a running clock stops by itself' }),
    }),
  })
  .meta({ id: 'ReplaySituation', description: 'How the match stands from then on' })

export const ReplayStep = z
  .strictObject({
    at: Timestamp,
    seq: z.int().nullable().meta({ description: 'Of the overlay; null for a change of the match' }),
    kind: z.enum(['start', 'show', 'update', 'hide', 'match']),
    label: z.string(),
    by: CausedBy.nullable(),
    match: Situation.nullable().meta({ description: 'Null where it stays as it is' }),
    changes: z.array(z.discriminatedUnion('action', [Load, Update, Hide])),
  })
  .meta({ id: 'ReplayStep' })
export type ReplayStep = z.output<typeof ReplayStep>

export const ReplayRecord = z
  .strictObject({
    overlay: z.strictObject({ id: Id, name: z.string(), removed: z.boolean() }),
    match: z.strictObject({ id: Id, name: z.string(), sport: z.string() }),
    from: Timestamp,
    to: Timestamp,
    complete: z.boolean().meta({
      description:
        'False when retention took a part of this time, or when there are more steps than one answer holds: ask again from the last',
    }),
    steps: z.array(ReplayStep).meta({ description: 'In order; the first says what is on air at `from`' }),
  })
  .meta({ id: 'ReplayRecord' })
export type ReplayRecord = z.output<typeof ReplayRecord>

const window = {
  from: Moment.optional().meta({ description: 'Left out, from the first thing on air' }),
  to: Moment.optional().meta({ description: 'Left out, now, or soon after the last change when nothing is on air' }),
}

export const ReplayQuery = z.object(window).meta({ id: 'ReplayQuery' })
export type ReplayQuery = z.output<typeof ReplayQuery>

export const ReplayCreation = z.object(window).meta({ id: 'ReplayCreation' })
export type ReplayCreation = z.output<typeof ReplayCreation>

export const ReplayAddress = z
  .object({
    url: z.string().meta({ description: 'A page that plays it at any speed, without an API key' }),
    expiresAt: Timestamp,
  })
  .meta({ id: 'ReplayAddress' })
