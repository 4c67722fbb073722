import { limitedClock } from '../../../machines/play/clock.ts'
import { effectiveConfig, sportOf } from '../../../machines/sports.ts'
import { worded } from '../../schema/worded.ts'
import { useMatchClock } from '../ui/use-match-clock.ts'
import type { Projected } from './model.ts'
import type { Side } from './sides.ts'
import { sideInPlay, situationLines } from './situation.ts'

/** The score as large as a telephone allows, and under it how play stands. */
export function Scoreboard({
  match,
  sides,
  offsetMs,
  onClock,
}: {
  match: Projected
  sides: readonly Side[]
  offsetMs: number
  onClock: () => void
}) {
  const { score, state, period, situation } = match.play
  const { sport } = match.desk.match
  const inPlay = state === 'live' ? sideInPlay(situation) : undefined
  const isSets = sportOf(sport).periodType === 'set'
  const overs = isSets
    ? score.periods.filter(({ number }) => number < (period?.number ?? 0) || state === 'finished')
    : []
  const lines = state === 'live' ? situationLines(situation) : []
  return (
    <section className="board" aria-label="Score">
      {(['home', 'away'] as const).map((side) => {
        const one = sides.find(({ isHome }) => isHome === (side === 'home'))
        return (
          <div className={`board-side board-${side}`} key={side}>
            <span className="board-team" title={one?.name}>
              {one?.shortName ?? worded(side)}
              {inPlay === side && (
                <span className="board-ball" title="Serves, bats or has the ball">
                  <span className="visually-hidden">in play</span>
                </span>
              )}
            </span>
            <span className="board-score tabular" data-testid={`score-${side}`}>
              {score[side]}
            </span>
          </div>
        )
      })}
      <div className="board-middle">
        <span className={`board-state board-state-${state}`}>
          {state === 'live' && period
            ? period.name
            : state === 'break' && period
              ? `After ${period.name}`
              : worded(state)}
        </span>
        {effectiveConfig(sport, match.config).useClock && period && (
          <Clock match={match} offsetMs={offsetMs} onClock={onClock} />
        )}
        {lines.length > 0 && <span className="board-lines tabular">{lines.join(' · ')}</span>}
        {overs.length > 0 && (
          <span className="board-lines tabular">{overs.map(({ home, away }) => `${home}–${away}`).join(', ')}</span>
        )}
      </div>
    </section>
  )
}

function Clock({ match, offsetMs, onClock }: { match: Projected; offsetMs: number; onClock: () => void }) {
  const { sport } = match.desk.match
  const config = effectiveConfig(sport, match.config)
  const clock = limitedClock(sportOf(sport), { ...match.play, config })
  const text = useMatchClock(clock, offsetMs, true)
  return (
    <button
      type="button"
      className={clock.running ? 'board-clock' : 'board-clock board-clock-stands'}
      onClick={onClock}
    >
      <span className="tabular" role="timer">
        {text}
      </span>
      <span className="board-clock-hint">{clock.running ? 'Set' : 'Stopped'}</span>
      <span className="visually-hidden">: set the clock by hand</span>
    </button>
  )
}
