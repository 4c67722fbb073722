import { z } from 'zod'
import { Id, text } from '../../schema/fields.ts'
import { Placement, RosterPlayer, ShirtNumber } from '../teams/roster.schema.ts'
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

/** spec: GET /v1/matches/{matchId}/lineup */
export const MatchLineup = z
  .object({ matchId: Id, lineups: z.array(TeamLineup).meta({ description: 'The home team first' }) })
  .meta({ id: 'MatchLineup' })

export const LineupParams = z.object({ matchId: Id }).meta({ id: 'LineupParams' })
/** Of the match before, to start from. */
export const EarlierLineup = z
  .object({
    matchId: Id.nullable().meta({ description: 'Null where the team was lined up in no match before' }),
    lineup: TeamLineup.nullable(),
  })
  .meta({ id: 'EarlierLineup' })
export const EarlierLineupParams = z.object({ matchId: Id, teamId: Id }).meta({ id: 'EarlierLineupParams' })
export const LineupFilter = z
  .object({
    teamId: Id.optional().meta({ description: 'Only this team of the match' }),
    starting: z.boolean().optional().meta({ description: 'Only starters, or only the bench' }),
  })
  .meta({ id: 'LineupFilter' })

const FieldedPlayer = z
  .object({
    playerId: Id,
    number: ShirtNumber.nullable().optional().meta({ description: 'Left out or null, as on the roster' }),
    position: Placement.nullable().optional().meta({ description: 'Left out or null, as on the roster' }),
    starting: z.boolean(),
    captain: z.boolean().optional(),
  })
  .meta({ id: 'FieldedPlayer' })

/** Replaces the line-up of each team that is named, and of no other. No players: an empty line-up. */
export const LineupUpdate = z
  .object({
    teams: z
      .array(
        z
          .object({
            teamId: Id,
            formation: text(1, 32).nullable().optional(),
            players: z.array(FieldedPlayer).max(200),
          })
          .meta({ id: 'TeamLineupUpdate' }),
      )
      .min(1)
      .max(100),
  })
  .meta({ id: 'LineupUpdate' })
export type LineupUpdate = z.output<typeof LineupUpdate>
