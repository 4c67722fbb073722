type Both = { home: unknown; away: unknown }

const isBoth = (value: unknown): value is Both =>
  typeof value === 'object' && value !== null && 'home' in value && 'away' in value
const pair = (value: unknown) => (isBoth(value) ? `${value.home}–${value.away}` : '')

type Situation = Readonly<Record<string, unknown>> | null

/**
 * What only this sport has, in words for the scoreboard: points of the game, overs, outs. By what the situation holds, whichever sport it
 * is of; the first line is the main one.
 */
export function situationLines(situation: Situation): string[] {
  if (!situation) return []
  const { shootout, points, games, tieBreak, runs, wickets, overs, target, half, inning, outs, balls, strikes } =
    situation
  const { down, distance, teamFouls, home, away } = situation
  const lines = [
    isBoth(shootout) && `Kicks ${pair(shootout)}`,
    isBoth(points) && (games ? `${tieBreak === true ? 'Tie-break' : 'Game'} ${pair(points)}` : `Set ${pair(points)}`),
    isBoth(games) && `Games ${pair(games)}`,
    runs !== undefined && wickets !== undefined && `${runs}/${wickets}`,
    overs !== undefined && `${overs} overs`,
    typeof target === 'number' && `Target ${target}`,
    inning !== undefined && `${half === 'top' ? 'Top' : 'Bottom'} ${inning}`,
    outs !== undefined && `${outs} out`,
    strikes !== undefined && balls !== undefined && `${balls}–${strikes}`,
    typeof down === 'number' && `Down ${down}${typeof distance === 'number' ? ` & ${distance}` : ''}`,
    isBoth(teamFouls) && `Fouls ${pair(teamFouls)}`,
    textOf(home) && textOf(away) && `${textOf(home)} : ${textOf(away)}`,
  ]
  return lines.filter((line) => typeof line === 'string' && line !== '') as string[]
}

const textOf = (side: unknown) =>
  typeof side === 'object' && side !== null && 'text' in side && typeof side.text === 'string' ? side.text : ''

/** The side that serves, bats or has the ball, where the sport says so. */
export function sideInPlay(situation: Situation): 'home' | 'away' | undefined {
  const side = situation?.batting ?? situation?.possession ?? situation?.server
  return side === 'home' || side === 'away' ? side : undefined
}
