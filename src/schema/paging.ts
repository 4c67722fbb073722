import { z } from 'zod'
import { Count } from './fields.ts'

/** Query fields of every list; spread into the query object of the route. `limit` is 1 to 1000. */
export const paging = {
  limit: z.int32().min(1).max(1000).default(100).meta({ description: 'How many to return' }),
  offset: z.int32().min(0).default(0).meta({ description: 'How many to skip' }),
}

/** A list route without filters of its own. */
export const Paging = z.object(paging).meta({ id: 'Paging' })
export type Paging = z.output<typeof Paging>

/** The shape of a list answer: `{<key>: [...], total, returned}`. Name it with `.meta({ id })`. spec: Players 8 */
export const paged = <Key extends string, Item extends z.ZodType>(key: Key, item: Item) =>
  z.strictObject({ [key]: z.array(item), total: Count, returned: Count } as Record<Key, z.ZodArray<Item>> & {
    total: typeof Count
    returned: typeof Count
  })
