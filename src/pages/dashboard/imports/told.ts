import type { z } from 'zod'
import type * as competitions from '../../../resources/competitions/schema.ts'
import type * as matches from '../../../resources/matches/schema.ts'
import type * as officials from '../../../resources/officials/schema.ts'
import type * as clubs from '../../../resources/teams/clubs.schema.ts'
import type * as teams from '../../../resources/teams/schema.ts'
import type * as venues from '../../../resources/venues/schema.ts'

/** What is there, as the API tells it: here, so that imports are judged without a page. */
export type Club = z.output<typeof clubs.Club>
export type Competition = z.output<typeof competitions.Competition>
export type GradeList = z.output<typeof competitions.GradeList>
export type Official = z.output<typeof officials.Official>
export type Team = z.output<typeof teams.Team>
export type Venue = z.output<typeof venues.Venue>
/** What an import looks at of a match. */
export type Match = Pick<
  z.output<typeof matches.MatchV1>,
  'id' | 'name' | 'homeTeamId' | 'awayTeamId' | 'date' | 'venueId' | 'round' | 'state'
>
