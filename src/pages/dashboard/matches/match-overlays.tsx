import { useState } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { api } from '../api.ts'
import { FormDialog } from '../form-dialog.tsx'
import { PlanWarning } from '../game-plan/cannot-run.tsx'
import { ControlRoomLink } from '../overlays/control-room-link.tsx'
import { RoleLimit } from '../role-limit.tsx'
import { Link, navigate } from '../router.tsx'
import { useMay } from '../session.tsx'
import type { CreatedOverlay, Match } from '../shapes.ts'
import { useCommand } from '../use-command.ts'

/** The overlays of a match, each with the way to its control room and to its addresses. */
export function MatchOverlays({ match }: { match: Match }) {
  const { id, overlays = [] } = match
  const [adding, setAdding] = useState(false)
  const mayWrite = useMay('overlays:write')
  return (
    <Panel
      title="Overlays"
      actions={
        mayWrite && (
          <Button small onClick={() => setAdding(true)}>
            Add an overlay…
          </Button>
        )
      }
    >
      {overlays.length === 0 && <p className="field-hint">A match without an overlay has nothing to put on air.</p>}
      <RoleLimit scope="overlays:write" />
      <ul className="side-list">
        {overlays.map((overlay) => {
          const onAir = overlay.rehearsal ? 0 : Object.keys(overlay.manualGraphicState).length
          return (
            <li className="side-overlay" key={overlay.id}>
              <div className="side-row">
                <b>{overlay.name}</b>
                {overlay.autoMode && <Badge tone="good">Automatic</Badge>}
                {overlay.rehearsal && <Badge tone="pending">Rehearsal</Badge>}
                {onAir > 0 ? <Badge tone="air">{onAir} on air</Badge> : <Badge>Nothing on air</Badge>}
              </div>
              {overlay.autoMode && overlay.competitionThemeSettingId != null && (
                <PlanWarning match={match} profileId={overlay.competitionThemeSettingId} />
              )}
              <div className="form-actions">
                <ControlRoomLink look="primary" overlay={overlay} />
                <Link className="button" to={`/overlays/${overlay.id}`}>
                  Addresses and set-up<span className="visually-hidden"> of {overlay.name}</span>
                </Link>
              </div>
            </li>
          )
        })}
      </ul>
      <Addition matchId={id} open={adding} onClose={() => setAdding(false)} />
    </Panel>
  )
}

function Addition({ matchId, open, onClose }: { matchId: number; open: boolean; onClose: () => void }) {
  const [name, setName] = useState('')
  const create = useCommand(async (body: object, key) => {
    const { id } = await api<CreatedOverlay>('POST', '/v1/overlays', { body, key })
    navigate(`/overlays/${id}?new`)
  })
  const submit = () => {
    void create.run({ name: name.trim(), matchId, autoMode: false, adType: 'brands' })
  }
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title="Add an overlay"
      about="A second output with addresses of its own, such as a clean feed for another channel"
      label="Add the overlay"
      command={create}
      onSubmit={submit}
    >
      <TextField
        label="Name"
        value={name}
        minLength={5}
        maxLength={42}
        required
        hint="5 to 42 characters"
        error={create.fields.name}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  )
}
