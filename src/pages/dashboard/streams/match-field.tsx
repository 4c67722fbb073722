import { SelectField } from '../../ui/field.tsx'
import { momentOf } from '../format.ts'
import { matchName } from '../match-names.ts'
import type { Match } from '../shapes.ts'

const DAY_MS = 86_400_000

type Props = {
  matches: readonly Match[]
  value: string
  error: string | undefined
  onChange: (match: string) => void
}

/** The match that a stream is of: the next one first. */
export function MatchField({ matches, value, error, onChange }: Props) {
  const since = new Date(Date.now() - DAY_MS).toISOString()
  const next = matches.filter(({ date }) => date >= since).reverse()
  const earlier = matches.filter(({ date }) => date < since)
  return (
    <SelectField
      label="Match"
      name="stream.match"
      value={value}
      error={error}
      onChange={(event) => onChange(event.target.value)}
    >
      {value === '' && <option value="">Choose…</option>}
      <Group title="Today and next" matches={next} />
      <Group title="Earlier" matches={earlier} />
    </SelectField>
  )
}

function Group({ title, matches }: { title: string; matches: readonly Match[] }) {
  if (matches.length === 0) return null
  return (
    <optgroup label={title}>
      {matches.map((match) => (
        <option key={match.id} value={match.id}>
          {matchName(match)}, {momentOf(match.date)}
        </option>
      ))}
    </optgroup>
  )
}
