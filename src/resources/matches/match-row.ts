import type { z } from 'zod'
import type { Play } from '../../../machines/match-model.ts'
import type { MatchRecord } from '../../../machines/match-record.ts'
import type { MatchV2, Situation } from './schema.ts'

type V2 = z.output<typeof MatchV2>

/** A match as its row shows it: the state its actor last committed, and columns that belong to the row alone. */
export type MatchRow = Omit<MatchRecord, 'date' | 'play' | 'scoreOverride'> & {
  /** Null until the first commit of a match from before there was any. */
  play: MatchRecord['play'] | null
  id: number
  organizationId: number
  competitionId: number
  sport: V2['sport']
  date: string | Date
  venueName: string | null
  dataProvider: V2['dataProvider'] | null
  createdAt: Date
  updatedAt: string | Date
}

/** What a sport has beside the score, in the shape that the API tells; a row has it with its clocks. */
export const shownSituation = (situation: Play['situation']) => situation as z.output<typeof Situation>
