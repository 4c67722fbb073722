import { limitedClock } from '../../../../machines/play/clock.ts'
import { sportOf } from '../../../../machines/sports.ts'
import { clockText, clockValue } from '../../shared/clock.ts'
import { useNow } from '../../ui/use-now.ts'
import type { Match } from '../shapes.ts'
import { useServerOffset } from '../use-server-offset.ts'
import { MatchState } from './match-state.tsx'
import { TeamChip } from './team-chip.tsx'

/** Teams, score, period and the running clock. */
export function Scoreboard({ match }: { match: Match }) {
  const { homeTeam, awayTeam, score, config } = match
  const set = setOf(match)
  return (
    <div className="scoreboard">
      <div className="scoreboard-side">
        <TeamChip team={homeTeam} fallback="Home" />
      </div>
      <p className="scoreboard-score tabular">
        {score.home}–{score.away}
      </p>
      <div className="scoreboard-side scoreboard-away">
        <TeamChip team={awayTeam} fallback="Away" />
      </div>
      <div className="scoreboard-time">
        <MatchState match={match} />
        {set && (
          <span className="scoreboard-clock tabular">
            {set.home}–{set.away}
            <span className="scoreboard-stands"> in the set</span>
          </span>
        )}
        {config.useClock && <Clock match={match} />}
      </div>
    </div>
  )
}

/** What is counted in the set under way, where the score counts sets. */
const setOf = ({ sport, state, period, score }: Match) =>
  sportOf(sport).periodType === 'set' && state === 'live'
    ? score.periods.find(({ number }) => number === period?.number)
    : undefined

function Clock({ match }: { match: Match }) {
  const clock = limitedClock(sportOf(match.sport), match)
  const now = useNow(useServerOffset())
  return (
    <span className="scoreboard-clock tabular" role="timer">
      {clockText(clockValue(clock, now), clock.direction)}
      {!clock.running && <span className="scoreboard-stands"> stopped</span>}
    </span>
  )
}
