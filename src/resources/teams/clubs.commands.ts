import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import type { RecordContext } from '../../context.ts'
import { changedColumns } from '../changed-columns.ts'
import { said, writeEach } from '../each.ts'
import { ownRecords } from '../ownership.ts'
import { namedUses, removalOf } from '../removal.ts'
import { getClub } from './clubs.queries.ts'
import { type Club, type ClubBatch, ClubCreation, type ClubUpdate } from './clubs.schema.ts'

const COLUMNS = {
  name: 'name',
  defaultVenueId: 'default_venue_id',
  primaryBackgroundColor: 'primary_background_color',
  primaryTextColor: 'primary_text_color',
  secondaryBackgroundColor: 'secondary_background_color',
  secondaryTextColor: 'secondary_text_color',
} as const

type Asked = z.output<typeof ClubUpdate>

const checkVenue = async (ctx: RecordContext, tx: TransactionSql, { defaultVenueId }: Asked) => {
  if (defaultVenueId != null) await ownRecords(ctx, tx, 'venue', [defaultVenueId])
}

export function createClub(ctx: RecordContext, asked: z.output<typeof ClubCreation>): Promise<z.output<typeof Club>> {
  return ctx.db.write(ctx, { ref: 'club/new', type: 'create', asked }, async (tx) => {
    await checkVenue(ctx, tx, asked)
    const values = { organization_id: ctx.organizationId, ...changedColumns(COLUMNS, asked) }
    const [row] = await tx<{ id: number }[]>`insert into club ${tx(values)} returning id`
    if (!row) throw new Error('an insert returned no row')
    return {
      ref: `club/${row.id}`,
      result: await getClub(ctx, row.id, tx),
      events: [{ type: 'club.created', clubId: row.id, name: asked.name }],
    }
  })
}

/** Changes the fields that were sent. Teams without a value of their own show them from now on, on air too. */
export function updateClub(ctx: RecordContext, clubId: number, asked: Asked): Promise<z.output<typeof Club>> {
  const ref = `club/${clubId}`
  return ctx.db.write(ctx, { ref, type: 'update', asked }, async (tx) => {
    const before = await getClub(ctx, clubId, tx)
    await checkVenue(ctx, tx, asked)
    const changed = changedColumns(COLUMNS, asked)
    if (Object.keys(changed).length === 0) return { result: before, events: [] }
    await tx`update club set ${tx(changed)}, updated_at = clock_timestamp() where id = ${clubId}`
    return {
      result: await getClub(ctx, clubId, tx),
      events: [{ type: 'club.updated', clubId, changes: asked }],
      outbox: [{ kind: 'reaction', payload: { event: 'club.updated', ref } }],
    }
  })
}

/** Makes and changes clubs, all of them or none. Throws as `writeEach`. */
export const writeClubs = async (ctx: RecordContext, { clubs }: z.output<typeof ClubBatch>) => ({
  clubs: await writeEach(ctx, { member: 'clubs', items: clubs }, (each, { id, ...asked }) =>
    id === undefined ? createClub(each, ClubCreation.parse(said(asked))) : updateClub(each, id, asked),
  ),
})

/** Throws inUse while the club has teams. */
export const deleteClub = removalOf('club', (ctx, tx, id) =>
  namedUses(ctx, tx, { table: 'team', where: tx`r.club_id = ${id}` }),
)
