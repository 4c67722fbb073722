import type { RefObject } from 'react'
import type { LiveMatch } from '../../realtime/live-protocol.ts'
import { clockText, clockValue } from '../shared/clock.ts'
import { Button } from '../ui/button.tsx'
import { Connection } from '../ui/connection.tsx'
import { useNow } from '../ui/use-now.ts'
import { targetOf, useDesk } from './desk.ts'
import { PANIC_KEY } from './use-keys.ts'

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
  const { live, room } = useDesk()
  return (
    <header className="top">
      <div className="top-name">
        <h1>{room.overlay.name}</h1>
        <p>
          {[room.room?.name, room.room?.themeName].filter(Boolean).join(' · ') || 'No control room'}
          {live.overlay?.autoMode && ' · automatic mode'}
        </p>
      </div>
      <Match match={live.match} serverOffsetMs={live.serverOffsetMs} />
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
        <Button className="help-button" onClick={onHelp} aria-label="Keyboard">
          ?
        </Button>
      </div>
      <Panic />
    </header>
  )
}

function Panic() {
  const { live, outcomes, hideAll } = useDesk()
  const outcome = outcomes.get(targetOf.all)
  const count = live.onAir.size
  return (
    <div className="panic">
      <button
        type="button"
        className={count > 0 ? 'panic-button panic-armed' : 'panic-button'}
        aria-keyshortcuts={PANIC_KEY}
        aria-busy={outcome?.phase === 'sending'}
        onClick={() => hideAll()}
      >
        <span>Hide all</span>
        <span className="key">{PANIC_KEY}</span>
        <span className="panic-count">{count === 0 ? 'Nothing on air' : `${count} on air`}</span>
      </button>
      {outcome?.phase === 'failed' && count > 0 && (
        <p className="failure" role="alert">
          Hide all: {outcome.message}
        </p>
      )}
    </div>
  )
}

function Match({ match, serverOffsetMs }: { match: LiveMatch | null; serverOffsetMs: number }) {
  if (!match) return <p className="match">No match</p>
  const [home, away, ...others] = match.competitors
  const told = [match.period?.name, inWords(match.state)].filter(Boolean)
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
        {match.clock && <Clock clock={match.clock} serverOffsetMs={serverOffsetMs} />}
        <span>{told[0]}</span>
      </p>
    </section>
  )
}

const inWords = (state: string) => state.charAt(0).toUpperCase() + state.slice(1)

function Clock({ clock, serverOffsetMs }: { clock: NonNullable<LiveMatch['clock']>; serverOffsetMs: number }) {
  const now = useNow(serverOffsetMs)
  return (
    <span className="match-clock tabular" role="timer">
      {clockText(clockValue(clock, now), clock.direction)}
    </span>
  )
}
