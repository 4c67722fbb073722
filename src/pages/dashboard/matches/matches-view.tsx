import './matches.css'
import { useState } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { dayOf, timeOf } from '../format.ts'
import { matchName } from '../match-names.ts'
import { ControlRoomLink } from '../overlays/control-room-link.tsx'
import { Empty, PageHead, Waiting } from '../parts.tsx'
import { RoleLimit } from '../role-limit.tsx'
import { Link, navigate, useSearch } from '../router.tsx'
import { opens, useMay, useSession } from '../session.tsx'
import type { Match, MatchList } from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import { FirstHour } from './first-hour.tsx'
import { MatchState } from './match-state.tsx'
import { TeamChip } from './team-chip.tsx'

const DAY_MS = 86_400_000
const PAGE = 100
const EVERY_MS = 10_000

/** Matches by day: from yesterday on, or those before. */
export function MatchesView() {
  const earlier = useSearch().get('when') === 'earlier'
  const [since] = useState(() => new Date(Math.floor(Date.now() / DAY_MS - 1) * DAY_MS).toISOString())
  const [limit, setLimit] = useState(PAGE)
  const { scopes } = useSession()
  const include = [...(opens(scopes, 'overlays:read') ? ['o'] : []), 'c', 'v'].join(',')
  const query = new URLSearchParams({ [earlier ? 'dateTo' : 'dateFrom']: since, include, limit: String(limit) })
  const { value, error, reload } = useResource<MatchList>(`/v1/matches?${query}`, { everyMs: EVERY_MS })
  const mayWrite = useMay('matches:write')
  const days = value && byDay(value.matches, earlier)
  return (
    <>
      <PageHead title="Matches">
        {mayWrite && (
          <>
            <Link className="button" to="/matches/import">
              Import fixtures…
            </Link>
            <Link className="button button-primary" to="/matches/new">
              New match
            </Link>
          </>
        )}
        <RoleLimit scope="matches:write" />
      </PageHead>
      <FirstHour />
      <nav className="choices" aria-label="When">
        <Link to="/" {...(!earlier && { 'aria-current': 'page' as const })}>
          Today and next
        </Link>
        <Link to="/?when=earlier" {...(earlier && { 'aria-current': 'page' as const })}>
          Earlier
        </Link>
      </nav>
      {!days && <Waiting error={error} reload={reload} />}
      {days?.length === 0 && <NoMatches earlier={earlier} mayWrite={mayWrite} />}
      {days?.map(([day, matches]) => (
        <section className="match-day" key={day}>
          <h2 className="match-day-title">{day}</h2>
          <ul className="match-list">
            {matches.map((match) => (
              <MatchRow key={match.id} match={match} />
            ))}
          </ul>
        </section>
      ))}
      {value && value.total > value.returned && (
        <Button onClick={() => setLimit((last) => Math.min(last + PAGE, 1000))}>
          Show more ({value.total - value.returned})
        </Button>
      )}
    </>
  )
}

function NoMatches({ earlier, mayWrite }: { earlier: boolean; mayWrite: boolean }) {
  if (earlier) return <Empty>No match lies before yesterday.</Empty>
  return (
    <Empty>
      <p>No match is planned. A match brings its overlay: the address that goes into OBS, vMix or CasparCG.</p>
      {mayWrite && (
        <Button look="primary" onClick={() => navigate('/matches/new')}>
          Create the first match
        </Button>
      )}
    </Empty>
  )
}

function MatchRow({ match }: { match: Match }) {
  const { id, homeTeam, awayTeam, competition, round, venue, overlays = [], state, score } = match
  const onAir = overlays
    .filter(({ rehearsal }) => !rehearsal)
    .reduce((sum, overlay) => sum + Object.keys(overlay.manualGraphicState).length, 0)
  const about = [competition?.name, round, venue?.name].filter(Boolean).join(' · ')
  const played = state !== 'scheduled' && state !== 'postponed' && state !== 'cancelled'
  return (
    <li className="match-row">
      <time className="match-time tabular" dateTime={match.date}>
        {timeOf(match.date)}
      </time>
      <div className="match-who">
        <Link className="match-link" to={`/matches/${id}`}>
          {homeTeam && awayTeam ? (
            <>
              <TeamChip team={homeTeam} fallback="Home" />
              <span className="match-score tabular">{played ? `${score.home}–${score.away}` : 'v'}</span>
              <TeamChip team={awayTeam} fallback="Away" />
            </>
          ) : (
            matchName(match)
          )}
        </Link>
        <p className="match-about">{about}</p>
      </div>
      <div className="match-states">
        <MatchState match={match} />
        {onAir > 0 && <Badge tone="air">{onAir} on air</Badge>}
      </div>
      <div className="match-doors">
        {overlays.slice(0, 2).map((overlay) => (
          <ControlRoomLink key={overlay.id} look="small" overlay={overlay}>
            <span className={overlays.length > 1 ? 'door-name' : 'visually-hidden'}> {overlay.name}</span>
          </ControlRoomLink>
        ))}
        {overlays.length > 2 && <span className="match-about">and {overlays.length - 2} more</span>}
      </div>
    </li>
  )
}

/** Days in order, the latest first among those that are over. */
function byDay(matches: readonly Match[], earlier: boolean): [string, Match[]][] {
  const sign = earlier ? -1 : 1
  const days = new Map<string, Match[]>()
  for (const match of [...matches].sort((one, other) => sign * (Date.parse(one.date) - Date.parse(other.date)))) {
    const day = dayOf(match.date)
    days.set(day, [...(days.get(day) ?? []), match])
  }
  return [...days]
}
