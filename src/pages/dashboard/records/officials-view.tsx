import { worded } from '../../../schema/worded.ts'
import type { Official } from '../shapes.ts'
import type { FieldDef } from './fields.ts'
import { RecordDialog } from './record-dialog.tsx'
import { type FormProps, NONE, RecordList } from './record-list.tsx'

const PATH = '/v1/officials'
const ROLES = ['referee', 'assistantReferee', 'umpire', 'videoReferee', 'scorer', 'timekeeper']

const FIELDS: readonly FieldDef[] = [
  { name: 'firstName', label: 'First name', required: true, maxLength: 35 },
  { name: 'lastName', label: 'Last name', required: true, maxLength: 35 },
  {
    name: 'role',
    label: 'Usual role',
    input: 'select',
    options: [['', '–'], ...ROLES.map((role) => [role, worded(role)] as const)],
    clears: true,
    hint: 'Each match says it again',
  },
  { name: 'gfxName', label: 'Name on graphics', maxLength: 35, clears: true },
]

/** Referees, umpires and others who are named on graphics. */
export function OfficialsView() {
  return (
    <RecordList<Official>
      title="Officials"
      about="Referees, umpires, scorers and timekeepers, as graphics name them."
      kind="official"
      path={PATH}
      member="officials"
      scope="players:write"
      importAt="/officials/import"
      nameOf={nameOf}
      columns={['Official', 'Usual role', 'On graphics']}
      cells={(official) => [nameOf(official), official.role ? worded(official.role) : NONE, official.gfxName ?? NONE]}
      form={(props) => <OfficialDialog {...props} />}
      empty={<p>No officials yet. A match names those who are in charge of it.</p>}
      deletes="While a match names the official, the record stays."
    />
  )
}

const nameOf = ({ firstName, lastName }: Official) => `${firstName} ${lastName}`

const OfficialDialog = (props: FormProps<Official>) => (
  <RecordDialog {...props} path={PATH} kind="official" nameOf={nameOf} fields={FIELDS} />
)
