import type { z } from 'zod'
import type { RecordContext } from '../../context.ts'
import { changedColumns } from '../changed-columns.ts'
import { said, writeEach } from '../each.ts'
import { matchUses, removalOf } from '../removal.ts'
import { getOfficial } from './queries.ts'
import { type Official, type OfficialBatch, OfficialCreation, type OfficialUpdate } from './schema.ts'

type Shape = z.output<typeof Official>

const COLUMNS = { firstName: 'first_name', lastName: 'last_name', role: 'role', gfxName: 'gfx_name' } as const

export function createOfficial(ctx: RecordContext, asked: z.output<typeof OfficialCreation>): Promise<Shape> {
  return ctx.db.write(ctx, { ref: 'official/new', type: 'create', asked }, async (tx) => {
    const values = { organization_id: ctx.organizationId, ...changedColumns(COLUMNS, asked) }
    const [official] = await tx<{ id: number }[]>`insert into official ${tx(values)} returning id`
    if (!official) throw new Error('an insert returned no row')
    return {
      ref: `official/${official.id}`,
      result: await getOfficial(ctx, official.id, tx),
      events: [{ type: 'official.created', officialId: official.id }],
    }
  })
}

/** Fields left out keep their value, null takes it away. Graphics on air that name the official follow. */
export function updateOfficial(
  ctx: RecordContext,
  officialId: number,
  asked: z.output<typeof OfficialUpdate>,
): Promise<Shape> {
  const ref = `official/${officialId}`
  return ctx.db.write(ctx, { ref, type: 'update', asked }, async (tx) => {
    const before = await getOfficial(ctx, officialId, tx)
    const changed = changedColumns(COLUMNS, asked)
    if (Object.keys(changed).length === 0) return { result: before, events: [] }
    await tx`update official set ${tx(changed)} where id = ${officialId}`
    const event = { type: 'official.updated', officialId, changed: asked }
    return {
      result: await getOfficial(ctx, officialId, tx),
      events: [event],
      outbox: [{ kind: 'reaction', payload: { event: event.type, ref } }],
    }
  })
}

/** Makes and changes officials, all of them or none. Throws as `writeEach`. */
export const writeOfficials = async (ctx: RecordContext, { officials }: z.output<typeof OfficialBatch>) => ({
  officials: await writeEach(ctx, { member: 'officials', items: officials }, (each, { id, ...asked }) =>
    id === undefined ? createOfficial(each, OfficialCreation.parse(said(asked))) : updateOfficial(each, id, asked),
  ),
})

/** Throws inUse while a match names the official. */
export const deleteOfficial = removalOf('official', (ctx, tx, id) =>
  matchUses(ctx, tx, tx`m.officials @> ${JSON.stringify([{ id }])}::text::jsonb`),
)
