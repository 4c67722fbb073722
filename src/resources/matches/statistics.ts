import type { Value } from '../../../machines/overlay/model.ts'
import { sportOf, statisticsOf } from '../../../machines/sports.ts'
import type { SportData, SportFact } from './sport-data.schema.ts'

type Count = { playerId: number; playerName: string | null; side: SportFact['side']; value: number }

/** One statistic by its name, or by its place among the names of the sport from 1: each side's, and each player's, most first. */
export function statisticOf({ match, statistics, facts = [] }: Partial<SportData>, value: Value) {
  if (!match) return undefined
  const names = statisticsOf(match.sport)
  const { factTypes } = sportOf(match.sport)
  const name = typeof value === 'number' ? names[value - 1] : names.find((one) => one === value)
  if (name === undefined) return undefined
  const players = new Map<number, Count>()
  for (const { type, playerId, playerName, side } of facts) {
    if (playerId === null || factTypes[type]?.statistic !== name) continue
    const count = players.get(playerId) ?? { playerId, playerName, side, value: 0 }
    count.value += 1
    players.set(playerId, count)
  }
  const leaders = [...players.values()].sort((one, other) => other.value - one.value)
  return { name, home: statistics?.home[name] ?? 0, away: statistics?.away[name] ?? 0, players: leaders }
}
