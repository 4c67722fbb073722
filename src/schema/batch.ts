import type { z } from 'zod'
import { alsoWhenInvalid } from './fields.ts'

/** An item of a batch: one without `id` is made, and needs these fields. */
export const madeWith = <Item extends z.ZodType<object>>(item: Item, ...needed: readonly string[]): Item =>
  needed.reduce(
    (schema, name) =>
      schema.refine((value) => has(value, 'id') || has(value, name), {
        ...{ path: [name], error: 'one that is made needs it' },
        ...alsoWhenInvalid,
      }),
    item,
  )

const has = (value: object, name: string) => new Map<string, unknown>(Object.entries(value)).get(name) !== undefined
