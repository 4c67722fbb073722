import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import type { ClubList, CompetitionList, GradeList, Team, VenueList } from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import { saidOf } from './clubs-view.tsx'
import { COLOUR_FIELDS, type FieldDef } from './fields.ts'
import { type LogoChoice, LogoField } from './logo-field.tsx'
import { AGE_OPTIONS, GENDER_OPTIONS, offered, SPORT_OPTIONS } from './options.ts'
import { RecordDialog } from './record-dialog.tsx'
import type { FormProps } from './record-list.tsx'
import { saveLogo } from './save-logo.ts'

const PATH = '/v1/teams'
const KEPT = 'As it is'

type StaffMember = NonNullable<Team['nonPlayerStaff']>[number]

type Props = Omit<FormProps<Team>, 'onSaved'> & {
  onSaved: (team: Team) => Promise<void>
  /** What a new team is of. */
  competitionId?: number
  sport?: string
}

/** A team with its names, colours, logo, club, home ground and staff. */
export function TeamDialog({ record, competitionId, sport, ...props }: Props) {
  const [logo, setLogo] = useState<LogoChoice>()
  const [staff, setStaff] = useState<readonly StaffMember[]>(record?.nonPlayerStaff ?? [])
  const venues = useResource<VenueList>('/v1/venues?limit=1000')
  const clubs = useResource<ClubList>('/v1/teams/clubs?limit=1000')
  const grades = useResource<GradeList>('/v1/competitions/grades')
  const competitions = useResource<CompetitionList>(record ? undefined : '/v1/competitions?limit=1000')
  const [chosen, setChosen] = useState<number | undefined>(competitionId)
  const competition = competitions.value?.competitions.find(({ id }) => id === chosen)
  const fields: FieldDef[] = [
    { name: 'name', label: 'Name', required: true, maxLength: 39, hint: '6 to 39 characters' },
    { name: 'sport', label: 'Sport', required: true, input: 'select', options: SPORT_OPTIONS, onlyNew: true },
    { name: 'gfxName', label: 'Name on graphics', maxLength: 19, hint: '6 to 19 characters' },
    { name: 'gfxFullName', label: 'Full name on graphics', maxLength: 35, isSeldom: true, hint: '6 to 35 characters' },
    { name: 'abbreviation', label: 'Short', maxLength: 4, hint: '2 to 4 characters, for score bugs' },
    {
      name: 'clubId',
      label: 'Club',
      input: 'select',
      isNumber: true,
      clears: true,
      options: offered(clubs.value?.clubs),
    },
    {
      name: 'defaultVenueId',
      label: 'Home ground',
      input: 'select',
      isNumber: true,
      options: offered(venues.value?.venues),
    },
    ...COLOUR_FIELDS.map((field, index) => (index < 2 ? field : { ...field, isSeldom: true })),
    { name: 'age', label: 'Age', input: 'select', isSeldom: true, options: AGE_OPTIONS, untold: KEPT },
    { name: 'gender', label: 'Gender', input: 'select', isSeldom: true, options: GENDER_OPTIONS, untold: KEPT },
    {
      ...{ name: 'gradeId', label: 'Grade', input: 'select', isSeldom: true, isNumber: true, untold: KEPT },
      options: record ? offered(grades.value).slice(1) : offered(grades.value),
    },
  ]
  const isStaffChanged = JSON.stringify(staff) !== JSON.stringify(record?.nonPlayerStaff ?? [])
  return (
    <RecordDialog
      {...props}
      record={record}
      path={PATH}
      kind="team"
      nameOf={({ name }) => name}
      fields={fields}
      initial={{
        sport: sport ?? competition?.sport ?? 'football',
        ...{ age: 'Unknown', gender: 'Unknown' },
        ...{ primaryBackgroundColor: '#1f6fd6', primaryTextColor: '#ffffff' },
      }}
      withNew={{ ...(chosen !== undefined && { competitionIds: [chosen] }) }}
      withChange={isStaffChanged ? { nonPlayerStaff: staff } : undefined}
      more={() => (
        <>
          {!record && competitions.value && competitionId === undefined && (
            <CompetitionChoice list={competitions.value} value={chosen} onChange={setChosen} />
          )}
          <LogoField
            url={record?.logoUrl}
            {...(record?.clubId && { hint: 'Without one of its own the team has that of its club' })}
            choice={logo}
            onChange={setLogo}
          />
          <StaffFields staff={staff} onChange={setStaff} />
        </>
      )}
      also={({ id }) => saveLogo(`${PATH}/${id}/logo`, logo)}
      alsoSaid={[saidOf(logo), staff, chosen]}
    />
  )
}

function CompetitionChoice({
  list,
  value,
  onChange,
}: {
  list: CompetitionList
  value: number | undefined
  onChange: (id: number | undefined) => void
}) {
  return (
    <label className="field">
      <span className="field-label">Plays in</span>
      <select
        className="input"
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value === '' ? undefined : Number(target.value))}
      >
        {offered(list.competitions).map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

const ROLES = [
  ['manager', 'Manager'],
  ['assistantManager', 'Assistant manager'],
] as const

/** Coaches and the like; graphics name the manager as the coach, or else the first. */
function StaffFields({
  staff,
  onChange,
}: {
  staff: readonly StaffMember[]
  onChange: (staff: readonly StaffMember[]) => void
}) {
  const set = (index: number, change: Partial<StaffMember>) =>
    onChange(staff.map((one, at) => (at === index ? { ...one, ...change } : one)))
  return (
    <fieldset className="staff-rows">
      <legend className="field-label">Staff</legend>
      {staff.map((member, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: staff has no ids, and keeps its order
        <div className="staff-row" key={index}>
          {(['firstName', 'lastName'] as const).map((name) => (
            <input
              key={name}
              className="input"
              aria-label={`${name === 'firstName' ? 'First' : 'Last'} name of staff member ${index + 1}`}
              placeholder={name === 'firstName' ? 'First name' : 'Last name'}
              maxLength={255}
              value={member[name]}
              onChange={({ target }) => set(index, { [name]: target.value })}
            />
          ))}
          <select
            className="input"
            aria-label={`Role of staff member ${index + 1}`}
            value={member.role}
            onChange={({ target }) => {
              const role = ROLES.find(([one]) => one === target.value)?.[0]
              if (role) set(index, { role })
            }}
          >
            {ROLES.map(([role, title]) => (
              <option key={role} value={role}>
                {title}
              </option>
            ))}
          </select>
          <Button small look="quiet" onClick={() => onChange(staff.filter((_, at) => at !== index))}>
            Remove<span className="visually-hidden"> staff member {index + 1}</span>
          </Button>
        </div>
      ))}
      <div>
        <Button
          small
          onClick={() =>
            onChange([
              ...staff,
              { firstName: '', lastName: '', role: staff.length === 0 ? 'manager' : 'assistantManager' },
            ])
          }
        >
          Add a staff member
        </Button>
      </div>
    </fieldset>
  )
}
