import { Panel } from '../../ui/panel.tsx'
import { Switch } from '../../ui/switch.tsx'
import { api } from '../api.ts'
import { Failure } from '../parts.tsx'
import type { RoomDetail } from '../shapes.ts'
import { useCommand } from '../use-command.ts'

type Props = { room: RoomDetail; path: string; mayChange: boolean; reload: () => Promise<void> }

/** What a press on a preset does on the page of the room, until an operator chooses otherwise. */
export function ModeSetting({ room, path, mayChange, reload }: Props) {
  const change = useCommand(async (body: object, key) => {
    try {
      await api('PATCH', path, { body, key })
    } finally {
      // after a refusal too: somebody else may have changed the room
      await reload()
    }
  })
  return (
    <Panel title="Operators">
      <Switch
        label="Presets go on preview first"
        hint="A press puts a preset on preview, and a take puts it on air. Off: a press goes straight on air. Each operator can choose otherwise."
        checked={room.defaultMode === 'preview'}
        disabled={!mayChange}
        onChange={(previews) =>
          void change.run({ defaultMode: previews ? 'preview' : 'direct', ifUnchangedSince: room.updatedAt })
        }
      />
      <Failure error={change.error} />
    </Panel>
  )
}
