import { useState } from 'react'
import { api } from '../api.ts'
import { FormDialog } from '../form-dialog.tsx'
import type { Match, VenueList } from '../shapes.ts'
import { useCommand } from '../use-command.ts'
import { useResource } from '../use-resource.ts'
import { inputsOf, momentOfInputs } from './local-time.ts'
import { MatchFields, type MatchSettings } from './match-fields.tsx'

const settingsOf = ({ date, venueId, round }: Match): MatchSettings => ({
  ...inputsOf(new Date(date)),
  venue: String(venueId ?? ''),
  round: round ?? '',
})

/** When and where a match is played, to be changed in a dialog. */
export function MatchChange({
  match,
  onClose,
  onSaved,
}: {
  match: Match
  onClose: () => void
  onSaved: () => Promise<void>
}) {
  const [settings, setSettings] = useState(() => settingsOf(match))
  const venues = useResource<VenueList>('/v1/venues?limit=1000')
  const at = momentOfInputs(settings)
  const problem = Number.isNaN(at.getTime()) ? 'Say day and time' : undefined
  const save = useCommand(async (body: object, key) => {
    await api('POST', `/v1/matches/${match.id}`, { body, key })
    await onSaved()
    onClose()
  })
  const submit = () => {
    if (problem) return
    const { venue, round } = settings
    void save.run({
      date: at.toISOString(),
      venueId: venue === '' ? null : Number(venue),
      round: round.trim() || null,
    })
  }
  return (
    <FormDialog onClose={onClose} title="When and where" label="Save" command={save} onSubmit={submit}>
      <MatchFields
        settings={settings}
        venues={venues.value?.venues ?? []}
        problem={problem}
        onChange={(change) => setSettings((last) => ({ ...last, ...change }))}
      />
    </FormDialog>
  )
}
