import type { LiveMatch } from '../../realtime/live-protocol.ts'
import { clockText, clockValue } from '../shared/clock.ts'

/** `inBreak` as people write it: `In break`. */
const inWords = (state: string) => {
  const words = state.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function Side({ side }: { side: LiveMatch['competitors'][number] }) {
  return (
    <div className="side">
      <span className="side-colour" style={{ background: side.color ?? 'var(--edge)' }} />
      <span className="side-name">{side.name}</span>
      <span className="side-name side-name-short">{side.shortName || side.name}</span>
      <span className="side-score tabular">{side.score ?? '–'}</span>
    </div>
  )
}

function Clock({ clock, now }: { clock: NonNullable<LiveMatch['clock']>; now: number }) {
  return (
    <span className={clock.running ? 'match-clock tabular' : 'match-clock match-clock-stopped tabular'} role="timer">
      {clockText(clockValue(clock, now), clock.direction)}
    </span>
  )
}

/** Score and clock of the match, as the server has them. */
export function Scoreboard({ match, now }: { match: LiveMatch | null; now: number }) {
  return (
    <section className="panel scoreboard" aria-labelledby="match">
      <h2 id="match" className="visually-hidden">
        Match
      </h2>
      {match ? (
        <>
          <div className="sides">
            {match.competitors.map((side) => (
              <Side key={`${side.isHome} ${side.name}`} side={side} />
            ))}
            {match.competitors.length === 0 && <p className="none">{match.name}</p>}
          </div>
          <div className="match-time">
            {match.clock && <Clock clock={match.clock} now={now} />}
            <span className="match-state">
              {inWords(match.state)}
              {match.period && `, ${match.period.name}`}
            </span>
          </div>
        </>
      ) : (
        <p className="none">No match</p>
      )}
    </section>
  )
}
