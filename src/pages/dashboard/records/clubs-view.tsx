import { useState } from 'react'
import { navigate } from '../router.tsx'
import type { Club, VenueList } from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import { ClubMark, Swatches } from './club-mark.tsx'
import { COLOUR_FIELDS, type FieldDef } from './fields.ts'
import { type LogoChoice, LogoField } from './logo-field.tsx'
import { offered } from './options.ts'
import { RecordDialog } from './record-dialog.tsx'
import { type FormProps, RecordList } from './record-list.tsx'
import { saveLogo } from './save-logo.ts'

const PATH = '/v1/teams/clubs'

/** Clubs, whose teams have their logo, colours and home where they say nothing else. */
export function ClubsView() {
  return (
    <RecordList<Club>
      title="Clubs"
      about="Teams of a club have its logo, colours and home ground until they say their own."
      kind="club"
      path={PATH}
      member="clubs"
      scope="teams:write"
      importAt="/clubs/import"
      nameOf={nameOf}
      columns={['Club', 'Colours']}
      cells={(club) => [
        <span key="name" className="record-cell">
          <ClubMark of={club} />
          {club.name}
        </span>,
        <Swatches
          key="colours"
          colours={[
            club.primaryBackgroundColor,
            club.primaryTextColor,
            club.secondaryBackgroundColor,
            club.secondaryTextColor,
          ]}
        />,
      ]}
      form={(props) => <ClubDialog {...props} />}
      actions={({ id }) => [{ title: 'Its teams', onSelect: () => navigate(`/teams?clubId=${id}`) }]}
      empty={<p>No clubs yet. A club is worth it when several teams share logo and colours.</p>}
      deletes="While it has teams, it stays."
    />
  )
}

const nameOf = ({ name }: Club) => name

function ClubDialog(props: FormProps<Club>) {
  const [logo, setLogo] = useState<LogoChoice>()
  const venues = useResource<VenueList>('/v1/venues?limit=1000')
  const fields: FieldDef[] = [
    { name: 'name', label: 'Name', required: true, maxLength: 39, hint: '6 to 39 characters' },
    {
      ...{ name: 'defaultVenueId', label: 'Home ground', input: 'select', isNumber: true, clears: true },
      options: offered(venues.value?.venues),
    },
    ...COLOUR_FIELDS.map((field) => ({ ...field, clears: true })),
  ]
  return (
    <RecordDialog
      {...props}
      path={PATH}
      kind="club"
      nameOf={nameOf}
      fields={fields}
      more={() => <LogoField url={props.record?.logoUrl} choice={logo} onChange={setLogo} />}
      also={({ id }) => saveLogo(`${PATH}/${id}/logo`, logo)}
      alsoSaid={saidOf(logo)}
    />
  )
}

/** What was chosen, as text that differs from any other choice. */
export const saidOf = (logo: LogoChoice): unknown =>
  typeof logo === 'object' ? { name: logo.name, crop: logo.crop } : logo
