import { happeningsOf, lastWord, PlayedMatch, type Said } from '../game-plans/played-match.ts'
import { type Composed, composeSportData } from '../matches/compose-sport-data.ts'
import type { SportData } from '../matches/sport-data.schema.ts'
import type { FoundScenario } from './queries.ts'

/**
 * The match of a scenario as it stood at a moment before it, with the data that graphics were given then; the scenario itself for any later one.
 * `at`: ISO 8601.
 */
export function momentOf(scenario: FoundScenario, at: string): { at: string; data: SportData } {
  if (!(Date.parse(at) < Date.parse(scenario.at))) return scenario
  const { parts } = scenario
  return { at, data: matchAt(parts, [lastWord(parts.match)], at) }
}

/** The data that graphics of a match were given at a moment (ISO 8601), by its facts as they stand now and what was said of it by hand. */
export function matchAt(parts: Composed, said: readonly Said[], at: string): SportData {
  const wanted = Date.parse(at)
  const played = new PlayedMatch(parts.match)
  for (const happening of happeningsOf(parts.match, said)) if (happening.at <= wanted) played.take(happening)
  return composeSportData({ ...parts, match: played.match })
}
