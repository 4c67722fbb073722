import { Button } from '../ui/button.tsx'
import { Field, SelectField } from '../ui/field.tsx'
import { inputsOf } from './matches/local-time.ts'
import type { Filters } from './use-filters.ts'

type Option = readonly [value: string, title: string]
type About = { filters: Filters; name: string; label: string }

/** Narrows to one of some; the first choice is all of them. */
export function FilterSelect({
  filters,
  name,
  label,
  all,
  options,
}: About & { all: string; options: readonly Option[] }) {
  return (
    <SelectField
      label={label}
      value={filters.get(name)}
      onChange={(event) => filters.set({ [name]: event.target.value })}
    >
      <option value="">{all}</option>
      {options.map(([value, title]) => (
        <option key={value} value={value}>
          {title}
        </option>
      ))}
    </SelectField>
  )
}

/** An ISO moment as `datetime-local` takes it, in the time zone of the reader. */
function localOf(iso: string): string {
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return ''
  const { date, time } = inputsOf(at)
  return `${date}T${time}`
}

/** Narrows to before or after a moment, chosen in the time zone of the reader. */
export function FilterMoment({ filters, name, label }: About) {
  return (
    <Field label={label}>
      {(given) => (
        <input
          className="input"
          type="datetime-local"
          value={localOf(filters.get(name))}
          onChange={({ target }) => filters.set({ [name]: target.value && new Date(target.value).toISOString() })}
          {...given}
        />
      )}
    </Field>
  )
}

/** Which of the rows are shown, and the way to the others. */
export function Pager({
  filters,
  total,
  returned,
  limit,
}: {
  filters: Filters
  total: number
  returned: number
  limit: number
}) {
  const offset = Number(filters.get('offset')) || 0
  if (total <= limit && offset === 0) return null
  const to = (next: number) => filters.set({ offset: next > 0 ? String(next) : '' })
  return (
    <nav className="pager" aria-label="Pages">
      <span className="tabular">
        {returned === 0 ? 'none' : `${offset + 1} to ${offset + returned}`} of {total}
      </span>
      <Button disabled={offset === 0} onClick={() => to(Math.max(0, offset - limit))}>
        Previous
      </Button>
      <Button disabled={offset + returned >= total} onClick={() => to(offset + limit)}>
        Next
      </Button>
    </nav>
  )
}
