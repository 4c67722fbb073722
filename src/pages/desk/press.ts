import type { MatchState } from '../../../machines/match-model.ts'

/** The fact that a press is about: one that the server has given an id, or one that this telephone has yet to send. */
export type Target = { factId: number } | { press: string }

/** What a person says of a fact; members that are left out come from the state of play, or stay as they are. */
export type FactSaid = {
  type?: string
  teamId?: number | null
  playerId?: number | null
  secondaryPlayerId?: number | null
  period?: number
  points?: number
  clockMs?: number
  minute?: number
  value?: string | number | null
  details?: Readonly<Record<string, unknown>>
  /** ISO 8601, when it is another time than that of the press: a fact that is put back. */
  timestamp?: string
}

export type FieldedPlayer = {
  playerId: number
  number?: string | null
  position?: string | null
  starting: boolean
  captain?: boolean
}
export type SentLineup = { teamId: number; formation?: string | null; players: readonly FieldedPlayer[] }

export type DeskCommand =
  | { type: 'record'; fact: FactSaid & { type: string } }
  | { type: 'correct'; target: Target; fact: FactSaid }
  | { type: 'erase'; target: Target }
  | { type: 'update'; state?: MatchState; score?: { home: number; away: number } | null }
  | { type: 'lineup'; teams: readonly SentLineup[] }

/** One thing that a person did, kept on the telephone until the server has answered it. */
export type Press = {
  /** Its Idempotency-Key, and the `clientFactId` of the fact that it records. */
  id: string
  /** Presses are sent in this order. */
  order: number
  /** When it was pressed: ms since 1970 by the clock of the server, as far as that is known. */
  at: number
  /** The same by the telephone's own clock, and in which run of the page: what is measured later in that run puts `at` right. */
  local: number
  run: string
  command: DeskCommand
  /** It was sent at least once, and nobody knows whether it arrived: it stays as it is. */
  tried: boolean
  /** The server has refused it, with these words; it waits for a person. */
  refusal?: { status: number; message: string; details: readonly string[] }
}
