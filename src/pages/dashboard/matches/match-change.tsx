import './new-match.css'
import { useRef, useState } from 'react'
import { FormDialog } from '../form-dialog.tsx'
import type { Match, VenueList } from '../shapes.ts'
import { useCommand } from '../use-command.ts'
import { useResource } from '../use-resource.ts'
import { venueOf } from './create-production.ts'
import { newVenue, type Problems, venueProblems } from './draft.ts'
import { inputsOf, momentOfInputs } from './local-time.ts'
import { MatchFields, type MatchSettings } from './match-fields.tsx'
import { Steps } from './steps.ts'

const settingsOf = ({ date, venueId, round }: Match): MatchSettings => ({
  ...inputsOf(new Date(date)),
  venue: String(venueId ?? ''),
  ...newVenue(),
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
  const [asked, setAsked] = useState(false)
  const steps = useRef(new Steps())
  const at = momentOfInputs(settings)
  const problems: Problems = {
    ...(Number.isNaN(at.getTime()) && { kickOff: 'Say day and time' }),
    // a name is judged when it was typed
    ...(asked && venueProblems(settings)),
  }
  const save = useCommand(async () => {
    const venueId = await venueOf(steps.current, settings)
    const round = settings.round.trim() || null
    await steps.current.take('POST', `/v1/matches/${match.id}`, { date: at.toISOString(), venueId, round })
    await onSaved()
    onClose()
  })
  const submit = () => {
    setAsked(true)
    if (!problems.kickOff && !venueProblems(settings).venueName) void save.run(undefined)
  }
  return (
    <FormDialog onClose={onClose} title="When and where" label="Save" command={save} onSubmit={submit}>
      <MatchFields
        sport={match.sport}
        settings={settings}
        venues={venues.value?.venues ?? []}
        problems={problems}
        onChange={(change) => setSettings((last) => ({ ...last, ...change }))}
      />
    </FormDialog>
  )
}
