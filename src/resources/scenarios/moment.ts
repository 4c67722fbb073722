import { lastWord, PlayedMatch } from '../game-plans/played-match.ts'
import { composeSportData } from '../matches/compose-sport-data.ts'
import type { SportData } from '../matches/sport-data.schema.ts'
import type { FoundScenario } from './queries.ts'

/**
 * The match of a scenario as it stood at a moment before it, with the data that graphics were given then; the scenario itself for any later one.
 * `at`: ISO 8601.
 */
export function momentOf(scenario: FoundScenario, at: string): { at: string; data: SportData } {
  const wanted = Date.parse(at)
  if (!(wanted < Date.parse(scenario.at))) return scenario
  const { parts } = scenario
  const { facts } = parts.match
  const played = new PlayedMatch(parts.match)
  played.take({
    at: wanted,
    facts: facts.filter(({ timestamp }) => Date.parse(timestamp) <= wanted),
    said: undefined,
  })
  const word = lastWord(parts.match)
  if (word.at <= wanted) played.take({ at: wanted, facts: [], said: word })
  return { at, data: composeSportData({ ...parts, match: played.match }) }
}
