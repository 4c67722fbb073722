import './overlays.css'
import { useState } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Rehearsal } from '../../ui/rehearsal.tsx'
import { api } from '../api.ts'
import { Confirm } from '../confirm.tsx'
import { hereUrl, isLocal } from '../here-url.ts'
import { matchName } from '../match-names.ts'
import { PageHead, Waiting } from '../parts.tsx'
import { RoleLimit } from '../role-limit.tsx'
import { Link, navigate, useSearch } from '../router.tsx'
import { useMay } from '../session.tsx'
import type { Match, Overlay, Rundown } from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import type { ViewProps } from '../view.ts'
import { Address } from './address.tsx'
import { Automatic } from './automatic.tsx'
import { ControlRoomLink } from './control-room-link.tsx'
import { Log } from './log.tsx'
import { ObsPanel } from './obs-panel.tsx'
import { RehearsalPanel } from './rehearsal-panel.tsx'
import { SetUp } from './set-up.tsx'
import { OverlaySettings } from './settings.tsx'

const EVERY_MS = 3_000

/** An overlay: its addresses and how to set up programs that show it, its settings, its log. */
export function OverlayView({ params: { overlayId } }: ViewProps) {
  const overlay = useResource<Overlay>(`/v2/overlays/${overlayId}`, { everyMs: EVERY_MS })
  const match = useResource<Match>(overlay.value && `/v1/matches/${overlay.value.matchId}`)
  const justMade = useSearch().has('new')
  const mayWrite = useMay('overlays:write')
  if (!overlay.value) return <Waiting error={overlay.error} reload={overlay.reload} />
  const { id, name, matchId, active, manualGraphicState, productionUrl, controlRoomUrl, monitoringUrl } = overlay.value
  const { competitionThemeSettingId, rehearsal } = overlay.value
  const onAir = Object.keys(manualGraphicState)
  const title = match.value ? matchName(match.value) : 'Match'
  const rotates = (link: 'control' | 'monitoring' | 'production', warning: string) =>
    mayWrite ? { overlayId: id, link, warning } : undefined
  return (
    <>
      <PageHead
        title={name}
        back={{ to: `/matches/${matchId}`, title }}
        about={
          <span className="overlay-state" role="status">
            <Badge {...(active && { tone: 'good' })}>{active ? 'Renderer connected' : 'No renderer connected'}</Badge>
            {onAir.map((graphic) => (
              <Badge key={graphic} tone={rehearsal ? 'pending' : 'air'}>
                {graphic}
              </Badge>
            ))}
            {(rehearsal || onAir.length === 0) && <Badge>Nothing on air</Badge>}
          </span>
        }
      >
        <Link className="button" to={`/matches/${matchId}`}>
          Score and clock
        </Link>
        <ControlRoomLink look="primary" overlay={overlay.value} />
      </PageHead>
      {rehearsal && <Rehearsal />}
      {justMade && (
        <div className="notice notice-good">
          <b>The match and its overlay are ready.</b> Put the first address into the video software, open the control
          room on another screen and fire a graphic. Score and clock are run from the page of the match.
          {competitionThemeSettingId != null && match.value && (
            <>
              {' '}
              For graphics that come by themselves build{' '}
              <Link to={`/game-plans/${match.value.competitionId}/${competitionThemeSettingId}`}>its game plan</Link>{' '}
              and switch on Automatic here.
            </>
          )}
        </div>
      )}
      <div className="overlay-columns">
        <div className="overlay-main">
          <Address
            title="1. On program"
            about="The transparent page with the graphics, for OBS, vMix, CasparCG and every other mixer"
            label="Overlay address"
            url={productionUrl}
            open={{ title: 'Try it in a tab', query: '?bg=checker' }}
            rotate={rotates(
              'production',
              'Every mixer that shows the overlay loses it at once, also on air, until the new address is pasted there.',
            )}
            onRotated={overlay.reload}
          >
            {isLocal(hereUrl(productionUrl)) && (
              <p className="field-hint address-hint">
                <b>localhost</b> is this computer only. For another computer open this dashboard by the name or address
                of the server, or start it with <b>PUBLIC_URL</b>.
              </p>
            )}
            <SetUp url={hereUrl(productionUrl)} />
          </Address>
          {controlRoomUrl && (
            <Address
              title="2. Operators"
              about="The control room: whoever has this address can put graphics of this overlay on air, without an account"
              label="Control room address"
              url={controlRoomUrl}
              open={{ title: 'Open the control room' }}
              rotate={rotates(
                'control',
                'Every operator who has the old address is shut out at once. What is on air stays on air.',
              )}
              onRotated={overlay.reload}
            />
          )}
          <Address
            title="3. Producers"
            about="Monitoring: the live picture and the state of every renderer, to look at only"
            label="Monitoring address"
            url={monitoringUrl}
            open={{ title: 'Open monitoring' }}
            rotate={rotates('monitoring', 'Everybody who has the old address is shut out at once.')}
            onRotated={overlay.reload}
          />
        </div>
        <div className="overlay-side">
          <RoleLimit scope="overlays:write" />
          <Automatic overlay={overlay.value} match={match.value} mayWrite={mayWrite} onSaved={overlay.reload} />
          <RehearsalPanel overlay={overlay.value} mayWrite={mayWrite} onSaved={overlay.reload} />
          <RundownPanel overlayId={id} />
          {mayWrite && (
            <OverlaySettings
              key={id}
              overlay={overlay.value}
              competitionId={match.value?.competitionId}
              onSaved={overlay.reload}
            />
          )}
          {mayWrite && <ObsPanel key={`obs ${id}`} overlay={overlay.value} onSaved={overlay.reload} />}
          <Log overlayId={id} />
          {mayWrite && <Deletion overlay={overlay.value} />}
        </div>
      </div>
    </>
  )
}

/** The way to what is written beforehand. */
function RundownPanel({ overlayId }: { overlayId: number }) {
  const rundown = useResource<Rundown>(`/v2/overlays/${overlayId}/rundown`).value
  const count = rundown?.items.length ?? 0
  const broken = rundown?.items.filter(({ problem }) => problem !== null).length ?? 0
  return (
    <Panel title="Rundown" about="Shows that are written beforehand, one after another with one key">
      {broken > 0 && (
        <p className="notice notice-bad">{broken === 1 ? 'An item' : `${broken} items`} cannot be shown any more.</p>
      )}
      <Link className="button" to={`/overlays/${overlayId}/rundown`}>
        {count === 0 ? 'Write a rundown' : `Open the rundown (${count} ${count === 1 ? 'item' : 'items'})`}
      </Link>
    </Panel>
  )
}

function Deletion({ overlay: { id, name, matchId, manualGraphicState, rehearsal } }: { overlay: Overlay }) {
  const [asking, setAsking] = useState(false)
  const onAir = rehearsal ? 0 : Object.keys(manualGraphicState).length
  return (
    <Panel title="Delete">
      <Button onClick={() => setAsking(true)}>Delete the overlay…</Button>
      <Confirm
        open={asking}
        title={`Delete ${name}?`}
        about={
          onAir > 0
            ? `${onAir} of its graphics are on air and go off. All its addresses stop working; its as-run log stays.`
            : 'All its addresses stop working; its as-run log stays.'
        }
        label="Delete the overlay"
        onClose={() => setAsking(false)}
        write={async (key) => {
          await api('DELETE', `/v2/overlays/${id}`, { key })
          navigate(`/matches/${matchId}`, { replace: true })
        }}
      />
    </Panel>
  )
}
