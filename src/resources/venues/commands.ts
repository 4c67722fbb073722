import type { z } from 'zod'
import type { RecordContext } from '../../context.ts'
import { changedColumns } from '../changed-columns.ts'
import { said, writeEach } from '../each.ts'
import { ownRecords } from '../ownership.ts'
import { matchUses, namedUses, removalOf } from '../removal.ts'
import { getVenue } from './queries.ts'
import { type Venue, type VenueBatch, VenueCreation, type VenueUpdate } from './schema.ts'

type Shape = z.output<typeof Venue>

export function createVenue(ctx: RecordContext, asked: z.output<typeof VenueCreation>): Promise<Shape> {
  return ctx.db.write(ctx, { ref: 'venue/new', type: 'create', asked }, async (tx) => {
    const [venue] = await tx<{ id: number }[]>`
      insert into venue (organization_id, name, gfx_name, address, city, state, country, timezone, latitude, longitude,
        courts)
      values (${ctx.organizationId}, ${asked.name}, ${asked.gfxName ?? null}, ${asked.address ?? null},
        ${asked.city ?? null}, ${asked.state ?? null}, ${asked.country ?? null}, ${asked.timezone ?? null},
        ${asked.latitude ?? null}, ${asked.longitude ?? null}, ${asked.courts ?? []})
      returning id`
    if (!venue) throw new Error('an insert returned no row')
    return {
      ref: `venue/${venue.id}`,
      result: await getVenue(ctx, venue.id, tx),
      events: [{ type: 'venue.created', venueId: venue.id, name: asked.name }],
    }
  })
}

/** Fields left out keep their value; those that are null lose it. */
export function updateVenue(ctx: RecordContext, venueId: number, asked: z.output<typeof VenueUpdate>): Promise<Shape> {
  const ref = `venue/${venueId}`
  return ctx.db.write(ctx, { ref, type: 'update', asked }, async (tx) => {
    await ownRecords(ctx, tx, 'venue', [venueId])
    const changed = changedColumns(
      {
        name: 'name',
        gfxName: 'gfx_name',
        address: 'address',
        city: 'city',
        state: 'state',
        country: 'country',
        timezone: 'timezone',
        latitude: 'latitude',
        longitude: 'longitude',
      },
      asked,
    )
    const all = { ...changed, ...(asked.courts && { courts: asked.courts }) }
    if (Object.keys(all).length > 0)
      await tx`update venue set ${tx(all)}, updated_at = clock_timestamp() where id = ${venueId}`
    const event = { type: 'venue.updated', venueId, changed: asked }
    return {
      result: await getVenue(ctx, venueId, tx),
      events: [event],
      outbox: [{ kind: 'reaction', payload: { event: event.type, ref } }],
    }
  })
}

/** Makes and changes venues, all of them or none. Throws as `writeEach`. */
export const writeVenues = async (ctx: RecordContext, { venues }: z.output<typeof VenueBatch>) => ({
  venues: await writeEach(ctx, { member: 'venues', items: venues }, (each, { id, ...asked }) =>
    id === undefined ? createVenue(each, VenueCreation.parse(said(asked))) : updateVenue(each, id, asked),
  ),
})

/** Throws inUse while a match is at the venue, or a team or club is at home there. */
export const deleteVenue = removalOf('venue', async (ctx, tx, id) => [
  ...(await matchUses(ctx, tx, tx`m.venue_id = ${id}`)),
  ...(await namedUses(ctx, tx, { table: 'team', where: tx`r.default_venue_id = ${id}` })),
  ...(await namedUses(ctx, tx, { table: 'club', where: tx`r.default_venue_id = ${id}` })),
])
