import { useState } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Table } from '../../ui/table.tsx'
import type { Importer } from './importer.ts'
import type { Fields, Judged } from './judged.ts'

const KINDS = [
  ['wrong', 'Wrong'],
  ['new', 'New'],
  ['changed', 'Changed'],
  ['same', 'As it is'],
] as const
const SHOWN = 100

/** The rows of a kind with what is done with them; wrong ones first, when there are any. */
export function ImportRows({ importer, judged }: { importer: Importer; judged: readonly Judged<object>[] }) {
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
      <Table label={`Lines: ${kind}`} columns={['Line', capital(importer.noun), 'What happens']}>
        {rows.slice(0, limit).map((row) => (
          <tr key={row.line}>
            <td className="tabular">{row.line}</td>
            <td className="cell-wrap">{row.name || <span className="cell-about">–</span>}</td>
            <td className="cell-wrap">
              <What importer={importer} row={row} />
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

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

function What({ importer, row }: { importer: Importer; row: Judged<object> }) {
  if (row.is === 'wrong')
    return (
      <span className="import-wrong">
        {row.reasons.map((reason) => (
          <span key={reason}>{reason}. </span>
        ))}
      </span>
    )
  return (
    <>
      {row.is === 'new' && <Said importer={importer} fields={row.fields} whole={row.whole} />}
      {row.is === 'changed' && <Said importer={importer} fields={row.fields} before={row.before} whole={row.whole} />}
      {row.is === 'same' && 'stays as it is'}
      {row.notes.map((note) => (
        <Badge key={note} tone="pending">
          {note}
        </Badge>
      ))}
    </>
  )
}

type SaidProps = { importer: Importer; fields: object; before?: object; whole: Fields | undefined }

/** `Number 7 → 9, Position Forward` */
function Said({ importer, fields, before, whole = {} }: SaidProps) {
  const was = new Map<string, unknown>(Object.entries(before ?? {}))
  const said = Object.entries(fields).filter(
    // the name of a new one stands beside it, and what is not so need not be told
    ([name, value]) => before || (!importer.inName.includes(name) && value !== false),
  )
  const shown = (name: string, value: unknown) =>
    value === undefined || value === null || value === '' ? 'nothing' : importer.shown(name, value, whole)
  if (said.length === 0) return 'is made'
  return (
    <>
      {said.map(([name, value], index) => (
        <span key={name}>
          {index > 0 && ', '}
          <span className="cell-about">{importer.titleOf(name)}</span>{' '}
          {before && (
            <>
              <s>{shown(name, was.get(name))}</s> →{' '}
            </>
          )}
          {shown(name, value)}
        </span>
      ))}
    </>
  )
}
