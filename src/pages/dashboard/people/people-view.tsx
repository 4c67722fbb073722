import { useState } from 'react'
import { ActionMenu } from '../../ui/action-menu.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Table } from '../../ui/table.tsx'
import { PageHead, Waiting } from '../parts.tsx'
import { RoleLimit } from '../role-limit.tsx'
import { Link } from '../router.tsx'
import { useMay, useSession } from '../session.tsx'
import type { Person, PersonList } from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import { NewPersonDialog } from './new-person-dialog.tsx'
import { type Asked, PersonDialog } from './person-dialog.tsx'
import { ROLES } from './roles.tsx'

/** The people who may sign in, with their roles. */
export function PeopleView() {
  const mayChange = useMay('people:write')
  const list = useResource<PersonList>('/v1/people?limit=1000')
  const [adding, setAdding] = useState(false)
  const [asked, setAsked] = useState<Asked>()
  return (
    <>
      <PageHead title="People" about="Who may sign in here, and as what.">
        {mayChange && (
          <Button look="primary" onClick={() => setAdding(true)}>
            Add somebody
          </Button>
        )}
      </PageHead>
      {list.value ? (
        <>
          <Table label="People" columns={['E-mail', 'Role', 'Signed in', 'Added', '']}>
            {list.value.people.map((person) => (
              <Row key={person.id} person={person} mayChange={mayChange} onAsk={setAsked} />
            ))}
          </Table>
          <RoleLimit scope="owners:write" />
        </>
      ) : (
        <Waiting error={list.error} reload={list.reload} />
      )}
      {adding && <NewPersonDialog onClose={() => setAdding(false)} onAdded={list.reload} />}
      {asked && (
        <PersonDialog
          key={`${asked.what} ${asked.person.id}`}
          {...asked}
          onClose={() => setAsked(undefined)}
          reload={list.reload}
        />
      )}
    </>
  )
}

type RowProps = { person: Person; mayChange: boolean; onAsk: (asked: Asked) => void }

function Row({ person, mayChange, onAsk }: RowProps) {
  const me = useSession()
  const touchesOwners = useMay('owners:write')
  const isMe = person.email === me.email
  const may = mayChange && !isMe && (person.role !== 'owner' || touchesOwners)
  return (
    <tr>
      <td className="cell-wrap">
        {person.email} {isMe && <Badge>You</Badge>}
      </td>
      <td title={ROLES[person.role].about}>{ROLES[person.role].title}</td>
      <td>
        {person.sessions === 0 ? (
          <Badge>Not signed in</Badge>
        ) : (
          <>
            <Badge tone="good">{person.sessions === 1 ? 'Signed in' : `In ${person.sessions} places`}</Badge>
            <p className="cell-about">
              last seen <Moment at={person.lastSeenAt} />
            </p>
          </>
        )}
      </td>
      <td>
        <Moment at={person.createdAt} />
      </td>
      <td className="cell-actions">
        {isMe && (
          <Link className="button button-small" to="/account">
            Your account
          </Link>
        )}
        {may && (
          <ActionMenu
            of={person.email}
            actions={[
              { title: 'Change the role', onSelect: () => onAsk({ what: 'role', person }) },
              { title: 'New password', onSelect: () => onAsk({ what: 'password', person }) },
              { title: 'Sign out everywhere', onSelect: () => onAsk({ what: 'sessions', person }) },
              { title: 'Delete', onSelect: () => onAsk({ what: 'delete', person }), danger: true },
            ]}
          />
        )}
      </td>
    </tr>
  )
}
