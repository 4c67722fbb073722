import type { Competitor, Match, MatchConfig, MatchSettings, MatchState, Play } from './match-model.ts'
import { situationOf } from './statistics/clocks.ts'

/** The columns that the row of a match takes from its state: all that lists and joins need. */
export type MatchRecord = Omit<MatchSettings, 'officials'> & {
  officials: { id: number; role: string }[]
  config: Partial<MatchConfig>
  competitors: (Competitor & { position: number })[]
  state: MatchState
  play: Play
  scoreOverride: Match['scoreOverride']
}

/** The projection: the columns of the row of a match after a command. */
export const projectMatch = (match: Match, { at }: { at?: string }) => ({ ...recordOf(match), updatedAt: at ?? null })

/** The record of a match in this state. */
export function recordOf(match: Match): MatchRecord {
  const { settings, config, competitors, play, scoreOverride } = match
  return {
    ...settings,
    officials: settings.officials.map(({ id, role }) => ({ id, role })),
    config,
    competitors: competitors.map((competitor, position) => ({ ...competitor, position })),
    state: play.state,
    // the row has no facts, and a list shows the clocks that they started
    play: { ...play, situation: situationOf(match) },
    scoreOverride,
  }
}
