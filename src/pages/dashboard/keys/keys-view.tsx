import './keys.css'
import { useState } from 'react'
import { ActionMenu } from '../../ui/action-menu.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Table } from '../../ui/table.tsx'
import { api } from '../api.ts'
import { Confirm } from '../confirm.tsx'
import { Empty, PageHead, Waiting } from '../parts.tsx'
import { useMay } from '../session.tsx'
import type { ApiKey, ApiKeyList } from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import { NewKeyDialog } from './new-key-dialog.tsx'
import { scopesInWords } from './scopes.ts'

/** The keys that programs use; only owners and admins get here. spec: Authentication 10 */
export function KeysView() {
  const mayChange = useMay('keys:write')
  const list = useResource<ApiKeyList>('/v1/keys?limit=1000')
  const [making, setMaking] = useState<ApiKey | 'new'>()
  const [deleting, setDeleting] = useState<ApiKey>()
  return (
    <>
      <PageHead
        title="API keys"
        about="What programs use to reach the API. A key acts for the whole organization, within its scopes."
      >
        {mayChange && (
          <Button look="primary" onClick={() => setMaking('new')}>
            New key
          </Button>
        )}
      </PageHead>
      {list.value ? (
        <Keys keys={list.value.keys} {...(mayChange && { onDelete: setDeleting, onReplace: setMaking })} />
      ) : (
        <Waiting error={list.error} reload={list.reload} />
      )}
      {making && (
        <NewKeyDialog
          {...(making !== 'new' && { like: making })}
          onClose={() => setMaking(undefined)}
          onMade={list.reload}
        />
      )}
      <Confirm
        open={deleting !== undefined}
        title={`Delete the key ${deleting?.name ?? ''}?`}
        about={`Every program that uses ${deleting?.preview ?? 'it'} is refused at once. This cannot be taken back.`}
        label="Delete the key"
        onClose={() => setDeleting(undefined)}
        write={async (key) => {
          if (deleting) await api('DELETE', `/v1/keys/${deleting.id}`, { key })
          await list.reload()
        }}
      />
    </>
  )
}

type KeysProps = { keys: readonly ApiKey[]; onDelete?: (key: ApiKey) => void; onReplace?: (key: ApiKey) => void }

function Keys({ keys, onDelete, onReplace }: KeysProps) {
  if (keys.length === 0) return <Empty>There are no API keys yet.</Empty>
  return (
    <Table label="API keys" columns={['Name', 'Key', 'Scopes', 'Made', 'Last used', 'Expires', '']}>
      {keys.map((key) => (
        <tr key={key.id}>
          <td className="cell-wrap">
            {key.name} {key.legacy && <Badge>Legacy</Badge>}
          </td>
          <td className="mono key-preview">{key.preview}</td>
          <td className="cell-wrap cell-scopes">{scopesInWords(key.scopes)}</td>
          <td>
            <Moment at={key.createdAt} />
          </td>
          <td>
            <Moment at={key.lastUsedAt} never="never" />
          </td>
          <td>
            <Expiry at={key.expiresAt} />
          </td>
          <td className="cell-actions">
            {onDelete && onReplace && (
              <ActionMenu
                of={key.name}
                actions={[
                  { title: 'New key with the same scopes', onSelect: () => onReplace(key) },
                  { title: 'Delete', onSelect: () => onDelete(key), danger: true },
                ]}
              />
            )}
          </td>
        </tr>
      ))}
    </Table>
  )
}

const SOON_MS = 7 * 86_400_000

function Expiry({ at }: { at: string | null }) {
  if (at === null) return 'never'
  const left = Date.parse(at) - Date.now()
  return (
    <span className="expiry">
      <Moment at={at} />
      {left <= 0 ? <Badge tone="bad">Expired</Badge> : left < SOON_MS && <Badge tone="pending">Soon</Badge>}
    </span>
  )
}
