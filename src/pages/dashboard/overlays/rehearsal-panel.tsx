import { Panel } from '../../ui/panel.tsx'
import { Switch } from '../../ui/switch.tsx'
import { api } from '../api.ts'
import { Failure } from '../parts.tsx'
import type { Overlay } from '../shapes.ts'
import { useCommand } from '../use-command.ts'

/** Whether the overlay rehearses: then nothing of what anybody shows goes on air. */
export function RehearsalPanel({
  overlay: { id, rehearsal },
  mayWrite,
  onSaved,
}: {
  overlay: Overlay
  mayWrite: boolean
  onSaved: () => Promise<void>
}) {
  const turn = useCommand(async (on: boolean, key) => {
    await api('PATCH', `/v2/overlays/${id}`, { body: { rehearsal: on }, key })
    await onSaved()
  })
  return (
    <Panel title="Rehearsal">
      <div className="stack">
        <Switch
          label="Rehearse"
          hint="The control room works as ever, and nothing goes to renderers, streams and the proof of play. Ending it clears what it left"
          checked={rehearsal}
          disabled={!mayWrite || turn.busy}
          onChange={(on) => void turn.run(on)}
        />
        <Failure error={turn.error} />
      </div>
    </Panel>
  )
}
