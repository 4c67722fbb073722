import { type FormEvent, useState } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { timeOfDay } from '../../ui/elapsed.ts'
import { TextField } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { api } from '../api.ts'
import { Failure } from '../parts.tsx'
import type { Overlay } from '../shapes.ts'
import { useCommand } from '../use-command.ts'

/** Where the OBS of an overlay is, so that it loads new theme versions by itself. */
export function ObsPanel({ overlay, onSaved }: { overlay: Overlay; onSaved: () => Promise<void> }) {
  const { id, obsUrl, obsPasswordSet, obsRefresh } = overlay
  const [changes, setChanges] = useState<{ url?: string; password?: string }>({})
  const url = changes.url ?? obsUrl ?? ''
  const isMoved = url.trim() !== (obsUrl ?? '')
  const set = (change: typeof changes) => setChanges((last) => ({ ...last, ...change }))

  const save = useCommand(async (_: undefined, key) => {
    const body = {
      ...(isMoved && { obsUrl: url.trim() === '' ? null : url.trim() }),
      ...(changes.password && url.trim() !== '' && { obsPassword: changes.password }),
    }
    await api('PATCH', `/v2/overlays/${id}`, { body, key })
    await onSaved()
    setChanges({})
  })
  const forget = useCommand(async (_: undefined, key) => {
    await api('PATCH', `/v2/overlays/${id}`, { body: { obsPassword: null }, key })
    await onSaved()
  })
  const refresh = useCommand(async (_: undefined, key) => {
    await api('POST', `/v2/overlays/${id}/obs/refresh`, { key })
    await onSaved()
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save.run(undefined)
  }
  const changed = isMoved || Boolean(changes.password)
  return (
    <Panel title="OBS" about="Loads the page anew in OBS when another theme version is active, once nothing is on air">
      {obsRefresh && obsUrl !== null && <Told refresh={obsRefresh} />}
      <form className="stack" onSubmit={submit}>
        <TextField
          label="obs-websocket"
          name="obsUrl"
          value={url}
          placeholder="ws://192.168.1.20:4455"
          maxLength={255}
          autoComplete="off"
          spellCheck={false}
          hint="In OBS: Tools, WebSocket Server Settings. Leave empty to refresh by hand"
          error={save.fields.obsUrl}
          onChange={(event) => set({ url: event.target.value })}
        />
        <TextField
          label="Its password"
          name="obsPassword"
          type="password"
          value={changes.password ?? ''}
          placeholder={obsPasswordSet && !isMoved ? '•••••••• (set)' : ''}
          maxLength={255}
          autoComplete="new-password"
          hint={
            obsPasswordSet && isMoved
              ? 'Another address needs it again: the one that was set is forgotten'
              : 'Show Connect Info in OBS has it. It is never shown here again'
          }
          error={save.fields.obsPassword}
          onChange={(event) => set({ password: event.target.value })}
        />
        <Failure error={save.error ?? forget.error ?? refresh.error} />
        <div className="form-actions">
          <Button type="submit" look="primary" disabled={!changed || save.busy}>
            {save.busy ? 'Saving…' : 'Save'}
          </Button>
          {changed ? (
            <Button onClick={() => setChanges({})}>Discard</Button>
          ) : (
            <>
              {obsUrl !== null && (
                <Button disabled={refresh.busy} onClick={() => void refresh.run(undefined)}>
                  Refresh now
                </Button>
              )}
              {obsPasswordSet && (
                <Button disabled={forget.busy} onClick={() => void forget.run(undefined)}>
                  Forget the password
                </Button>
              )}
            </>
          )}
        </div>
      </form>
    </Panel>
  )
}

function Told({ refresh: { at, state, sources, error } }: { refresh: NonNullable<Overlay['obsRefresh']> }) {
  const time = timeOfDay(Date.parse(at))
  if (state === 'failed')
    return (
      <p className="notice notice-bad" role="status">
        {time}: {error}
      </p>
    )
  return (
    <p className="obs-told" role="status">
      <Badge tone={state === 'waiting' || sources === 0 ? 'pending' : 'good'}>
        {state === 'waiting' ? 'Waits until nothing is on air' : `${sources} refreshed`}
      </Badge>{' '}
      {state === 'waiting'
        ? ''
        : sources === 0
          ? `${time}: no browser source there shows this overlay`
          : `${time}: ${sources === 1 ? 'one browser source' : `${sources} browser sources`}`}
    </p>
  )
}
