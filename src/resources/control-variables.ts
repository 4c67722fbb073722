import { z } from 'zod'
import type { Value } from '../../machines/overlay/model.ts'
import type { FieldErrors } from '../errors.ts'
import { type Gdd, gddFault } from '../ograf/gdd.ts'
import type { ControlVariableType } from './code-graphics/schema.ts'

type Type = z.output<typeof ControlVariableType>
type Rule = { schema: z.ZodType<GivenValue>; expected: string }

/** A sponsor slot in place of a brand: the brand is chosen when the graphic is shown. game-plan: Brands and sponsor slots */
export const SlotChoice = z
  .strictObject({ slot: z.string().min(1).max(100) })
  .meta({ id: 'SlotChoice', description: 'The brand of this sponsor slot that is furthest behind its share' })
export type SlotChoice = z.output<typeof SlotChoice>

/** What is asked for; on air there are values only. */
export type GivenValue = Value | SlotChoice
export type GivenValues = Record<string, GivenValue>

export const isSlot = (value: GivenValue | undefined): value is SlotChoice =>
  typeof value === 'object' && value !== null && 'slot' in value

const id = z.int32().min(1)
const name = z.string().min(1)

const recordOf = (kind: string): Rule => ({
  schema: id.meta({ description: `Id of a ${kind} of the match` }),
  expected: `expected the id of a ${kind}`,
})
const numbered = (kind: string): Rule => ({
  schema: id.meta({ description: `Number of a ${kind} of the match, from 1` }),
  expected: `expected the number of a ${kind}`,
})
const listed = (kind: string, place: string): Rule => ({
  schema: z.union([id.meta({ description: place }), name.meta({ description: `Name of a ${kind}` })]),
  expected: `expected the number or the name of a ${kind}`,
})
const statistic = listed('statistic', 'Place among the statistics of the sport, from 1')

/** The form of a value of each type, beside null, which clears a variable to its default: the only place that says so. */
const RULES: Readonly<Record<Type, Rule>> = {
  string: { schema: z.string(), expected: 'expected a string' },
  number: { schema: z.number(), expected: 'expected a finite number' },
  boolean: { schema: z.boolean(), expected: 'expected a boolean' },
  enum: { schema: z.string().meta({ description: 'One of the `options` of the variable' }), expected: '' },
  team: recordOf('team'),
  player: recordOf('player'),
  match: recordOf('match'),
  fact: recordOf('fact'),
  teamStat: statistic,
  set: numbered('set'),
  round: listed('round', 'The number at the end of its name'),
  court: listed('court', 'Place among the courts of the venue, from 1'),
  stat: statistic,
  period: numbered('period'),
  ad: {
    schema: z.union([id.meta({ description: 'Id of a brand' }), SlotChoice]),
    expected: 'expected the id of a brand, or a sponsor slot',
  },
}

const isKnown = (type: string): type is Type => Object.hasOwn(RULES, type)

/** The fault of a value for a variable of a graphic, undefined when there is none. Records are checked by their form only. */
export function wrongValue(
  variable: { type: string; options?: readonly string[]; schema?: Gdd } | undefined,
  value: GivenValue,
): string | undefined {
  if (!variable) return 'the graphic has no such variable'
  if (value === null) return undefined
  const { type, options = [], schema: gdd } = variable
  if (gdd) return gddFault(gdd, value)
  if (!isKnown(type)) return 'the type of the variable is unknown'
  if (type === 'enum')
    return typeof value === 'string' && options.includes(value) ? undefined : `expected one of ${options.join(', ')}`
  const { schema, expected } = RULES[type]
  return schema.safeParse(value).success ? undefined : expected
}

/** A value of a type as zod sees it, null included; that of an enum is also held against the options of its variable. */
export const valueSchema = (type: Type): z.ZodType<GivenValue> => RULES[type].schema.nullable()

/** The bad values of a request by their path; undefined when none is. */
export function valueErrors<V extends GivenValue>(
  given: Readonly<Record<string, V>>,
  wrong: (name: string, value: V) => string | undefined,
) {
  let details: FieldErrors | undefined
  for (const [name, value] of Object.entries(given)) {
    const message = wrong(name, value)
    if (message === undefined) continue
    details ??= {}
    details[`body.variableValues.${name}`] = { message, value }
  }
  return details
}
