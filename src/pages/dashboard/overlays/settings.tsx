import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { api } from '../api.ts'
import { Failure } from '../parts.tsx'
import type { Overlay, RoomList, ThemeProfileList } from '../shapes.ts'
import { useCommand } from '../use-command.ts'
import { useResource } from '../use-resource.ts'

type Settings = { name: string; delay: string; profile: string; room: string; sponsors: string }

const settingsOf = (overlay: Overlay): Settings => ({
  name: overlay.name,
  delay: String(overlay.encodingDelay),
  profile: String(overlay.competitionThemeSettingId ?? ''),
  room: String(overlay.controlRoomId ?? ''),
  sponsors: overlay.adType ?? '',
})

/** The settings of an overlay that can be changed; no graphic goes off air by it. */
export function OverlaySettings({
  overlay,
  competitionId,
  onSaved,
}: {
  overlay: Overlay
  competitionId: number | undefined
  onSaved: () => Promise<void>
}) {
  const [changes, setChanges] = useState<Partial<Settings>>({})
  const profiles = useResource<ThemeProfileList>(
    competitionId === undefined ? undefined : `/v2/competitions/${competitionId}/theme-profiles`,
  )
  const rooms = useResource<RoomList>('/v2/control-rooms')
  const shown = { ...settingsOf(overlay), ...changes }
  const themeId = profiles.value?.find(({ id }) => String(id) === shown.profile)?.themeId ?? overlay.themeId
  const fitting = rooms.value?.filter((room) => room.themeId === themeId) ?? []
  const set = (change: Partial<Settings>) => setChanges((last) => ({ ...last, ...change }))

  const save = useCommand(async (_: undefined, key) => {
    const { name, delay, profile, room, sponsors } = changes
    const body = {
      ...(name !== undefined && { name: name.trim() }),
      ...(delay !== undefined && { encodingDelay: Number(delay) }),
      ...(profile && { competitionThemeSettingId: Number(profile) }),
      ...(room !== undefined && { controlRoomId: room === '' ? null : Number(room) }),
      ...(sponsors && { adType: sponsors }),
    }
    await api('PATCH', `/v2/overlays/${overlay.id}`, { body, key })
    await onSaved()
    setChanges({})
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save.run(undefined)
  }
  const changed = Object.keys(changes).length > 0
  return (
    <Panel title="Settings">
      <form className="stack" onSubmit={submit}>
        <TextField
          label="Name"
          name="name"
          value={shown.name}
          minLength={5}
          maxLength={42}
          required
          error={save.fields.name}
          onChange={(event) => set({ name: event.target.value })}
        />
        <SelectField
          label="Graphics"
          name="profile"
          value={shown.profile}
          error={save.fields.competitionThemeSettingId}
          onChange={(event) => {
            const next = profiles.value?.find(({ id }) => String(id) === event.target.value)
            set({ profile: event.target.value, ...(next && { room: String(next.defaultControlRoomId) }) })
          }}
        >
          {shown.profile === '' && <option value="">None</option>}
          {profiles.value?.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Control room"
          name="room"
          value={shown.room}
          error={save.fields.controlRoomId}
          onChange={(event) => set({ room: event.target.value })}
        >
          <option value="">None</option>
          {fitting.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Delay in seconds"
          name="delay"
          type="number"
          min={0}
          max={60}
          required
          value={shown.delay}
          hint="Holds graphics back for video that is encoded elsewhere"
          error={save.fields.encodingDelay}
          onChange={(event) => set({ delay: event.target.value })}
        />
        <SelectField
          label="Sponsors"
          name="sponsors"
          value={shown.sponsors}
          hint="Counted in the proof of play"
          error={save.fields.adType}
          onChange={(event) => set({ sponsors: event.target.value })}
        >
          {shown.sponsors === '' && <option value="">Not said</option>}
          <option value="brands">Own brands</option>
          <option value="noBrands">No brands</option>
          {overlay.autoMode && <option value="free">Free tier</option>}
        </SelectField>
        <Failure error={save.error} />
        <div className="form-actions">
          <Button type="submit" look="primary" disabled={!changed || save.busy}>
            {save.busy ? 'Saving…' : 'Save'}
          </Button>
          {changed && <Button onClick={() => setChanges({})}>Discard</Button>}
        </div>
      </form>
    </Panel>
  )
}
