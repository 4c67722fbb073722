import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { api } from '../api.ts'
import { Failure } from '../parts.tsx'
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
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (problem) return
    const { venue, round } = settings
    void save.run({
      date: at.toISOString(),
      venueId: venue === '' ? null : Number(venue),
      round: round.trim() || null,
    })
  }
  return (
    <Dialog open onClose={onClose} title="When and where">
      <form className="stack" onSubmit={submit}>
        <MatchFields
          settings={settings}
          venues={venues.value?.venues ?? []}
          problem={problem}
          onChange={(change) => setSettings((last) => ({ ...last, ...change }))}
        />
        <Failure error={save.error} />
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={save.busy}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
