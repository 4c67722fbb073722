import type { ReactNode } from 'react'
import { SelectField } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import type { Importer } from './importer.ts'
import type { Sheet } from './sheet.ts'

type Props = {
  sheet: Sheet
  choices: Importer['choices']
  mapping: readonly string[]
  disabled: boolean
  onChange: (mapping: readonly string[]) => void
  /** What else says how the list is read. */
  children?: ReactNode
}

/** The second step: what each column of the list is. */
export function Mapping({ sheet, choices, mapping, disabled, onChange, children }: Props) {
  const [sample] = sheet.rows
  return (
    <Panel title="2. The columns" about="An empty cell leaves what is there.">
      <div className="import-columns">
        {mapping.map((column, at) => (
          <SelectField
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
            key={at}
            label={sheet.header?.[at] || `Column ${at + 1}`}
            hint={sample?.cells[at] ? `such as “${sample.cells[at].slice(0, 40)}”` : undefined}
            value={column}
            disabled={disabled}
            onChange={({ target }) =>
              // one column for each field
              onChange(mapping.map((one, index) => (index === at ? target.value : one === target.value ? '' : one)))
            }
          >
            {choices.map(([name, title]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </SelectField>
        ))}
        {children}
      </div>
    </Panel>
  )
}
