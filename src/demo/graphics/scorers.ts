import type { GraphicData, GraphicFact } from './data.ts'
import type { Side } from './teams.ts'

const MARKS: Readonly<Record<string, string>> = { goal: '', penaltyGoal: ' (pen)', ownGoal: ' (og)' }

const other = { home: 'away', away: 'home' } as const

/** The side that a goal counts for; undefined when the fact is no goal. */
export function scoringSide({ type, side }: GraphicFact): Side | undefined {
  if (MARKS[type] === undefined || side === null) return undefined
  return type === 'ownGoal' ? other[side] : side
}

/** `61’`, `45+2’`; empty where the minute is not known. */
export const minuteOf = ({ minute, addedMinute }: GraphicFact): string =>
  minute === null ? '' : `${minute}${addedMinute ? `+${addedMinute}` : ''}’`

/** The scorers of a side in match order, each once with all minutes. */
export function scorers(data: Partial<GraphicData>, side: Side): { name: string; minutes: string }[] {
  const minutes = new Map<string, string[]>()
  for (const fact of data.facts ?? []) {
    if (fact.playerName === null || scoringSide(fact) !== side) continue
    minutes.set(fact.playerName, [
      ...(minutes.get(fact.playerName) ?? []),
      `${minuteOf(fact)}${MARKS[fact.type] ?? ''}`,
    ])
  }
  return Array.from(minutes, ([name, each]) => ({ name, minutes: each.join(', ') }))
}

/** The goal that was scored last. */
export const lastGoal = ({ scoringFacts = [] }: Partial<GraphicData>): GraphicFact | undefined =>
  [...scoringFacts].reverse().find((fact) => scoringSide(fact) !== undefined)
