import type { z } from 'zod'
import type { RecordContext } from '../../context.ts'
import { checkGrade, ownRecords } from '../ownership.ts'
import type { TeamCreation } from './schema.ts'

/** Creates a team. Competitions and venue must be the organization's. spec: Teams 1 */
export function createTeam(ctx: RecordContext, asked: z.output<typeof TeamCreation>): Promise<{ id: number }> {
  return ctx.db.write(ctx, { ref: 'team/new', type: 'create', asked }, async (tx) => {
    if (asked.defaultVenueId !== undefined) await ownRecords(ctx, tx, 'venue', [asked.defaultVenueId])
    await ownRecords(ctx, tx, 'competition', asked.competitionIds)
    if (asked.gradeId !== undefined) await checkGrade(tx, asked.gradeId)
    const [team] = await tx<{ id: number }[]>`
      insert into team (organization_id, name, gfx_name, gfx_full_name, abbreviation, sport, age, gender, grade_id,
        default_venue_id, primary_background_color, primary_text_color, secondary_background_color,
        secondary_text_color, non_player_staff)
      values (${ctx.organizationId}, ${asked.name}, ${asked.gfxName ?? null}, ${asked.gfxFullName ?? null},
        ${asked.abbreviation ?? null}, ${asked.sport}, ${asked.age}, ${asked.gender}, ${asked.gradeId ?? null},
        ${asked.defaultVenueId ?? null}, ${asked.primaryBackgroundColor}, ${asked.primaryTextColor},
        ${asked.secondaryBackgroundColor ?? null}, ${asked.secondaryTextColor ?? null}, ${tx.json(asked.nonPlayerStaff)})
      returning id`
    if (!team) throw new Error('an insert returned no row')
    await tx`insert into competition_team (competition_id, team_id)
      select distinct unnest(${asked.competitionIds}::int[]), ${team.id}::int`
    return {
      ref: `team/${team.id}`,
      result: team,
      events: [{ type: 'team.created', teamId: team.id, name: asked.name }],
    }
  })
}
