import { useState } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Table } from '../../ui/table.tsx'
import { COLUMNS, type Fields, type Judged } from './players-csv.ts'

const KINDS = [
  ['wrong', 'Wrong'],
  ['new', 'New'],
  ['changed', 'Changed'],
  ['same', 'As it is'],
] as const
const SHOWN = 100

/** The rows of a kind with what is done with them; wrong ones first, when there are any. */
export function ImportRows({ judged }: { judged: readonly Judged[] }) {
  const of = (is: Judged['is']) => judged.filter((row) => row.is === is)
  const noted = judged.filter((row) => row.is !== 'wrong' && row.notes.length > 0)
  const first = KINDS.find(([is]) => of(is).length > 0)?.[0] ?? 'new'
  const [chosen, setChosen] = useState<Judged['is']>()
  const [limit, setLimit] = useState(SHOWN)
  const kind = chosen !== undefined && of(chosen).length > 0 ? chosen : first
  const rows = of(kind)
  return (
    <>
      <fieldset className="import-kinds">
        <legend className="visually-hidden">Which lines</legend>
        {KINDS.map(([is, title]) => {
          const count = of(is).length
          return (
            <button
              type="button"
              key={is}
              className={`import-kind import-kind-${is}`}
              aria-pressed={kind === is}
              disabled={count === 0}
              onClick={() => {
                setChosen(is)
                setLimit(SHOWN)
              }}
            >
              <span className="tabular">{count.toLocaleString('en')}</span> {title}
            </button>
          )
        })}
      </fieldset>
      {noted.length > 0 && (
        <p className="cell-about">
          {noted.length === 1 ? 'One line shares its number' : `${noted.length} lines share their number`} with somebody
          else; that is told beside them, and hinders nothing.
        </p>
      )}
      <Table label={`Lines: ${kind}`} columns={['Line', 'Player', 'What happens']}>
        {rows.slice(0, limit).map((row) => (
          <tr key={row.line}>
            <td className="tabular">{row.line}</td>
            <td className="cell-wrap">{row.name || <span className="cell-about">nobody</span>}</td>
            <td className="cell-wrap">
              <What row={row} />
            </td>
          </tr>
        ))}
      </Table>
      {rows.length > limit && (
        <Button onClick={() => setLimit((last) => last + 10 * SHOWN)}>
          Show more ({(rows.length - limit).toLocaleString('en')})
        </Button>
      )}
    </>
  )
}

function What({ row }: { row: Judged }) {
  if (row.is === 'wrong') return <span className="import-wrong">{row.reasons.join('. ')}</span>
  return (
    <>
      {row.is === 'new' && <Said fields={row.fields} />}
      {row.is === 'changed' && <Said fields={row.fields} before={row.before} />}
      {row.is === 'same' && 'stays as it is'}
      {row.notes.map((note) => (
        <Badge key={note} tone="pending">
          {note}
        </Badge>
      ))}
    </>
  )
}

const TITLES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(COLUMNS),
  captain: 'Captain',
  defaultStarter: 'Starts',
  defaultBench: 'Bench',
}

/** `Number 7 → 9, Position Forward` */
function Said({ fields, before }: { fields: Fields; before?: Fields }) {
  const names = (Object.keys(fields) as (keyof Fields)[]).filter(
    // the name of somebody new stands beside it, and what is not so need not be told
    (name) => before || (name !== 'firstName' && name !== 'lastName' && fields[name] !== false),
  )
  if (names.length === 0) return 'is made'
  return (
    <>
      {names.map((name, index) => (
        <span key={name}>
          {index > 0 && ', '}
          <span className="cell-about">{TITLES[name]}</span>{' '}
          {before && (
            <>
              <s>{worded(before[name])}</s> →{' '}
            </>
          )}
          {worded(fields[name])}
        </span>
      ))}
    </>
  )
}

const worded = (value: string | boolean | undefined) => {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return value === undefined || value === '' ? 'nothing' : value
}
