/** What `LOAD_GRAPHIC` and `GRAPHIC_UPDATE` carry as `data` for the demo's graphics. Anything may be missing while a match is being set up. */
export type GraphicData = {
  match: {
    id: number
    name: string | null
    /** `scheduled`, `live`, `break`, `finished`, … */
    state: string
    /** ISO 8601. */
    date: string
    round: string | null
    venue: { name: string } | null
    competition: { name: string; gfxName?: string | null }
    period: { number: number; type: string; name: string } | null
    clock: MatchClock
    score: { home: number; away: number }
  }
  teams: { home: GraphicTeam; away: GraphicTeam }
  lineups: { home: GraphicLineup; away: GraphicLineup }
  facts: GraphicFact[]
}

/** The value at `asOf` (ISO 8601, server time); while running it moves on by itself, cumulative over the periods. */
export type MatchClock = { running: boolean; valueMs: number; asOf: string; direction: 'up' | 'down' }

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

export type GraphicFact = {
  id: number
  /** `goal`, `penaltyGoal`, `ownGoal`, `yellowCard`, … */
  type: string
  teamId: number | null
  playerId: number | null
  minute: number | null
  addedMinute: number | null
  /** Set when the player is not in the line-up. */
  playerName?: string | null
}
