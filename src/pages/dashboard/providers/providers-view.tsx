import { useState } from 'react'
import { worded } from '../../../schema/worded.ts'
import { ActionMenu } from '../../ui/action-menu.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Panel } from '../../ui/panel.tsx'
import { api } from '../api.ts'
import { Confirm } from '../confirm.tsx'
import { FormDialog } from '../form-dialog.tsx'
import { Empty, Failure, PageHead, Waiting } from '../parts.tsx'
import { useMay } from '../session.tsx'
import type { ProviderConnection, ProviderConnectionList } from '../shapes.ts'
import { useCommand } from '../use-command.ts'
import { useResource } from '../use-resource.ts'

const PATH = '/v1/provider-connections'
const EVERY_MS = 3_000

/** Where fixtures, rosters and results come from by themselves, and whether they do. */
export function ProvidersView() {
  const mayChange = useMay('provider-connections:write')
  const list = useResource<ProviderConnectionList>(PATH, { everyMs: EVERY_MS })
  const [adding, setAdding] = useState(false)
  return (
    <>
      <PageHead
        title="Data providers"
        about="Competitions, teams, players and matches that a league’s own system supplies."
      >
        {mayChange && (
          <Button look="primary" onClick={() => setAdding(true)}>
            Connect a provider
          </Button>
        )}
      </PageHead>
      {!list.value && <Waiting error={list.error} reload={list.reload} />}
      {list.value?.connections.length === 0 && (
        <Empty>
          <p>
            No provider is connected. A provider serves its data as JSON in{' '}
            <a href="/docs/providers" target="_blank" rel="noreferrer">
              the format of the guide
            </a>
            .
          </p>
        </Empty>
      )}
      {list.value?.connections.map((connection) => (
        <Connection key={connection.id} connection={connection} mayChange={mayChange} reload={list.reload} />
      ))}
      {adding && <ConnectDialog onClose={() => setAdding(false)} onSaved={list.reload} />}
    </>
  )
}

const STATES = {
  syncing: ['pending', 'Syncing'],
  failing: ['bad', 'Failing'],
  partly: ['pending', 'Synced, but for some records'],
  good: ['good', 'Synced'],
  waiting: ['pending', 'Waiting for the first sync'],
} as const

function stateOf({ syncing, lastError, lastSuccessAt, lastReport }: ProviderConnection): keyof typeof STATES {
  if (syncing) return 'syncing'
  if (lastError !== null) return 'failing'
  if (lastSuccessAt === null) return 'waiting'
  return (lastReport?.problems?.length ?? 0) > 0 ? 'partly' : 'good'
}

function Connection({
  connection,
  mayChange,
  reload,
}: {
  connection: ProviderConnection
  mayChange: boolean
  reload: () => Promise<void>
}) {
  const { id, provider, url, intervalSeconds, hasToken, lastError, lastReport } = connection
  const [removing, setRemoving] = useState(false)
  const sync = useCommand(async (_input: undefined, key) => {
    await api('POST', `${PATH}/${id}/sync`, { key })
    await reload()
  })
  const [tone, words] = STATES[stateOf(connection)]
  const reasons = [...(lastReport?.details ?? []), ...(lastReport?.problems ?? [])]
  return (
    <Panel
      title={worded(provider)}
      about={url}
      actions={
        mayChange && (
          <div className="page-actions">
            <Button disabled={sync.busy || connection.syncing} onClick={() => void sync.run(undefined)}>
              Sync now
            </Button>
            <ActionMenu of={url} actions={[{ title: 'Disconnect', onSelect: () => setRemoving(true), danger: true }]} />
          </div>
        )
      }
    >
      <dl className="facts">
        {(
          [
            [
              'State',
              <Badge key="state" tone={tone}>
                {words}
              </Badge>,
            ],
            ['Last success', connection.lastSuccessAt ? <Moment key="last" at={connection.lastSuccessAt} /> : 'never'],
            ['Next', <Moment key="next" at={connection.dueAt} />],
            ['Every', intervalOf(intervalSeconds)],
            ['Token', hasToken ? 'is sent' : 'none'],
          ] as const
        ).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Failure error={sync.error} />
      {(lastError !== null || reasons.length > 0) && (
        <div className={lastError === null ? 'notice' : 'notice notice-bad'}>
          <p>{lastError ?? 'What could not be taken; the next sync tries it again:'}</p>
          <ul>
            {reasons.slice(0, 50).map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </div>
      )}
      {lastReport?.counts && <Counts counts={lastReport.counts} />}
      {removing && (
        <Confirm
          open
          title={`Disconnect ${worded(provider)}?`}
          about="What it brought stays, as your own. Connected again, it finds its records by their ids."
          label="Disconnect"
          onClose={() => setRemoving(false)}
          write={async (key) => {
            await api('DELETE', `${PATH}/${id}`, { key })
            await reload()
          }}
        />
      )}
    </Panel>
  )
}

/** `competitions: 1 new, 12 as they were` */
function Counts({ counts }: { counts: NonNullable<NonNullable<ProviderConnection['lastReport']>['counts']> }) {
  const lines = Object.entries(counts).flatMap(([kind, numbers]) => {
    const some = Object.entries(numbers).filter(([, count]) => count > 0)
    return some.length === 0 ? [] : [[kind, some.map(([name, count]) => `${count} ${name}`).join(', ')] as const]
  })
  if (lines.length === 0) return null
  return (
    <dl className="facts">
      {lines.map(([kind, said]) => (
        <div key={kind}>
          <dt>{worded(kind)}</dt>
          <dd>{said}</dd>
        </div>
      ))}
    </dl>
  )
}

const INTERVALS = [
  ['1m', '1 minute'],
  ['5m', '5 minutes'],
  ['15m', '15 minutes'],
  ['1h', '1 hour'],
  ['6h', '6 hours'],
  ['1d', '1 day'],
] as const

function intervalOf(seconds: number): string {
  if (seconds % 86_400 === 0) return seconds === 86_400 ? 'day' : `${seconds / 86_400} days`
  if (seconds % 3_600 === 0) return seconds === 3_600 ? 'hour' : `${seconds / 3_600} hours`
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`
}

function ConnectDialog({ onClose, onSaved }: { onClose: () => void; onSaved: () => Promise<void> }) {
  const [fields, setFields] = useState({ url: '', interval: '15m', token: '' })
  const connect = useCommand(async (_input: object, key) => {
    const { url, interval, token } = fields
    const body = { provider: 'custom', url: url.trim(), interval, ...(token && { token }) }
    await api('POST', PATH, { body, key })
    await onSaved()
    onClose()
  })
  const set = (change: Partial<typeof fields>) => setFields((last) => ({ ...last, ...change }))
  return (
    <FormDialog
      title="Connect a provider"
      about="The first sync begins at once. What was edited here by hand stays."
      label={connect.busy ? 'Connecting…' : 'Connect'}
      command={connect}
      onClose={onClose}
      onSubmit={() => connect.run(fields)}
    >
      <TextField
        label="Address of the feed"
        type="url"
        required
        placeholder="https://league.example/tally.json"
        error={connect.fields.url ?? connect.fields.provider}
        value={fields.url}
        onChange={({ target }) => set({ url: target.value })}
      />
      <SelectField
        label="Asked every"
        error={connect.fields.interval}
        value={fields.interval}
        onChange={({ target }) => set({ interval: target.value })}
      >
        {INTERVALS.map(([value, title]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Token"
        type="password"
        hint="If the feed asks for one. It is sealed, and never shown again."
        error={connect.fields.token}
        value={fields.token}
        onChange={({ target }) => set({ token: target.value })}
      />
    </FormDialog>
  )
}
