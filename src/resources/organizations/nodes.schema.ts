import { z } from 'zod'
import { Timestamp } from '../../schema/fields.ts'

/** A process that serves, as one of several. */
export const ServiceNode = z
  .strictObject({
    id: z.string(),
    url: z.string().meta({ description: 'Where other nodes reach it' }),
    version: z.string(),
    state: z.enum(['live', 'draining', 'dead']),
    startedAt: Timestamp,
    beatAt: Timestamp,
    slots: z.int().meta({ description: 'Of the 256 that all overlays, streams and matches are shared into' }),
    actors: z.int(),
    renderers: z.int(),
    followers: z.int(),
  })
  .meta({ id: 'ServiceNode' })

export const Takeover = z
  .strictObject({
    at: Timestamp,
    slots: z.int(),
    from: z.string().meta({ description: 'The id of a node' }),
    to: z.string(),
    reason: z.string(),
  })
  .meta({ id: 'Takeover' })

export const NodeList = z
  .strictObject({
    at: Timestamp.meta({ description: 'The time of the server' }),
    alone: z.boolean().meta({ description: 'The server shares its database with no other node' }),
    drainable: z.boolean().meta({
      description:
        'Nodes may be drained here: no other organization is served by them. Else only on a machine, by `admin nodes drain`',
    }),
    nodes: z.array(ServiceNode),
    takeovers: z.array(Takeover).meta({ description: 'Of the last day, the newest first' }),
  })
  .meta({ id: 'NodeList' })

export const NodeParams = z.object({ nodeId: z.string().max(100) })
