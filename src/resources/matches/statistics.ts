import type { Value } from '../../../machines/overlay/model.ts'
import { isOwnName, statisticNames } from '../../../machines/statistics/names.ts'
import type { SportData } from './sport-data.schema.ts'

/** One statistic by its name, or by its place among the names of the sport from 1: each side's, and each player's, most first. */
export function statisticOf({ match, statistics }: Partial<SportData>, value: Value) {
  if (!match) return undefined
  const names = statisticNames(match.sport)
  const isOwn = typeof value === 'string' && isOwnName(value)
  const name = typeof value === 'number' ? names[value - 1] : names.find((one) => one === value)
  const found = isOwn ? value : name
  if (found === undefined) return undefined
  const told = [statistics?.home, statistics?.away, ...(statistics?.players ?? []).map(({ values }) => values)]
  if (isOwn && !told.some((values) => values && found in values)) return undefined
  const players = (statistics?.players ?? []).flatMap(({ playerId, playerName, side, values }) => {
    const count = values[found]
    return count === undefined ? [] : [{ playerId, playerName, side, value: count }]
  })
  const leaders = players.sort((one, other) => other.value - one.value)
  return { name: found, home: statistics?.home[found] ?? 0, away: statistics?.away[found] ?? 0, players: leaders }
}
