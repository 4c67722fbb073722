import { useState } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Table } from '../../ui/table.tsx'
import { Empty, Waiting } from '../parts.tsx'
import { RoleLimit } from '../role-limit.tsx'
import { useMay } from '../session.tsx'
import type { Theme, ThemeVersion, ThemeVersionList } from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import { ActivateDialog } from './activate-dialog.tsx'

/** The published versions, newest first; people with the scope put another one to use, after seeing its effects. */
export function VersionsTab({ theme, reload }: { theme: Theme; reload: () => Promise<void> }) {
  const mayActivate = useMay('themes:write')
  const [wanted, setWanted] = useState<ThemeVersion>()
  const list = useResource<ThemeVersionList>(`/v2/themes/${theme.id}/versions?limit=1000`)
  if (!list.value) return <Waiting error={list.error} reload={list.reload} />
  if (list.value.versions.length === 0) return <Empty>No version has been published yet.</Empty>
  const versions = [...list.value.versions].sort((one, other) => other.version - one.version)
  return (
    <>
      <RoleLimit scope="themes:write" />
      <Table label="Versions" columns={['Version', 'Published', 'Notes', 'Graphics', '']}>
        {versions.map((version) => (
          <tr key={version.version}>
            <td>
              <strong>{version.version}</strong> {version.active && <Badge tone="good">Active</Badge>}
            </td>
            <td>
              <Moment at={version.publishedAt} />
            </td>
            <td className="cell-wrap">{version.notes ?? '–'}</td>
            <td className="cell-wrap">
              {version.graphics.map(({ name, version: pinned }) => `${name} ${pinned}`).join(', ')}
            </td>
            <td className="cell-actions">
              {mayActivate && !version.active && (
                <Button small onClick={() => setWanted(version)}>
                  Activate<span className="visually-hidden"> version {version.version}</span>
                </Button>
              )}
            </td>
          </tr>
        ))}
      </Table>
      {wanted && (
        <ActivateDialog
          theme={theme}
          version={wanted.version}
          onClose={() => setWanted(undefined)}
          onActivated={async () => void (await Promise.all([list.reload(), reload()]))}
        />
      )}
    </>
  )
}
