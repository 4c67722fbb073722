import type { RefObject } from 'react'
import { worded } from '../../schema/worded.ts'
import type { MatchClock } from '../shared/clock.ts'
import { Button } from '../ui/button.tsx'
import { Connection } from '../ui/connection.tsx'
import { setWords } from '../ui/set-words.ts'
import { useMatchClock } from '../ui/use-match-clock.ts'
import { type Desk, targetOf, useDesk } from './desk.ts'
import { ModeSwitch } from './mode-switch.tsx'
import { Panic } from './panic.tsx'

/** Match, connection, search, and the panic key, which is always in the same corner. */
export function TopBar({
  search,
  onSearch,
  searchField,
  onHelp,
  keys,
}: {
  search: string
  onSearch: (text: string) => void
  searchField: RefObject<HTMLInputElement | null>
  onHelp: () => void
  keys: boolean
}) {
  const { live, room, outcomes, hideAll } = useDesk()
  return (
    <header className="top">
      <div className="top-left">
        <div className="top-name">
          <h1>{room.overlay.name}</h1>
          <p>
            {[room.room?.name, room.room?.themeName].filter(Boolean).join(' · ') || 'No control room'}
            {live.overlay?.autoMode && room.rules.length === 0 && ' · automatic, without a game plan'}
          </p>
        </div>
        <ModeSwitch />
      </div>
      <Match live={live} />
      <div className="top-tools">
        <Connection connection={live.connection} />
        <label className="search">
          <span className="visually-hidden">Search presets</span>
          <input
            className="input"
            ref={searchField}
            type="search"
            placeholder="Search"
            autoComplete="off"
            value={search}
            onChange={(event) => onSearch(event.target.value)}
            onKeyDown={({ key, currentTarget }) => {
              if (key === 'Escape') {
                onSearch('')
                currentTarget.blur()
              }
              if (key === 'Enter') document.querySelector<HTMLElement>('.card-face')?.focus()
            }}
          />
          {keys && (
            <span className="key" aria-hidden="true">
              /
            </span>
          )}
        </label>
        <Button className="help-button" onClick={onHelp} aria-label="Keyboard and rehearsal">
          ?
        </Button>
      </div>
      <Panic live={live} outcome={outcomes.get(targetOf.all)} hideAll={() => hideAll()} />
    </header>
  )
}

/** While the connection is lost the clock stands: nobody knows whether the match goes on. */
function Match({ live: { match, serverOffsetMs, connection } }: Pick<Desk, 'live'>) {
  if (!match) return <p className="match">No match</p>
  const [home, away, ...others] = match.competitors
  const { sets } = match
  const { now, game } = sets ? setWords({ ...match, sets }, match.state === 'live') : {}
  return (
    <section className="match" aria-label="Match">
      {home && away && others.length === 0 ? (
        <p className="match-score">
          <span className="match-side" style={{ borderColor: home.color ?? 'transparent' }}>
            {home.shortName}
          </span>
          <strong className="tabular">
            {home.score ?? 0} – {away.score ?? 0}
          </strong>
          <span className="match-side" style={{ borderColor: away.color ?? 'transparent' }}>
            {away.shortName}
          </span>
        </p>
      ) : (
        <p className="match-score">{match.name}</p>
      )}
      <p className="match-time">
        {match.clock && <Clock clock={match.clock} serverOffsetMs={serverOffsetMs} runs={connection === 'connected'} />}
        {now && <span className="match-set tabular">{now}</span>}
        {game && <span className="match-set tabular">{game}</span>}
        <span>{match.state === 'live' && match.period ? match.period.name : worded(match.state)}</span>
      </p>
    </section>
  )
}

function Clock({ clock, serverOffsetMs, runs }: { clock: MatchClock; serverOffsetMs: number; runs: boolean }) {
  const text = useMatchClock(clock, serverOffsetMs, runs)
  return (
    <span className="match-clock tabular" role="timer">
      {text}
    </span>
  )
}
