import type { z } from 'zod'
import type { RecordContext } from '../../context.ts'
import type { OfficialCreation } from './schema.ts'

export function createOfficial(ctx: RecordContext, asked: z.output<typeof OfficialCreation>): Promise<{ id: number }> {
  return ctx.db.write(ctx, { ref: 'official/new', type: 'create', asked }, async (tx) => {
    const [official] = await tx<{ id: number }[]>`
      insert into official (organization_id, first_name, last_name, role, gfx_name)
      values (${ctx.organizationId}, ${asked.firstName}, ${asked.lastName}, ${asked.role ?? null},
        ${asked.gfxName ?? null})
      returning id`
    if (!official) throw new Error('an insert returned no row')
    return {
      ref: `official/${official.id}`,
      result: official,
      events: [{ type: 'official.created', officialId: official.id }],
    }
  })
}
