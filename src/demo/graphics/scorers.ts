import type { GraphicData, GraphicFact } from './data.ts'
import type { Side } from './teams.ts'

/** What is told of a scorer, and how it stands behind the minute; the kick after a try or touchdown is not. */
const MARKS: Readonly<Record<string, string>> = {
  goal: '',
  penaltyGoal: ' (pen)',
  ownGoal: ' (og)',
  secondPenaltyGoal: ' (pen)',
  try: ' (try)',
  dropGoal: ' (dg)',
  touchdown: ' (td)',
  fieldGoal: ' (fg)',
  penaltyCornerGoal: ' (pc)',
  penaltyStrokeGoal: ' (ps)',
}

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

/**
 * What was scored last, by anybody or by this player: of these types, else a goal, else in sports without goals any score. A kick of a shoot-out
 * is none.
 */
export function lastScore(
  { scoringFacts = [] }: Partial<GraphicData>,
  { types = [], playerId }: { types?: readonly string[]; playerId?: number } = {},
): GraphicFact | undefined {
  const scores = scoringFacts
    .filter((fact) => fact.periodType !== 'shootout' && (playerId === undefined || fact.playerId === playerId))
    .reverse()
  if (types.length > 0) return scores.find(({ type }) => types.includes(type))
  return scores.find((fact) => scoringSide(fact) !== undefined) ?? scores[0]
}
