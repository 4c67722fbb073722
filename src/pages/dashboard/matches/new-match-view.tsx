import './new-match.css'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { SPORTS } from '../../../../machines/sports.ts'
import { worded } from '../../../schema/worded.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { wordsOf } from '../api.ts'
import { PageHead, Waiting } from '../parts.tsx'
import { RoleLimit } from '../role-limit.tsx'
import { Link, navigate } from '../router.tsx'
import { useMay } from '../session.tsx'
import { fieldsOf, useCommand } from '../use-command.ts'
import { createProduction } from './create-production.ts'
import { type Draft, NEW, newDraft, overlayNameOf, type Problems, problemsOf, sportOf } from './draft.ts'
import { firstLook, LookFields, themeNameOf, withLook } from './look-fields.tsx'
import { MatchFields } from './match-fields.tsx'
import { Steps } from './steps.ts'
import { TeamFields } from './team-fields.tsx'
import { useFormLists } from './use-form-lists.ts'

/** One form for a match and its overlay, with the records they need that are not there yet. */
export function NewMatchView() {
  if (useMay('matches:write')) return <NewMatch />
  return (
    <>
      <PageHead title="New match" back={{ to: '/', title: 'Matches' }} />
      <RoleLimit scope="matches:write" />
    </>
  )
}

function NewMatch() {
  const [draft, setDraft] = useState(() => newDraft(new Date()))
  const [problems, setProblems] = useState<Problems>({})
  const steps = useRef(new Steps())
  const form = useRef<HTMLFormElement>(null)
  const lists = useFormLists(draft)
  const set = (change: Partial<Draft>) => setDraft((last) => ({ ...last, ...change }))

  const { competitions, looksKnown } = lists
  const latest = competitions && String(competitions.at(-1)?.id ?? NEW)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is chosen first follows the competition, not each answer
  useEffect(() => {
    if (draft.competition === '' && latest !== undefined) set({ competition: latest })
  }, [latest])
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(() => {
    if (looksKnown) set(withLook(firstLook(lists), lists))
  }, [looksKnown, draft.competition, lists.sport, lists.rooms.length])

  const create = useCommand(async () => {
    const known = { ...lists, themeName: themeNameOf(draft.look, lists) }
    const overlayId = await createProduction(steps.current, draft, known)
    navigate(`/overlays/${overlayId}?new`, { replace: true })
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = problemsOf(draft)
    setProblems(found)
    const [first] = Object.keys(found)
    if (first) form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
    else void create.run(undefined)
  }
  if (!competitions) return <Waiting error={lists.error} reload={lists.reload} />
  return (
    <>
      <PageHead
        title="New match"
        about="The match, its overlay and all addresses in one go"
        back={{ to: '/', title: 'Matches' }}
      />
      <form className="new-match" ref={form} onSubmit={submit} noValidate>
        <fieldset className="panel stack">
          <legend className="section-title">Match</legend>
          <SelectField
            label="Competition"
            name="competition"
            value={draft.competition}
            error={problems.competition}
            onChange={(event) =>
              set({
                competition: event.target.value,
                home: { ...draft.home, choice: '' },
                away: { ...draft.away, choice: '' },
              })
            }
          >
            {competitions.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
            <option value={NEW}>New competition…</option>
          </SelectField>
          {draft.competition === NEW && (
            <div className="made-here">
              <TextField
                label="Name"
                name="competitionName"
                value={draft.competitionName}
                hint={problems.competitionName ? undefined : '6 to 39 characters'}
                error={problems.competitionName}
                onChange={(event) => set({ competitionName: event.target.value })}
              />
              <SelectField
                label="Sport"
                name="sport"
                value={draft.sport}
                onChange={(event) => set({ sport: event.target.value })}
              >
                {Object.keys(SPORTS).map((sport) => (
                  <option key={sport} value={sport}>
                    {worded(sport)}
                  </option>
                ))}
              </SelectField>
            </div>
          )}
          <MatchFields
            sport={sportOf(draft, competitions)}
            settings={draft}
            venues={lists.venues}
            problems={problems}
            onChange={set}
          />
        </fieldset>
        <fieldset className="panel stack">
          <legend className="section-title">Teams</legend>
          {(['home', 'away'] as const).map((side) => (
            <TeamFields
              key={side}
              side={side}
              title={side === 'home' ? 'Home team' : 'Away team'}
              team={draft[side]}
              lists={lists}
              problems={problems}
              onChange={(team) => set({ [side]: team })}
            />
          ))}
        </fieldset>
        <fieldset className="panel stack">
          <legend className="section-title">Overlay</legend>
          <LookFields draft={draft} lists={lists} onChange={set} />
          <div className="pair">
            <TextField
              label="Name"
              name="overlayName"
              value={draft.overlayName}
              maxLength={42}
              placeholder={overlayNameOf(draft, lists.teams) || 'Home v Away'}
              error={problems.overlayName}
              onChange={(event) => set({ overlayName: event.target.value })}
            />
            <TextField
              label="Delay in seconds"
              name="delay"
              type="number"
              min={0}
              max={60}
              value={draft.delay}
              hint="0 unless the video is encoded elsewhere"
              error={problems.delay}
              onChange={(event) => set({ delay: event.target.value })}
            />
          </div>
        </fieldset>
        <footer className="new-match-end">
          {create.error !== undefined && <Refused error={create.error} />}
          <Button type="submit" look="primary" disabled={create.busy}>
            {create.busy ? 'Creating…' : 'Create match and overlay'}
          </Button>
          <Link className="button" to="/">
            Cancel
          </Link>
        </footer>
      </form>
    </>
  )
}

/** The refusal of the server, field by field: it may be about any record that was made on the way. */
function Refused({ error }: { error: unknown }) {
  const reasons = Object.entries(fieldsOf(error))
  return (
    <div className="notice notice-bad" role="alert">
      <p>{wordsOf(error)}</p>
      <ul>
        {reasons.map(([field, reason]) => (
          <li key={field}>
            {worded(field)}: {reason}
          </li>
        ))}
      </ul>
    </div>
  )
}
