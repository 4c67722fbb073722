import type { MatchClock } from '../../pages/shared/clock.ts'

/**
 * `data` of `LOAD_GRAPHIC` and `GRAPHIC_UPDATE`, as far as the demo's graphics read it; the whole of it is at
 * `GET /v2/schemas/sports/{sport}`. Anything may be missing while a match is being set up.
 */
export type GraphicData = {
  match: {
    id: number
    name: string | null
    sport: string
    /** `scheduled`, `live`, `break`, `finished`, … */
    state: string
    /** ISO 8601. */
    date: string
    round: string | null
    venue: { name: string } | null
    competition: { name: string; gfxName?: string | null }
    /** `endMs` is what the clock shows when the regular length of the period is over. */
    period: { number: number; type: string; name: string; endMs: number | null } | null
    clock: MatchClock
    score: { home: number; away: number }
    /** The part of the state that only this sport has. */
    situation: Readonly<Record<string, unknown>> | null
    config: {
      periodCount: number
      useClock: boolean
      injuryTime: boolean
      endBehaviour: 'stopAtLength' | 'tickUntilEnd'
    }
  }
  teams: { home: GraphicTeam | null; away: GraphicTeam | null }
  competitors: GraphicCompetitor[]
  lineups: { home: GraphicLineup; away: GraphicLineup }
  facts: GraphicFact[]
  scoringFacts: GraphicFact[]
  /** By name, counted from facts or told. */
  statistics: { home: Readonly<Record<string, number>>; away: Readonly<Record<string, number>> }
  standings: { rows: GraphicStanding[]; groups: string[] }
  /** The records that control variables name, by the name of the variable. */
  selected?: { player?: SelectedPlayer | null; brand?: SelectedBrand | null }
}

/** The value at `asOf` (ISO 8601, server time); while running it moves on by itself, cumulative over the periods. */
export type GraphicTeam = {
  id: number
  name: string
  gfxName?: string
  gfxFullName?: string
  abbreviation?: string
  primaryBackgroundColor?: string
  primaryTextColor?: string
  secondaryBackgroundColor?: string
  secondaryTextColor?: string
  /** Full name of the manager, else of the first member of staff. */
  coach: string | null
}

/** A competitor: a team, or a player where a side is no team. */
export type GraphicCompetitor = { isHome: boolean; name: string; shortName: string }

export type GraphicLineup = { formation?: string | null; players: LineupPlayer[] }

export type LineupPlayer = {
  id: number
  firstName: string
  lastName: string
  gfxFirstName: string | null
  gfxLastName: string | null
  number: string | null
  position: string | null
  starting: boolean
  captain: boolean
}

export type SelectedPlayer = Pick<
  LineupPlayer,
  'id' | 'firstName' | 'lastName' | 'gfxFirstName' | 'gfxLastName' | 'number'
> & { teamId: number | null }

export type SelectedBrand = {
  id: number
  name: string
  logoUrl: string | null
  primaryColor: string
  textColor: string
  tagline: string | null
}

/** A team of the table of the competition. */
export type GraphicStanding = {
  teamId: number
  shortName: string
  primaryBackgroundColor?: string
  primaryTextColor?: string
  group: string | null
  position: number
  played: number
  won: number
  drawn: number
  lost: number
  difference: number
  points: number
  form: ('W' | 'D' | 'L' | 'N')[]
}

export type GraphicFact = {
  id: number
  /** `goal`, `penaltyGoal`, `ownGoal`, `yellowCard`, … */
  type: string
  /** The side of the player: an own goal counts for the other one. */
  side: 'home' | 'away' | null
  playerId: number | null
  /** As graphics show it. */
  playerName: string | null
  period: number
  periodType: string | null
  minute: number | null
  addedMinute: number | null
}
