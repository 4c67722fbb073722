import type { LiveMatch } from '../../realtime/followers/live-protocol.ts'
import { worded } from '../../schema/worded.ts'
import type { Live } from '../live/follow.ts'
import type { MatchClock } from '../shared/clock.ts'
import { SetTable } from '../ui/set-table.tsx'
import { useMatchClock } from '../ui/use-match-clock.ts'

type Timing = Pick<Live, 'serverOffsetMs' | 'connection'>

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

function Clock({ clock, live }: { clock: MatchClock; live: Timing }) {
  const text = useMatchClock(clock, live.serverOffsetMs, live.connection === 'connected')
  return (
    <span className={clock.running ? 'match-clock tabular' : 'match-clock match-clock-stopped tabular'} role="timer">
      {text}
    </span>
  )
}

function Sides({ match }: { match: LiveMatch }) {
  const { competitors, sets, ...score } = match
  if (competitors.length === 0) return <p className="none">{match.name}</p>
  if (sets) return <SetTable sides={competitors} sets={sets} {...score} />
  return competitors.map((side) => <Side key={`${side.isHome} ${side.name}`} side={side} />)
}

/** Score and clock of the match, as the server has them. */
export function Scoreboard({ live }: { live: Timing & Pick<Live, 'match'> }) {
  const { match } = live
  return (
    <section className="panel scoreboard" aria-labelledby="match">
      <h2 id="match" className="visually-hidden">
        Match
      </h2>
      {match ? (
        <>
          <div className="sides">
            <Sides match={match} />
          </div>
          <div className="match-time">
            {match.clock && <Clock clock={match.clock} live={live} />}
            <span className="match-state">
              {worded(match.state)}
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
