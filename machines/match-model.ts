export type MatchState =
  | 'scheduled'
  | 'live'
  | 'break'
  | 'finished'
  | 'delayed'
  | 'postponed'
  | 'suspended'
  | 'abandoned'
  | 'cancelled'

export type PeriodType = 'half' | 'quarter' | 'period' | 'set' | 'innings' | 'overtime' | 'shootout'

/** How a match is played; lengths in minutes. */
export type MatchConfig = {
  periodCount: number
  periodLength: number
  breakLength: number
  extraTime: boolean
  goldenGoal: boolean
  shootout: boolean
  useClock: boolean
  clockDirection: 'up' | 'down'
  cumulative: boolean
  injuryTime: boolean
  endBehaviour: 'stopAtLength' | 'tickUntilEnd'
  statCoverage: 'minimum' | 'standard'
  startingSize: number
  benchSize: number
}

/** In order; the first of each side names the side. A player may play for a team. */
export type Competitor = {
  entityType: 'team' | 'player'
  teamId: number | null
  playerId: number | null
  isHome: boolean
}

/** The settings of a match beside its play. Times are ISO 8601 or whole minutes. */
export type MatchSettings = {
  name: string | null
  competitorsType: 'singles' | 'doubles' | 'teams' | 'group'
  date: string
  timezone: string
  venueId: number | null
  round: string | null
  officials: readonly { id: number; role: string }[]
  pregameAutomationTime: number | null
  postgameAutomationTime: number | null
}

/** One thing that happened. Facts are kept in match order: by `timestamp`, then by id. */
export type Fact = {
  id: number
  type: string
  teamId: number | null
  playerId: number | null
  /** Assist, player off, fielder. */
  secondaryPlayerId: number | null
  /** The period that the fact counts for, from 1; 0 before the first. */
  period: number
  periodType: PeriodType | null
  /** What the match clock showed at the fact. */
  clockMs: number | null
  minute: number | null
  addedMinute: number | null
  /** What the fact is worth: by the sport's table, or as given where the type leaves it open. */
  points: number
  value: string | number | boolean | null
  details: Readonly<Record<string, unknown>>
  /** When the fact happened, ISO 8601. */
  timestamp: string
  source: 'api' | 'app' | 'provider'
  dataProvider: { name: string; id: string } | null
  clientFactId: string | null
  createdAt: string
  updatedAt: string
}

/** A fact as asked: members left out come from the state of play at `timestamp`, by default the time of the command. */
export type FactAsked = Pick<Fact, 'type'> & Partial<Omit<Fact, 'id' | 'type' | 'createdAt' | 'updatedAt'>>

/** The clock shows `valueMs` at `asOf` (ISO 8601); while it runs it goes on by itself. */
export type MatchClock = { running: boolean; valueMs: number; asOf: string; direction: 'up' | 'down' }

export type PeriodScore = { number: number; type: PeriodType; name: string; home: number; away: number }

/** Everything that follows from the facts. */
export type Play = {
  state: MatchState
  period: { number: number; type: PeriodType; name: string } | null
  clock: MatchClock
  score: { home: number; away: number; periods: readonly PeriodScore[] }
  /** By order of the competitors. */
  competitorScores: readonly number[]
  /** Counts by kind of fact (`goals`, `yellowCards`, `corners`, …) per side. */
  statistics: { home: Readonly<Record<string, number>>; away: Readonly<Record<string, number>> }
  /** What only this sport has: points and games of a tennis set, overs and wickets, outs and bases, downs. Null when nothing. */
  situation: Readonly<Record<string, unknown>> | null
}

export type Match = {
  sport: string
  /** The members that were set over the defaults of the sport. */
  config: Partial<MatchConfig>
  settings: MatchSettings
  competitors: readonly Competitor[]
  facts: readonly Fact[]
  /** Said by hand: holds until facts or another state said by hand change it. */
  declared: MatchState | null
  /** When that was said, ISO 8601: a match that was stopped by hand stands from then on. */
  declaredAt: string | null
  /** Said by hand, over the score that the facts add up to. */
  scoreOverride: { home: number; away: number } | null
  /** ISO 8601; the clock stands from then on until the match starts. */
  createdAt: string
  play: Play
}

/** Commands carry the seq that the host will commit them under, and the time of the server (ISO 8601). */
export type MatchCommand = { seq: number; at: string } & (
  | { type: 'record'; id: number; fact: FactAsked }
  | { type: 'correct'; factId: number; fact: Partial<FactAsked> }
  | { type: 'erase'; factId: number }
  | {
      type: 'update'
      settings?: Partial<MatchSettings>
      /** Refused once the match has started. */
      config?: Partial<MatchConfig>
      /** Refused once the match has started. */
      competitors?: readonly Competitor[]
      state?: MatchState
      score?: { home: number; away: number } | null
    }
)

/** Facts of a match, whose fold is its state. `play` is the state of play after the event. */
export type MatchEvent =
  | { type: 'match.fact.recorded'; fact: Fact; play: Play }
  | { type: 'match.fact.corrected'; fact: Fact; play: Play }
  | { type: 'match.fact.erased'; factId: number; play: Play }
  | {
      type: 'match.updated'
      settings: MatchSettings
      config: Partial<MatchConfig>
      competitors: readonly Competitor[]
      declared: MatchState | null
      declaredAt: string | null
      scoreOverride: { home: number; away: number } | null
      play: Play
    }

/** Why a command cannot be: `path` below the request body (`type`, `period`, `config.periodCount`), empty for the whole body. */
export type Refusal = { path: string; message: string; value?: unknown }
