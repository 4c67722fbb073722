import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Facts, Panel } from '../../ui/panel.tsx'
import { Switch } from '../../ui/switch.tsx'
import { api } from '../api.ts'
import { Failure } from '../parts.tsx'
import { Link } from '../router.tsx'
import { useMay } from '../session.tsx'
import type { Match, Stream, StreamMonitoring } from '../shapes.ts'
import { useCommand } from '../use-command.ts'
import type { Resource } from '../use-resource.ts'
import { MatchTimes } from './match-times.tsx'
import { StreamChange } from './stream-change.tsx'

type Props = {
  stream: Stream
  match: Resource<Match>
  watched: StreamMonitoring
  mayRun: boolean
  reload: () => Promise<void>
}

/** How the stream is made, and the switches that may be thrown at any time. */
export function StreamSettingsPanel({ stream, match, watched, mayRun, reload }: Props) {
  const [asked, setAsked] = useState<'change' | 'times'>()
  const mayTime = useMay('matches:write')
  const automate = useCommand(async (autoStream: boolean, key) => {
    await api('POST', `/v1/streams/${stream.id}/automation`, { body: { autoStream }, key })
    await reload()
  })
  const graphics = useCommand(async (shown: boolean, key) => {
    await api('POST', `/v1/streams/${stream.id}/overlay/${shown ? 'show' : 'hide'}`, { body: {}, key })
    await reload()
  })
  const { automation } = watched
  return (
    <Panel
      title="Settings"
      actions={
        mayRun && (
          <div className="page-actions">
            {mayTime && match.value && (
              <Button small onClick={() => setAsked('times')}>
                Times…
              </Button>
            )}
            <Button small onClick={() => setAsked('change')}>
              Change…<span className="visually-hidden"> the stream</span>
            </Button>
          </div>
        )
      }
    >
      {asked === 'change' && <StreamChange stream={stream} onClose={() => setAsked(undefined)} reload={reload} />}
      {asked === 'times' && match.value && (
        <MatchTimes
          match={match.value}
          onClose={() => setAsked(undefined)}
          reload={async () => void (await Promise.all([match.reload(), reload()]))}
        />
      )}
      <div className="stack">
        <Facts
          facts={[
            ['Picture', `${stream.resolution}, ${stream.fps} fps`],
            ['Video bitrate', `${stream.videoBitrateKb} kb/s`],
            ['Volume', `${stream.inputVolume} %`],
            [
              'Graphics',
              stream.overlayId === null ? (
                'none: the input is passed on'
              ) : (
                <Link key="overlay" to={`/overlays/${stream.overlayId}`}>
                  Overlay {stream.overlayId}
                </Link>
              ),
            ],
          ]}
        />
        <Switch
          label="Auto Stream"
          hint={
            automation?.startAt || automation?.stopAt ? (
              <>
                Starts <Moment at={automation.startAt} never="by hand" />, stops{' '}
                <Moment at={automation.stopAt} never="by hand" />
              </>
            ) : (
              'Starts and stops at the automation times of the match'
            )
          }
          checked={stream.autoStream}
          disabled={!mayRun || automate.busy}
          onChange={(checked) => void automate.run(checked)}
        />
        <Failure error={automate.error} />
        {stream.overlayId !== null && (
          <Switch
            label="Graphics in the picture"
            hint="Only of this stream: the overlay itself does not change"
            checked={!watched.overlayHidden}
            disabled={!mayRun || graphics.busy}
            onChange={(checked) => void graphics.run(checked)}
          />
        )}
        <Failure error={graphics.error} />
      </div>
    </Panel>
  )
}
