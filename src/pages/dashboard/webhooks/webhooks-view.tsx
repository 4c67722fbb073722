import './webhooks.css'
import { useState } from 'react'
import { ActionMenu } from '../../ui/action-menu.tsx'
import { Button } from '../../ui/button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Table } from '../../ui/table.tsx'
import { api } from '../api.ts'
import { Confirm } from '../confirm.tsx'
import { Empty, PageHead, Waiting } from '../parts.tsx'
import { Link, navigate } from '../router.tsx'
import { useMay } from '../session.tsx'
import type { Webhook, WebhookList, WebhookWithSecret } from '../shapes.ts'
import { ShownOnce } from '../shown-once.tsx'
import { useResource } from '../use-resource.ts'
import { WebhookDialog } from './webhook-dialog.tsx'
import { WebhookState } from './webhook-state.tsx'

const EVERY_MS = 5_000
const NAMED_EVENTS = 3

type Asked = { what: 'edit' | 'delete' | 'rotate' | 'switch'; webhook: Webhook }

/** Where what happens is told to, and whether it is heard there; only owners and admins get here. integrations: Webhooks */
export function WebhooksView() {
  const mayChange = useMay('webhooks:write')
  const list = useResource<WebhookList>('/v2/webhooks?limit=1000', { everyMs: EVERY_MS })
  const [adding, setAdding] = useState(false)
  const [asked, setAsked] = useState<Asked>()
  const [shown, setShown] = useState<WebhookWithSecret>()
  const done = () => setAsked(undefined)
  const saved = async (made?: WebhookWithSecret) => {
    if (made) setShown(made)
    await list.reload()
  }
  const webhook = asked?.webhook
  return (
    <>
      <PageHead title="Webhooks" about="Your servers that are told what happens, signed, as soon as it is durable.">
        {mayChange && (
          <Button look="primary" onClick={() => setAdding(true)}>
            New webhook
          </Button>
        )}
      </PageHead>
      {list.value ? (
        <Webhooks webhooks={list.value.webhooks} mayChange={mayChange} onAsk={setAsked} />
      ) : (
        <Waiting error={list.error} reload={list.reload} />
      )}
      {adding && <WebhookDialog webhook={undefined} onClose={() => setAdding(false)} onSaved={saved} />}
      {asked?.what === 'edit' && <WebhookDialog webhook={asked.webhook} onClose={done} onSaved={saved} />}
      <Confirm
        open={asked?.what === 'delete'}
        title="Delete the webhook?"
        about={`${hostOf(webhook)} is told nothing any more, and what was told is forgotten. This cannot be taken back.`}
        label="Delete the webhook"
        onClose={done}
        write={async (key) => {
          await api('DELETE', `/v2/webhooks/${webhook?.id}`, { key })
          await list.reload()
        }}
      />
      <Confirm
        open={asked?.what === 'rotate'}
        title="Make a new secret?"
        about="Deliveries are signed with both for 24 hours: give the new one to the receiver until then."
        label="Make a new secret"
        look="primary"
        onClose={done}
        write={async (key) => {
          setShown(await api<WebhookWithSecret>('POST', `/v2/webhooks/${webhook?.id}/secret/rotate`, { key }))
        }}
      />
      <Confirm
        open={asked?.what === 'switch'}
        title={webhook?.enabled ? 'Disable the webhook?' : 'Enable the webhook?'}
        about={
          webhook?.enabled
            ? 'It is told nothing of what happens from now on. What waits for it waits on.'
            : 'What waits for it is sent at once. A replay tells it what happened meanwhile.'
        }
        label={webhook?.enabled ? 'Disable' : 'Enable'}
        look={webhook?.enabled ? 'danger' : 'primary'}
        onClose={done}
        write={async (key) => {
          await api('PATCH', `/v2/webhooks/${webhook?.id}`, { body: { enabled: !webhook?.enabled }, key })
          await list.reload()
        }}
      />
      {shown && (
        <ShownOnce
          title="The secret of the webhook"
          label="Secret"
          secret={shown.secret}
          why="The receiver verifies with it that a delivery comes from here."
          lost="Make a new secret."
          onClose={() => setShown(undefined)}
        />
      )}
    </>
  )
}

type Props = { webhooks: readonly Webhook[]; mayChange: boolean; onAsk: (asked: Asked) => void }

function Webhooks({ webhooks, mayChange, onAsk }: Props) {
  if (webhooks.length === 0)
    return (
      <Empty>
        Nobody is told yet.{' '}
        <a href="/docs/webhooks" target="_blank" rel="noreferrer">
          What a receiver does
        </a>
      </Empty>
    )
  return (
    <Table label="Webhooks" columns={['Address', 'State', 'Told of', 'Last taken', '']}>
      {webhooks.map((webhook) => (
        <tr key={webhook.id}>
          <td className="cell-wrap cell-url">
            <Link to={`/webhooks/${webhook.id}`} className="webhook-url">
              {webhook.url}
            </Link>
            {webhook.description && <p className="cell-about">{webhook.description}</p>}
          </td>
          <td>
            <WebhookState {...webhook} />
          </td>
          <td>
            <Events {...webhook} />
          </td>
          <td>
            <Moment at={webhook.lastSuccessAt} never="never" />
          </td>
          <td className="cell-actions">
            <ActionMenu of={hostOf(webhook)} actions={actionsOf(webhook, mayChange, onAsk)} />
          </td>
        </tr>
      ))}
    </Table>
  )
}

function actionsOf(webhook: Webhook, mayChange: boolean, onAsk: Props['onAsk']) {
  const ask = (what: Asked['what']) => () => onAsk({ what, webhook })
  const look = { title: 'Deliveries', onSelect: () => navigate(`/webhooks/${webhook.id}`) }
  if (!mayChange) return [look]
  return [
    look,
    { title: 'Change', onSelect: ask('edit') },
    { title: 'New secret', onSelect: ask('rotate') },
    { title: webhook.enabled ? 'Disable' : 'Enable', onSelect: ask('switch') },
    { title: 'Delete', onSelect: ask('delete'), danger: true },
  ]
}

/** Few by their names, many by their number. */
function Events({ events }: Pick<Webhook, 'events'>) {
  if (events.includes('*')) return 'Everything'
  if (events.length > NAMED_EVENTS) return <span title={events.join(', ')}>{events.length} types</span>
  return (
    <ul className="webhook-told">
      {events.map((type) => (
        <li key={type} className="mono">
          {type}
        </li>
      ))}
    </ul>
  )
}

export const eventsInWords = ({ events }: Webhook): string =>
  events.includes('*') ? 'Everything' : events.length === 1 ? (events[0] ?? '') : `${events.length} types`

const hostOf = (webhook: Webhook | undefined) => (webhook ? new URL(webhook.url).host : '')
