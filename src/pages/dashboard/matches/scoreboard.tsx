import { limitedClock } from '../../../../machines/play/clock.ts'
import { setScore } from '../../../../machines/play/set-score.ts'
import { sportOf } from '../../../../machines/sports.ts'
import { clockText, clockValue } from '../../shared/clock.ts'
import { setWords } from '../../ui/set-words.ts'
import { useNow } from '../../ui/use-now.ts'
import type { Match } from '../shapes.ts'
import { useServerOffset } from '../use-server-offset.ts'
import { MatchState } from './match-state.tsx'
import { TeamChip } from './team-chip.tsx'

/** Teams, score, period and the running clock. */
export function Scoreboard({ match }: { match: Match }) {
  const { homeTeam, awayTeam, score, config } = match
  const sets = setScore(match)
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
        {sets && <Sets {...setWords(sets, match.state === 'live')} />}
        {config.useClock && <Clock match={match} />}
      </div>
    </div>
  )
}

/** The points within the sets, where the score counts sets. */
const Sets = ({ over, now, game }: ReturnType<typeof setWords>) => (
  <>
    {over.length > 0 && (
      <span className="scoreboard-clock tabular">
        <span className="scoreboard-stands">{over.length === 1 ? 'Set ' : 'Sets '}</span>
        {over.join(', ')}
      </span>
    )}
    {now && (
      <span className="scoreboard-clock tabular">
        {now}
        <span className="scoreboard-stands"> in the set</span>
      </span>
    )}
    {game && (
      <span className="scoreboard-clock tabular">
        {game}
        <span className="scoreboard-stands"> in the game</span>
      </span>
    )}
  </>
)

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
