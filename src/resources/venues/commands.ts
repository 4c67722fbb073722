import type { z } from 'zod'
import type { RecordContext } from '../../context.ts'
import type { VenueCreation } from './schema.ts'

export function createVenue(ctx: RecordContext, asked: z.output<typeof VenueCreation>): Promise<{ id: number }> {
  return ctx.db.write(ctx, { ref: 'venue/new', type: 'create', asked }, async (tx) => {
    const [venue] = await tx<{ id: number }[]>`
      insert into venue (organization_id, name, gfx_name, address, city, state, country, timezone, latitude, longitude,
        courts)
      values (${ctx.organizationId}, ${asked.name}, ${asked.gfxName ?? null}, ${asked.address ?? null},
        ${asked.city ?? null}, ${asked.state ?? null}, ${asked.country ?? null}, ${asked.timezone ?? null},
        ${asked.latitude ?? null}, ${asked.longitude ?? null}, ${asked.courts})
      returning id`
    if (!venue) throw new Error('an insert returned no row')
    return {
      ref: `venue/${venue.id}`,
      result: venue,
      events: [{ type: 'venue.created', venueId: venue.id, name: asked.name }],
    }
  })
}
