import { SPORT_WORDS } from '../../../../machines/sports/words.ts'
import type { SportName } from '../../../../machines/sports.ts'
import { Field, SelectField, TextField } from '../../ui/field.tsx'
import type { VenueList } from '../shapes.ts'
import { NEW, type Problems, type VenueDraft } from './draft.ts'
import { zoneHere } from './local-time.ts'
import { NewVenueFields } from './new-venue-fields.tsx'

export type MatchSettings = VenueDraft & { date: string; time: string; round: string }

/** When and where a match is played. */
export function MatchFields({
  sport,
  settings,
  venues,
  problems,
  onChange,
}: {
  sport: string
  settings: MatchSettings
  venues: VenueList['venues']
  /** The faults of the kick-off and the venue. */
  problems: Problems
  onChange: (change: Partial<MatchSettings>) => void
}) {
  const { date, time, venue, round } = settings
  return (
    <>
      <div className="pair">
        <Field label="Day" error={problems.kickOff}>
          {(given) => (
            <input
              className="input"
              type="date"
              name="kickOff"
              value={date}
              onChange={(event) => onChange({ date: event.target.value })}
              {...given}
            />
          )}
        </Field>
        <Field label={startWord(sport)} hint={`Your time, ${zoneHere()}`}>
          {(given) => (
            <input
              className="input"
              type="time"
              name="time"
              value={time}
              onChange={(event) => onChange({ time: event.target.value })}
              {...given}
            />
          )}
        </Field>
      </div>
      <div className="pair">
        <SelectField
          label="Venue"
          name="venue"
          value={venue}
          onChange={(event) => onChange({ venue: event.target.value })}
        >
          <option value="">None</option>
          <option value={NEW}>New venue…</option>
          {venues.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Round"
          name="round"
          value={round}
          placeholder="Optional"
          maxLength={255}
          onChange={(event) => onChange({ round: event.target.value })}
        />
      </div>
      {venue === NEW && <NewVenueFields draft={settings} problem={problems.venueName} onChange={onChange} />}
    </>
  )
}

/** `Kick-off`, `Tip-off`, `First serve`. */
function startWord(sport: string): string {
  const { start } = SPORT_WORDS[sport as SportName]
  return start.charAt(0).toUpperCase() + start.slice(1)
}
