import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useDrop } from '../use-drop.ts'
import { textOf } from './sheet.ts'

type Props = {
  text: string
  /** The name of the file. */
  source: string
  example: string
  disabled: boolean
  onTake: (text: string, source: string) => void
}

/** The first step: the list, pasted, chosen or dropped. */
export function Source({ text, source, example, disabled, onTake }: Props) {
  const [fault, setFault] = useState<string>()
  const take = async (file: File) => {
    const bytes = new Uint8Array(await file.arrayBuffer())
    if (bytes[0] === 0x50 && bytes[1] === 0x4b) {
      setFault(`${file.name} is a workbook: copy its cells and paste them, or save it as CSV`)
      return
    }
    setFault(undefined)
    onTake(textOf(bytes), file.name)
  }
  const { over, onto } = useDrop(({ files: [file] }) => file && void take(file))
  // a text of megabytes makes a field slow, and nobody reads it there
  const isLong = text.length > 200_000
  return (
    <Panel
      title="1. The list"
      about="Copy the cells in Excel, Numbers or Google Sheets and paste them here, or drop a CSV file."
    >
      <fieldset className={over ? 'import-source import-over' : 'import-source'} disabled={disabled} {...onto}>
        <Field label="Cells or lines" error={fault} hint={source ? `From ${source}` : undefined}>
          {(given) => (
            <textarea
              className="input import-text"
              rows={8}
              placeholder={example}
              readOnly={isLong}
              value={isLong ? `${text.slice(0, 2_000)}\n…` : text}
              onChange={({ target }) => onTake(target.value, '')}
              {...given}
            />
          )}
        </Field>
        <div className="import-buttons">
          <label className="button">
            Choose a file
            <input
              className="visually-hidden"
              type="file"
              accept=".csv,.tsv,.txt,text/csv,text/plain"
              onChange={({ target }) => {
                const [file] = target.files ?? []
                if (file) void take(file)
                target.value = ''
              }}
            />
          </label>
          {text !== '' && (
            <Button look="quiet" onClick={() => onTake('', '')}>
              Start again
            </Button>
          )}
        </div>
      </fieldset>
    </Panel>
  )
}
