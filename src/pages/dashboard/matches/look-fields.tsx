import { SelectField } from '../../ui/field.tsx'
import type { Draft } from './draft.ts'
import type { FormLists } from './use-form-lists.ts'

/** Id of the theme that a look wears; undefined for none. */
const themeIdOf = (look: string, { profiles }: Pick<FormLists, 'profiles'>): number | undefined => {
  const [kind, id] = look.split(':')
  return kind === 'theme' ? Number(id) : profiles.find((profile) => String(profile.id) === id)?.themeId
}

/** Look and control room of a draft after another look was chosen: the room that belongs to it. */
export function withLook(look: string, lists: FormLists): Pick<Draft, 'look' | 'room'> {
  const profile = lists.profiles.find(({ id }) => look === `profile:${id}`)
  const themeId = themeIdOf(look, lists)
  const room = profile?.defaultControlRoomId ?? lists.rooms.find((one) => one.themeId === themeId)?.id
  return { look, room: room === undefined ? '' : String(room) }
}

/** The look that a competition starts with: its default, else the first theme for the sport. */
export function firstLook({ profiles, themes, sport }: FormLists): string {
  const profile = profiles.find(({ isDefault }) => isDefault) ?? profiles[0]
  if (profile) return `profile:${profile.id}`
  const theme = themes.find(({ sports }) => sports?.some((one) => one === sport)) ?? themes[0]
  return theme ? `theme:${theme.id}` : ''
}

/** The name of the theme in `theme:3`. */
export const themeNameOf = (look: string, { themes }: FormLists): string =>
  themes.find(({ id }) => look === `theme:${id}`)?.name ?? ''

/** Which graphics the overlay has, and which control room fires them. */
export function LookFields({
  draft,
  lists,
  onChange,
}: {
  draft: Draft
  lists: FormLists
  onChange: (change: Pick<Draft, 'look' | 'room'>) => void
}) {
  const themeId = themeIdOf(draft.look, lists)
  const rooms = lists.rooms.filter((room) => room.themeId === themeId)
  const worn = new Set(lists.profiles.map((profile) => profile.themeId))
  const others = lists.themes.filter(({ id }) => !worn.has(id))
  return (
    <>
      <SelectField
        label="Graphics"
        name="look"
        value={draft.look}
        hint={draft.look === '' ? 'Without a theme nothing can be put on air' : undefined}
        onChange={(event) => onChange(withLook(event.target.value, lists))}
      >
        {lists.profiles.map(({ id, name }) => (
          <option key={id} value={`profile:${id}`}>
            {name}
          </option>
        ))}
        {others.map(({ id, name }) => (
          <option key={id} value={`theme:${id}`}>
            {name} theme
          </option>
        ))}
        <option value="">None yet</option>
      </SelectField>
      <SelectField
        label="Control room"
        name="room"
        value={draft.room}
        disabled={rooms.length === 0}
        hint={themeId !== undefined && rooms.length === 0 ? 'This theme has no control room yet' : undefined}
        onChange={(event) => onChange({ look: draft.look, room: event.target.value })}
      >
        {rooms.length === 0 && <option value="">None</option>}
        {rooms.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    </>
  )
}
