import type { Venue } from '../shapes.ts'
import type { FieldDef } from './fields.ts'
import { RecordDialog } from './record-dialog.tsx'
import { type FormProps, NONE, RecordList } from './record-list.tsx'
import { ZONE_OPTIONS } from './zones.ts'

const PATH = '/v1/venues'

const FIELDS: readonly FieldDef[] = [
  { name: 'name', label: 'Name', required: true, maxLength: 39, hint: '6 to 39 characters' },
  { name: 'gfxName', label: 'Name on graphics', maxLength: 19, clears: true, hint: 'Shorter: 6 to 19 characters' },
  { name: 'address', label: 'Address', maxLength: 255, clears: true },
  { name: 'city', label: 'City', maxLength: 255, clears: true },
  { name: 'state', label: 'State or region', maxLength: 255, clears: true },
  { name: 'country', label: 'Country', maxLength: 255, clears: true },
  { name: 'timezone', label: 'Time zone', input: 'select', options: ZONE_OPTIONS, clears: true },
  { name: 'latitude', label: 'Latitude', input: 'number', clears: true, hint: 'For the weather: -90 to 90' },
  { name: 'longitude', label: 'Longitude', input: 'number', clears: true, hint: '-180 to 180' },
  { name: 'courts', label: 'Courts', input: 'list', hint: 'One in each line' },
]

/** Where matches are played. */
export function VenuesView() {
  return (
    <RecordList<Venue>
      title="Venues"
      about="Where matches are played; a start is told in the time of the ground."
      kind="venue"
      path={PATH}
      member="venues"
      scope="venues:write"
      importAt="/venues/import"
      nameOf={nameOf}
      columns={['Venue', 'Place', 'Time zone', 'Courts']}
      cells={(venue) => [
        venue.name,
        [venue.city, venue.country].filter(Boolean).join(', ') || NONE,
        venue.timezone ?? NONE,
        venue.courts.join(', ') || NONE,
      ]}
      form={(props) => <VenueDialog {...props} />}
      empty={<p>No venues yet. A match can be made without one.</p>}
      deletes="While a match is there, or a team or club is at home there, it stays."
    />
  )
}

const nameOf = ({ name }: Venue) => name

const VenueDialog = (props: FormProps<Venue>) => (
  <RecordDialog {...props} path={PATH} kind="venue" nameOf={nameOf} fields={FIELDS} />
)
