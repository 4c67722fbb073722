import './streams.css'
import { Panel } from '../../ui/panel.tsx'
import { matchName } from '../match-names.ts'
import { PageHead, Waiting } from '../parts.tsx'
import { Link, useSearch } from '../router.tsx'
import { useMay } from '../session.tsx'
import type { Match, Stream, StreamMonitoring } from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import type { ViewProps } from '../view.ts'
import { Deletion } from './deletion.tsx'
import { Destinations } from './destinations.tsx'
import { Events } from './events.tsx'
import { InputPanel, ProgramPanel } from './input-panel.tsx'
import { StreamActions } from './stream-actions.tsx'
import { StreamSettingsPanel } from './stream-settings.tsx'

const READ_EVERY_MS = 2_000

/** One stream: its input, its destinations, and buttons for people who may use them. */
export function StreamView({ params }: ViewProps) {
  const stream = useResource<Stream>(`/v1/streams/${params.streamId}`, { everyMs: READ_EVERY_MS })
  const watched = useResource<StreamMonitoring>(`/v1/streams/${params.streamId}/monitoring`, { everyMs: READ_EVERY_MS })
  const back = { to: '/streams', title: 'Streams' }
  if (!stream.value || !watched.value)
    return (
      <>
        <PageHead title="Stream" back={back} />
        <Waiting
          error={stream.error ?? watched.error}
          reload={() => Promise.all([stream.reload(), watched.reload()])}
        />
      </>
    )
  const reload = async () => void (await Promise.all([stream.reload(), watched.reload()]))
  return <Found stream={stream.value} watched={watched.value} reload={reload} />
}

type Both = { stream: Stream; watched: StreamMonitoring; reload: () => Promise<void> }

function Found({ stream, watched, reload }: Both) {
  const mayRun = useMay('streams:write')
  const justMade = useSearch().has('new')
  const match = useResource<Match>(`/v1/matches/${stream.matchId}`)
  return (
    <>
      <PageHead
        title={stream.name}
        back={{ to: '/streams', title: 'Streams' }}
        about={
          <Link to={`/matches/${stream.matchId}`}>
            {match.value ? matchName(match.value) : `Match ${stream.matchId}`}
          </Link>
        }
      />
      {justMade && (
        <div className="notice notice-good">
          <b>The stream is ready.</b>{' '}
          {watched.input?.type === 'pull'
            ? 'Once started it fetches its video.'
            : 'Send video to the address of its input.'}{' '}
          Started it can be looked at; live it goes to its destinations.
        </div>
      )}
      <StreamActions stream={stream} watched={watched} mayRun={mayRun} reload={reload} />
      {watched.problems.length > 0 && (
        <div className="notice notice-bad">
          {watched.problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </div>
      )}
      <div className="columns">
        <InputPanel input={watched.input} mayRun={mayRun} />
        {watched.program ? (
          <ProgramPanel program={watched.program} />
        ) : (
          <StreamSettingsPanel stream={stream} match={match} watched={watched} mayRun={mayRun} reload={reload} />
        )}
      </div>
      <Destinations stream={stream} watched={watched} mayRun={mayRun} reload={reload} />
      {watched.program && (
        <StreamSettingsPanel stream={stream} match={match} watched={watched} mayRun={mayRun} reload={reload} />
      )}
      <Panel title="What happened" about="The latest fifty, newest first.">
        <Events events={watched.events} names={new Map(watched.destinations.map(({ id, name }) => [id, name]))} />
      </Panel>
      {mayRun && <Deletion stream={stream} />}
    </>
  )
}
