import './import.css'
import { type ReactNode, useMemo, useState } from 'react'
import type { Importer } from './importer.ts'
import { Mapping } from './mapping.tsx'
import { Preview } from './preview.tsx'
import type { Sheet } from './sheet.ts'
import { Source } from './source.tsx'
import { useImport } from './use-import.ts'

type Props = {
  importer: Importer
  done: { to: string; title: string }
  /** Reads again what is there. */
  onDone: () => Promise<void>
  /** How the list is read, beside its columns. */
  options?: ReactNode
  /** Is told of each list that is taken. */
  onSheet?: (sheet: Sheet) => void
}

/** A list from a spreadsheet: pasted or as a file, looked at line by line before anything is written. */
export function ImportSteps({ importer, done, onDone, options, onSheet }: Props) {
  const [text, setText] = useState('')
  const [source, setSource] = useState('')
  const [sheet, setSheet] = useState<Sheet>()
  const [mapping, setMapping] = useState<readonly string[]>([])
  const run = useImport(importer)
  const judged = useMemo(() => sheet && importer.judge(sheet.rows, mapping), [sheet, mapping, importer])
  const take = (next: string, from: string) => {
    const read = importer.sheetOf(next)
    setText(next)
    setSource(from)
    setSheet(read.rows.length > 0 ? read : undefined)
    setMapping(read.mapping)
    onSheet?.(read)
    run.forget()
  }
  return (
    <>
      <Source text={text} source={source} example={importer.example} disabled={run.state.is === 'busy'} onTake={take} />
      {sheet && judged && (
        <>
          <Mapping
            sheet={sheet}
            choices={importer.choices}
            mapping={mapping}
            disabled={run.state.is !== 'ready'}
            onChange={setMapping}
          >
            {options}
          </Mapping>
          <Preview importer={importer} judged={judged} run={run} done={done} onDone={onDone} />
        </>
      )}
    </>
  )
}
