import { z } from 'zod'
import { Id } from '../../schema/fields.ts'
import { RosterPlayer } from '../teams/roster.schema.ts'
import { TeamStaffMember } from '../teams/schema.ts'

/** A player as the team fields him in this match. spec: Roster player */
export const LineupPlayer = RosterPlayer.omit({ starter: true, bench: true })
  .extend({
    teamId: Id,
    starting: z.boolean().meta({ description: 'True for a starter, false for a bench player' }),
  })
  .meta({ id: 'LineupPlayer' })

export const TeamLineup = z
  .object({
    teamId: Id,
    formation: z.string().nullable(),
    players: z.array(LineupPlayer).meta({ description: 'Starters first' }),
    staff: z.array(TeamStaffMember),
  })
  .meta({ id: 'TeamLineup' })
export type TeamLineup = z.output<typeof TeamLineup>
