import type { GraphicData, GraphicFact } from './data.ts'
import type { Side } from './teams.ts'

const MARKS: Readonly<Record<string, string>> = { goal: '', penaltyGoal: ' (pen)', ownGoal: ' (og)' }

const other = { home: 'away', away: 'home' } as const

/** The side that a goal counts for; undefined when the fact is no goal, as a kick of a shoot-out is none. */
export function scoringSide({ type, side, periodType }: GraphicFact): Side | undefined {
  if (MARKS[type] === undefined || side === null || periodType === 'shootout') return undefined
  return type === 'ownGoal' ? other[side] : side
}

/** `61’`, `45+2’`; empty where the minute is not known. */
export const minuteOf = ({ minute, addedMinute }: GraphicFact): string =>
  minute === null ? '' : `${minute}${addedMinute ? `+${addedMinute}` : ''}’`

const byMinute = (a: GraphicFact, b: GraphicFact) =>
  a.period - b.period || (a.minute ?? 0) - (b.minute ?? 0) || (a.addedMinute ?? 0) - (b.addedMinute ?? 0)

/** The scorers of a side by the minute of their first goal, each player once with all minutes. */
export function scorers(data: Partial<GraphicData>, side: Side): { name: string; minutes: string }[] {
  const players = new Map<number | string, { name: string; minutes: string }>()
  // a goal that was entered late stands behind later ones
  for (const fact of [...(data.facts ?? [])].sort(byMinute)) {
    if (fact.playerName === null || scoringSide(fact) !== side) continue
    const minute = `${minuteOf(fact)}${MARKS[fact.type] ?? ''}`
    // two players may have one surname
    const key = fact.playerId ?? fact.playerName
    const before = players.get(key)
    players.set(key, { name: fact.playerName, minutes: before ? `${before.minutes}, ${minute}` : minute })
  }
  return [...players.values()]
}

/** The goal that was scored last, by anybody or by this player. */
export const lastGoal = ({ scoringFacts = [] }: Partial<GraphicData>, playerId?: number): GraphicFact | undefined =>
  [...scoringFacts]
    .reverse()
    .find((fact) => scoringSide(fact) !== undefined && (playerId === undefined || fact.playerId === playerId))

/** The last score of any type, whoever it was by. */
export const lastScore = ({ scoringFacts = [] }: Partial<GraphicData>): GraphicFact | undefined =>
  [...scoringFacts].reverse().find(({ periodType }) => periodType !== 'shootout')
