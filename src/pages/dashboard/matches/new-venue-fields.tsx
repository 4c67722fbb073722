import { SelectField, TextField } from '../../ui/field.tsx'
import type { VenueDraft } from './draft.ts'
import { zoneHere } from './local-time.ts'

type Props = { draft: VenueDraft; problem: string | undefined; onChange: (change: Partial<VenueDraft>) => void }

/** The fields of a new venue; matches there are in its time. */
export function NewVenueFields({ draft: { venueName, venueCity, venueZone }, problem, onChange }: Props) {
  return (
    <div className="made-here made-here-venue">
      <TextField
        label="Name of the venue"
        name="venueName"
        value={venueName}
        hint={problem ? undefined : '6 to 39 characters'}
        error={problem}
        onChange={(event) => onChange({ venueName: event.target.value })}
      />
      <TextField
        label="City"
        name="venueCity"
        value={venueCity}
        maxLength={255}
        placeholder="Optional"
        onChange={(event) => onChange({ venueCity: event.target.value })}
      />
      <SelectField
        label="Time zone"
        name="venueZone"
        value={venueZone}
        onChange={(event) => onChange({ venueZone: event.target.value })}
      >
        {zones().map((zone) => (
          <option key={zone}>{zone}</option>
        ))}
      </SelectField>
    </div>
  )
}

// browsers before 2022 name none but their own
const { supportedValuesOf } = Intl as { supportedValuesOf?: (key: 'timeZone') => string[] }
/** The names of all time zones. */
export const zones = () => [...new Set([...(supportedValuesOf?.('timeZone') ?? ['UTC']), zoneHere()])].sort()
