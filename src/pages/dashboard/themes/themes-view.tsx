import '../records/records.css'
import { Badge } from '../../ui/badge.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Table } from '../../ui/table.tsx'
import { Empty, PageHead, Waiting } from '../parts.tsx'
import { RoleLimit } from '../role-limit.tsx'
import { Link } from '../router.tsx'
import { useMay } from '../session.tsx'
import type { ThemeList } from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import { ImportTheme } from './import-theme.tsx'

export function ThemesView() {
  const mayMake = useMay('themes:write')
  const list = useResource<ThemeList>('/v2/themes?limit=1000')
  return (
    <>
      <PageHead title="Themes" about="The designs that graphics are shown in, version by version." />
      {mayMake && list.value && <ImportTheme themes={list.value.themes} />}
      <RoleLimit scope="themes:write" />
      {list.value ? <Themes {...list.value} /> : <Waiting error={list.error} reload={list.reload} />}
    </>
  )
}

function Themes({ themes }: ThemeList) {
  if (themes.length === 0) return <Empty>There are no themes yet. A theme has the graphics that go on air.</Empty>
  return (
    <div className="record-table">
      <Table label="Themes" columns={['Theme', 'Active version', 'Versions', 'Graphics', 'Sports', 'Changed']}>
        {themes.map((theme) => (
          <tr key={theme.id}>
            <td>
              <Link to={`/themes/${theme.id}`}>{theme.name}</Link>
            </td>
            <td>
              {theme.activeVersion === null ? (
                <Badge>Not in use</Badge>
              ) : (
                <Badge tone="good">Version {theme.activeVersion}</Badge>
              )}
            </td>
            <td className="tabular">{theme.versions.length}</td>
            <td className="tabular">{theme.graphics.length}</td>
            <td className="cell-wrap">{sportsOf(theme.sports ?? [])}</td>
            <td>
              <Moment at={theme.updatedAt} />
            </td>
          </tr>
        ))}
      </Table>
    </div>
  )
}

/** `Football, Ice hockey and 3 more` */
export function sportsOf(sports: readonly string[]): string {
  const named = sports.slice(0, 2).map((sport) => {
    const words = sport.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
    return words.charAt(0).toUpperCase() + words.slice(1)
  })
  return sports.length > 2 ? `${named.join(', ')} and ${sports.length - 2} more` : named.join(', ')
}
