import { Field, SelectField, TextField } from '../../ui/field.tsx'
import { isNew, NEW, type Problems, type TeamDraft } from './draft.ts'
import type { FormLists } from './use-form-lists.ts'

/** One side of a match: a team that is there, or the fields of a new one. */
export function TeamFields({
  side,
  title,
  team,
  lists: { teams, inCompetition },
  problems,
  onChange,
}: {
  side: 'home' | 'away'
  title: string
  team: TeamDraft
  lists: FormLists
  problems: Problems
  onChange: (team: TeamDraft) => void
}) {
  const set = (change: Partial<TeamDraft>) => onChange({ ...team, ...change })
  const [within, others] = [true, false].map((wanted) => teams.filter(({ id }) => inCompetition.has(id) === wanted))
  const options = (list: typeof teams = []) =>
    list.map(({ id, name }) => (
      <option key={id} value={id}>
        {name}
      </option>
    ))
  return (
    <>
      <SelectField
        label={title}
        name={`${side}.choice`}
        value={team.choice}
        error={problems[`${side}.choice`]}
        onChange={(event) => set({ choice: event.target.value })}
      >
        <option value="">Choose…</option>
        <option value={NEW}>New team…</option>
        {within && within.length > 0 && <optgroup label="In this competition">{options(within)}</optgroup>}
        {others && others.length > 0 && <optgroup label="Other teams">{options(others)}</optgroup>}
      </SelectField>
      {isNew(team) && (
        <div className="made-here">
          <TextField
            label="Name"
            name={`${side}.name`}
            value={team.name}
            hint={problems[`${side}.name`] ? undefined : '6 to 39 characters'}
            error={problems[`${side}.name`]}
            onChange={(event) => set({ name: event.target.value })}
          />
          <TextField
            label="Short"
            name={`${side}.abbreviation`}
            value={team.abbreviation}
            maxLength={4}
            placeholder="ABC"
            hint={problems[`${side}.abbreviation`] ? undefined : '2 to 4 letters'}
            error={problems[`${side}.abbreviation`]}
            onChange={(event) => set({ abbreviation: event.target.value })}
          />
          <Field label="Colour">
            {(given) => (
              <input
                className="input colour-input"
                type="color"
                name={`${side}.colour`}
                value={team.colour}
                onChange={(event) => set({ colour: event.target.value })}
                {...given}
              />
            )}
          </Field>
        </div>
      )}
    </>
  )
}
