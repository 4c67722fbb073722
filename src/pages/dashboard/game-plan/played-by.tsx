import { Badge } from '../../ui/badge.tsx'
import { Panel } from '../../ui/panel.tsx'
import { SwitchControl } from '../../ui/switch.tsx'
import { api } from '../api.ts'
import { Failure } from '../parts.tsx'
import { Link } from '../router.tsx'
import { useMay } from '../session.tsx'
import type { Overlay, OverlayList } from '../shapes.ts'
import { useCommand } from '../use-command.ts'
import { useResource } from '../use-resource.ts'

/** The newest are those that somebody looks for. */
const MOST = 5

/** The overlays of a profile. */
export function useOverlays(profileId: number): { value: readonly Overlay[] | undefined; reload: () => Promise<void> } {
  const { value, reload } = useResource<OverlayList>('/v2/overlays?limit=1000')
  return { value: value?.overlays.filter((one) => one.competitionThemeSettingId === profileId), reload }
}

/** The overlays of a profile: which of them play the plan, and the switch of each. */
export function PlayedBy({ overlays: own, reload }: { overlays: readonly Overlay[]; reload: () => Promise<void> }) {
  const mayWrite = useMay('overlays:write')
  const turn = useCommand(async ({ id, on }: { id: number; on: boolean }, key) => {
    await api('PATCH', `/v2/overlays/${id}`, { body: { autoMode: on }, key })
    await reload()
  })
  const overlays = [...own].sort((one, other) => Number(other.autoMode) - Number(one.autoMode) || other.id - one.id)
  const automatic = own.filter(({ autoMode }) => autoMode).length
  return (
    <Panel
      title="Played by"
      about={
        own.length === 0
          ? 'No overlay has this profile yet. A new match makes one.'
          : `Overlays of this profile: ${automatic} of ${own.length} automatic${automatic === 0 && mayWrite ? '. Switch one on, and it plays the plan' : ''}`
      }
    >
      <Failure error={turn.error} />
      <ul className="plan-overlays">
        {overlays.slice(0, MOST).map((overlay) => (
          <One key={overlay.id} overlay={overlay} mayWrite={mayWrite} busy={turn.busy} turn={turn.run} />
        ))}
      </ul>
      {overlays.length > MOST && <p className="cell-about">And {overlays.length - MOST} more.</p>}
    </Panel>
  )
}

type OneProps = {
  overlay: Overlay
  mayWrite: boolean
  busy: boolean
  turn: (input: { id: number; on: boolean }) => Promise<boolean>
}

function One({ overlay: { id, name, autoMode }, mayWrite, busy, turn }: OneProps) {
  return (
    <li>
      <Link to={`/overlays/${id}`}>{name}</Link>
      <Badge {...(autoMode && { tone: 'good' })}>{autoMode ? 'Automatic' : 'By hand'}</Badge>
      {mayWrite && (
        <SwitchControl
          aria-label={`${name} is automatic`}
          checked={autoMode === true}
          disabled={busy}
          onCheckedChange={(on) => void turn({ id, on })}
        />
      )}
    </li>
  )
}
