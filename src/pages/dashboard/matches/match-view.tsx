import './matches.css'
import './match.css'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { api, restUrl } from '../api.ts'
import { Confirm } from '../confirm.tsx'
import { momentOf } from '../format.ts'
import { matchName } from '../match-names.ts'
import { PageHead, Waiting } from '../parts.tsx'
import { RoleLimit } from '../role-limit.tsx'
import { Link, navigate } from '../router.tsx'
import { opens, useMay, useSession } from '../session.tsx'
import type { FactList as Facts, Match } from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import type { ViewProps } from '../view.ts'
import { FactList } from './fact-list.tsx'
import { MatchChange } from './match-change.tsx'
import { MatchDesk } from './match-desk.tsx'
import { MatchLineups } from './match-lineups.tsx'
import { MatchOfficials } from './match-officials.tsx'
import { MatchOverlays } from './match-overlays.tsx'
import { MatchStreams } from './match-streams.tsx'
import { RunPanel } from './run-panel.tsx'
import { Scoreboard } from './scoreboard.tsx'
import { Squads } from './squads.tsx'
import { useRosters } from './use-rosters.ts'

const EVERY_MS = 2_000

/** A match: how it stands and how it is run by hand, its overlays, streams and log. */
export function MatchView({ params: { matchId } }: ViewProps) {
  const { scopes } = useSession()
  const include = [
    'c',
    'v',
    'p',
    ...(opens(scopes, 'overlays:read') ? ['o'] : []),
    ...(opens(scopes, 'streams:read') ? ['s'] : []),
  ]
  const match = useResource<Match>(`/v1/matches/${matchId}?include=${include.join(',')}`, { everyMs: EVERY_MS })
  const facts = useResource<Facts>(`/v2/matches/${matchId}/facts?limit=1000`, { everyMs: EVERY_MS })
  const rosters = useRosters(match.value)
  const mayWrite = useMay('matches:write')
  const [changing, setChanging] = useState(false)
  if (!match.value) return <Waiting error={match.error} reload={match.reload} />
  const { competition, round, venue, date } = match.value
  const reload = async () => {
    await Promise.all([match.reload(), facts.reload(), rosters.reload()])
  }
  return (
    <>
      <PageHead
        title={matchName(match.value)}
        about={[competition?.name, round, momentOf(date), venue?.name].filter(Boolean).join(' · ')}
        back={{ to: '/', title: 'Matches' }}
      >
        {mayWrite && <Button onClick={() => setChanging(true)}>When and where…</Button>}
      </PageHead>
      {changing && <MatchChange match={match.value} onClose={() => setChanging(false)} onSaved={match.reload} />}
      <div className="match-columns">
        <div className="match-main">
          <section className="panel run-panel" aria-label="Score and clock">
            <Scoreboard match={match.value} />
            {mayWrite && <RunPanel match={match.value} onRecorded={reload} />}
            <RoleLimit scope="matches:write" />
          </section>
          <Panel title="What happened">
            <FactList
              match={match.value}
              facts={facts.value?.facts ?? []}
              rosterOf={rosters.rosterOf}
              mayWrite={mayWrite}
              onChanged={reload}
            />
          </Panel>
        </div>
        <div className="match-side">
          <MatchOverlays match={match.value} />
          <MatchDesk match={match.value} onRotated={match.reload} />
          <MatchLineups match={match.value} rosterOf={rosters.rosterOf} />
          <Squads match={match.value} rosterOf={rosters.rosterOf} onChanged={reload} />
          <MatchOfficials match={match.value} reload={match.reload} />
          <MatchStreams match={match.value} />
          <Panel title="As-run log" about="What was on air and when, with each renderer’s paint">
            <div className="form-actions">
              <Link className="button" to={`/as-run?match=${matchId}`}>
                Look through
              </Link>
              <a className="button" href={restUrl(`/v2/matches/${matchId}/as-run?format=csv`)} download>
                Export CSV
              </a>
            </div>
          </Panel>
          {mayWrite && <Deletion match={match.value} />}
        </div>
      </div>
    </>
  )
}

function Deletion({ match }: { match: Match }) {
  const [asking, setAsking] = useState(false)
  const overlays = match.overlays?.length ?? 0
  return (
    <Panel title="Delete">
      <Button onClick={() => setAsking(true)}>Delete the match…</Button>
      <Confirm
        open={asking}
        title={`Delete ${matchName(match)}?`}
        about={`Its facts, line-ups, streams and ${overlays === 1 ? 'its overlay' : `${overlays} overlays`} go with it. What is on air goes off.`}
        label="Delete the match"
        onClose={() => setAsking(false)}
        write={async (key) => {
          await api('DELETE', `/v2/matches/${match.id}`, { key })
          navigate('/', { replace: true })
        }}
      />
    </Panel>
  )
}
