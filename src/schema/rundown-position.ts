import { z } from 'zod'

const itemId = z.string().nullable()

/** How far the rundown of an overlay has come. show-control: Commands */
export const RundownPosition = z
  .object({
    cuedId: itemId.meta({
      description:
        'The item that the rundown put on preview last: `next` takes it. When somebody took it off preview by hand, `next` puts it there again. Null: none is cued',
    }),
    takenId: itemId.meta({ description: 'The item that went on air last' }),
  })
  .meta({ id: 'RundownPosition' })
