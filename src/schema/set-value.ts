import { z } from 'zod'

type Value = string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value }

const nested = { description: 'Of an OGraf graphic only, whose schema says what may be in it' }

/** What a control variable of a graphic is set to: of an OGraf graphic also lists and objects. A body is JSON, so that their parts are values. */
export const SetValue = z
  .union([
    z.string(),
    z.number(),
    z.boolean(),
    z.null(),
    z.array(z.unknown()).meta(nested),
    z.record(z.string(), z.unknown()).meta(nested),
  ])
  .meta({ id: 'SetValue' }) as unknown as z.ZodType<Value, Value>
