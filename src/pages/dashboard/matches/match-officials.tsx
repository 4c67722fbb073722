import { useState } from 'react'
import { worded } from '../../../schema/worded.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { api } from '../api.ts'
import { FormDialog } from '../form-dialog.tsx'
import { Link } from '../router.tsx'
import { useMay } from '../session.tsx'
import type { Match, OfficialList } from '../shapes.ts'
import { useCommand } from '../use-command.ts'
import { useResource } from '../use-resource.ts'

type Named = Match['officials'][number]

/** Who is in charge of a match, as graphics name them. */
export function MatchOfficials({ match, reload }: { match: Match; reload: () => Promise<void> }) {
  const mayRead = useMay('players:read')
  const mayWrite = useMay('matches:write')
  const list = useResource<OfficialList>(mayRead ? '/v1/officials?limit=1000' : undefined)
  const [changing, setChanging] = useState(false)
  if (!list.value) return null
  const nameOf = (id: number) => {
    const found = list.value?.officials.find((official) => official.id === id)
    return found ? `${found.firstName} ${found.lastName}` : `Official ${id}`
  }
  return (
    <Panel
      title="Officials"
      actions={
        mayWrite && (
          <Button small onClick={() => setChanging(true)}>
            Change…<span className="visually-hidden"> officials</span>
          </Button>
        )
      }
    >
      {match.officials.length === 0 ? (
        <p className="match-about">Nobody is named.</p>
      ) : (
        <ul className="side-list">
          {match.officials.map(({ id, role }) => (
            <li className="side-row" key={id}>
              <span>
                <b>{nameOf(id)}</b> {worded(role).toLowerCase()}
              </span>
            </li>
          ))}
        </ul>
      )}
      {changing && (
        <Change match={match} officials={list.value.officials} onClose={() => setChanging(false)} onSaved={reload} />
      )}
    </Panel>
  )
}

const ROLES = ['referee', 'assistantReferee', 'umpire', 'videoReferee', 'scorer', 'timekeeper']

function Change({
  match,
  officials,
  onClose,
  onSaved,
}: {
  match: Match
  officials: OfficialList['officials']
  onClose: () => void
  onSaved: () => Promise<void>
}) {
  const [named, setNamed] = useState<readonly Named[]>(match.officials)
  const save = useCommand(async (sent: readonly Named[], key) => {
    await api('POST', `/v2/matches/${match.id}`, { body: { officials: sent }, key })
    await onSaved()
    onClose()
  })
  const free = officials.filter(({ id }) => !named.some((one) => one.id === id))
  const set = (index: number, change: Partial<Named>) =>
    setNamed((last) => last.map((one, at) => (at === index ? { ...one, ...change } : one)))
  const [next] = free
  return (
    <FormDialog
      title="Officials of the match"
      about={
        officials.length === 0 ? (
          <>
            There are none yet: <Link to="/officials">add them under Officials</Link>.
          </>
        ) : undefined
      }
      label="Save"
      command={save}
      onClose={onClose}
      onSubmit={() => save.run(named)}
    >
      {named.map(({ id, role }, index) => (
        <div className="pair" key={id}>
          <select
            className="input"
            aria-label={`Official ${index + 1}`}
            value={id}
            onChange={({ target }) => set(index, { id: Number(target.value) })}
          >
            {officials
              .filter((official) => official.id === id || free.includes(official))
              .map((official) => (
                <option key={official.id} value={official.id}>
                  {official.firstName} {official.lastName}
                </option>
              ))}
          </select>
          <span className="side-buttons">
            <select
              className="input"
              aria-label={`Role of official ${index + 1}`}
              value={role}
              onChange={({ target }) => set(index, { role: target.value })}
            >
              {[...new Set([...ROLES, role])].map((one) => (
                <option key={one} value={one}>
                  {worded(one)}
                </option>
              ))}
            </select>
            <Button small look="quiet" onClick={() => setNamed((last) => last.filter((one) => one.id !== id))}>
              Remove<span className="visually-hidden"> official {index + 1}</span>
            </Button>
          </span>
        </div>
      ))}
      {save.fields.officials && <p className="field-error">{save.fields.officials}</p>}
      {next && (
        <div>
          <Button small onClick={() => setNamed((last) => [...last, { id: next.id, role: next.role ?? 'referee' }])}>
            Add an official
          </Button>
        </div>
      )}
    </FormDialog>
  )
}
