import { useState } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Table } from '../../ui/table.tsx'
import { AddressDialog } from '../address-dialog.tsx'
import { api } from '../api.ts'
import { Empty, Failure } from '../parts.tsx'
import { RoleLimit } from '../role-limit.tsx'
import { useMay } from '../session.tsx'
import type { Preview, Theme } from '../shapes.ts'
import { useCommand } from '../use-command.ts'

type Graphic = Theme['graphics'][number]
type Looked = { graphic: Graphic; preview: Preview }

/** The graphics of a theme, each with an address under which it is looked at without an account. */
export function GraphicsTab({ theme }: { theme: Theme }) {
  const mayPreview = useMay('themes:write')
  const [looked, setLooked] = useState<Looked>()
  const make = useCommand(async ({ graphicId }: { graphicId: string }, key) => {
    const graphic = theme.graphics.find((one) => one.graphicId === graphicId)
    if (!graphic) return
    const kind = graphic.type === 'rive' ? 'motion-graphics' : 'code-graphics'
    const published = graphic.publishedVersions.at(-1)
    const body = { version: published ?? 'working' }
    const preview = await api<Preview>('POST', `/v2/themes/${theme.id}/${kind}/${graphicId}/previews`, { body, key })
    setLooked({ graphic, preview })
  })
  if (theme.graphics.length === 0) return <Empty>The theme has no graphics yet.</Empty>
  return (
    <>
      <RoleLimit scope="themes:write" />
      <Failure error={make.error} />
      <Table label="Graphics" columns={['Graphic', 'Kind', 'Published versions', 'Working copy', '']}>
        {theme.graphics.map((graphic) => (
          <tr key={graphic.graphicId}>
            <td>{graphic.name}</td>
            <td>{graphic.type === 'rive' ? 'Motion' : 'Code'}</td>
            <td>
              {graphic.publishedVersions.length === 0 ? (
                <Badge>Never published</Badge>
              ) : (
                graphic.publishedVersions.join(', ')
              )}
            </td>
            <td>Version {graphic.workingVersion}</td>
            <td className="cell-actions">
              {mayPreview && (
                <Button small disabled={make.busy} onClick={() => void make.run({ graphicId: graphic.graphicId })}>
                  Preview<span className="visually-hidden"> {graphic.name}</span>
                </Button>
              )}
            </td>
          </tr>
        ))}
      </Table>
      {looked && (
        <AddressDialog
          title={`Preview of ${looked.graphic.name}`}
          about="Whoever has this address can look at the graphic, in every situation and with any values, without an account. It touches nothing that is on air."
          label="Address of the preview"
          open="Open the preview"
          address={looked.preview}
          onClose={() => setLooked(undefined)}
        />
      )}
    </>
  )
}
