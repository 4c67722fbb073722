import type { z } from 'zod'
import type { RecordContext } from '../../context.ts'
import { checkGrade } from '../ownership.ts'
import { getCompetition } from './queries.ts'
import type { Competition, CompetitionCreation } from './schema.ts'

export function createCompetition(
  ctx: RecordContext,
  asked: z.output<typeof CompetitionCreation>,
): Promise<z.output<typeof Competition>> {
  return ctx.db.write(ctx, { ref: 'competition/new', type: 'create', asked }, async (tx) => {
    await checkGrade(tx, asked.gradeId)
    const [row] = await tx<{ id: number }[]>`
      insert into competition (organization_id, name, gfx_name, sport, age, gender, grade_id)
      values (${ctx.organizationId}, ${asked.name}, ${asked.gfxName ?? null}, ${asked.sport}, ${asked.age},
        ${asked.gender}, ${asked.gradeId})
      returning id`
    if (!row) throw new Error('an insert returned no row')
    return {
      ref: `competition/${row.id}`,
      result: await getCompetition(ctx, row.id, tx),
      events: [{ type: 'competition.created', competitionId: row.id, name: asked.name }],
    }
  })
}
