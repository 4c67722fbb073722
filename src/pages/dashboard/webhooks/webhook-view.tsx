import './webhooks.css'
import { useState } from 'react'
import { ActionMenu } from '../../ui/action-menu.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Table } from '../../ui/table.tsx'
import { api } from '../api.ts'
import { FilterSelect, Pager } from '../filter-fields.tsx'
import { Empty, Failure, PageHead, Waiting } from '../parts.tsx'
import { useMay } from '../session.tsx'
import type { Webhook, WebhookDelivery, WebhookDeliveryList } from '../shapes.ts'
import { useCommand } from '../use-command.ts'
import { useFilters } from '../use-filters.ts'
import { useResource } from '../use-resource.ts'
import type { ViewProps } from '../view.ts'
import { wordsOf } from './event-groups.ts'
import { ReplayDialog } from './replay-dialog.tsx'
import { WebhookState } from './webhook-state.tsx'
import { eventsInWords } from './webhooks-view.tsx'

const EVERY_MS = 2_000
const ROWS = 50
const STATES = [
  ['pending', 'Waiting'],
  ['delivered', 'Delivered'],
  ['failed', 'Given up'],
] as const

/** What a webhook was told, and how that went. */
export function WebhookView({ params }: ViewProps) {
  const path = `/v2/webhooks/${params.webhookId}`
  const filters = useFilters()
  const mayChange = useMay('webhooks:write')
  const webhook = useResource<Webhook>(path, { everyMs: EVERY_MS })
  const query = filters.query(['status', 'offset'], { limit: String(ROWS) })
  const list = useResource<WebhookDeliveryList>(`${path}/deliveries${query}`, { everyMs: EVERY_MS })
  const [replaying, setReplaying] = useState(false)
  const send = useCommand(async (what: string, key) => {
    await api('POST', `${path}/${what}`, { key })
    await list.reload()
  })
  if (!webhook.value) return <Waiting error={webhook.error} reload={webhook.reload} />
  const { url, enabled } = webhook.value
  const mayAsk = mayChange && enabled
  return (
    <>
      <PageHead
        title="Deliveries"
        about={<span className="webhook-url">{url}</span>}
        back={{ to: '/webhooks', title: 'Webhooks' }}
      >
        {mayAsk && (
          <>
            <Button onClick={() => setReplaying(true)}>Replay</Button>
            <Button look="primary" disabled={send.busy} onClick={() => void send.run('test')}>
              Send a test
            </Button>
          </>
        )}
      </PageHead>
      <div className="webhook-facts">
        <div>
          <WebhookState {...webhook.value} />
        </div>
        <div>{eventsInWords(webhook.value)}</div>
      </div>
      <Failure error={send.error} />
      <div className="filters">
        <FilterSelect filters={filters} name="status" label="State" all="All" options={STATES} />
      </div>
      {list.value ? (
        <>
          <Deliveries
            deliveries={list.value.deliveries}
            {...(mayAsk && { onAgain: ({ id }) => void send.run(`deliveries/${id}/redeliver`) })}
          />
          <Pager filters={filters} limit={ROWS} {...list.value} />
        </>
      ) : (
        <Waiting error={list.error} reload={list.reload} />
      )}
      {replaying && <ReplayDialog path={path} onClose={() => setReplaying(false)} reload={list.reload} />}
    </>
  )
}

type Props = { deliveries: readonly WebhookDelivery[]; onAgain?: (delivery: WebhookDelivery) => void }

function Deliveries({ deliveries, onAgain }: Props) {
  if (deliveries.length === 0) return <Empty>Nothing was told yet that fits.</Empty>
  return (
    <Table label="Deliveries" columns={['Event', 'State', 'Attempts', 'webhook-id', '']}>
      {deliveries.map((delivery) => (
        <tr key={delivery.id}>
          <td>
            {wordsOf(delivery.type)}
            <p className="mono webhook-event-type">{delivery.type}</p>
          </td>
          <td>
            <State {...delivery} />
          </td>
          <td className="cell-wrap cell-attempts">
            <Attempts {...delivery} />
          </td>
          <td className="mono cell-record" title={delivery.id}>
            {delivery.id.slice(0, 12)}…
          </td>
          <td className="cell-actions">
            {onAgain && (
              <ActionMenu
                of={`${delivery.type} ${delivery.id}`}
                actions={[
                  { title: 'Deliver again', onSelect: () => onAgain(delivery) },
                  { title: 'Copy the webhook-id', onSelect: () => void navigator.clipboard.writeText(delivery.id) },
                ]}
              />
            )}
          </td>
        </tr>
      ))}
    </Table>
  )
}

function State({ state, nextAt, attempts }: WebhookDelivery) {
  if (state === 'delivered') return <Badge tone="good">Delivered</Badge>
  if (state === 'failed') return <Badge tone="bad">Given up</Badge>
  return (
    <>
      <Badge tone="pending">{attempts.length === 0 ? 'On its way' : 'Waiting'}</Badge>
      {nextAt && attempts.length > 0 && (
        <p className="cell-about">
          next try <Moment at={nextAt} seconds />
        </p>
      )}
      {!nextAt && <p className="cell-about">until it is enabled</p>}
    </>
  )
}

/** The latest three, newest first. */
function Attempts({ attempts }: Pick<WebhookDelivery, 'attempts'>) {
  const latest = attempts.slice(-3).reverse()
  return (
    <ul className="webhook-attempts">
      {latest.map(({ at, status, ms, error }) => (
        <li key={at} className="webhook-attempt">
          <span className={error === null ? 'webhook-taken' : 'webhook-refused'}>{error ?? status}</span>
          <span className="cell-about">
            <Moment at={at} seconds /> · {ms} ms
          </span>
        </li>
      ))}
      {attempts.length > 3 && <li className="cell-about">and {attempts.length - 3} before</li>}
    </ul>
  )
}
