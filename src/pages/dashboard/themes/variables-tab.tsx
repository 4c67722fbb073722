import { useState } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Table } from '../../ui/table.tsx'
import { Empty, Waiting } from '../parts.tsx'
import { RoleLimit } from '../role-limit.tsx'
import { useMay } from '../session.tsx'
import type { ThemeVariable, ThemeVariableList } from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import { ThemeValue } from './theme-value.tsx'
import { VariableDialog } from './variable-dialog.tsx'

/** The variables that a competition can set, with the value in force when it sets none. */
export function VariablesTab({ themeId }: { themeId: number }) {
  const mayChange = useMay('themes:write')
  const [changing, setChanging] = useState<ThemeVariable>()
  const list = useResource<ThemeVariableList>(`/v2/themes/${themeId}/variables`)
  if (!list.value) return <Waiting error={list.error} reload={list.reload} />
  const { variables, updatedAt } = list.value
  if (variables.length === 0) return <Empty>The theme has no variables.</Empty>
  return (
    <>
      <RoleLimit scope="themes:write" />
      <Table label="Variables" columns={['Variable', 'Type', 'Default', 'About', '']}>
        {variables.map((variable) => (
          <tr key={variable.id}>
            <td className="mono">{variable.name}</td>
            <td>
              {variable.type} {variable.isStyle && <Badge>Style</Badge>}
            </td>
            <td>
              <ThemeValue value={variable.defaultValue} />
            </td>
            <td className="cell-wrap">
              {variable.description}
              {variable.enumOptions && <p className="cell-about">{variable.enumOptions.join(', ')}</p>}
            </td>
            <td className="cell-actions">
              {mayChange && (
                <Button small onClick={() => setChanging(variable)}>
                  Change<span className="visually-hidden"> {variable.name}</span>
                </Button>
              )}
            </td>
          </tr>
        ))}
      </Table>
      {changing && (
        <VariableDialog
          key={changing.id}
          themeId={themeId}
          variable={changing}
          readAt={updatedAt}
          onClose={() => setChanging(undefined)}
          reload={list.reload}
        />
      )}
    </>
  )
}
