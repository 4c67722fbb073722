import '../records/records.css'
import { useState } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { kindWorded, segmentOf } from '../../ui/graphic-kind.ts'
import { Table } from '../../ui/table.tsx'
import { AddressDialog } from '../address-dialog.tsx'
import { api } from '../api.ts'
import { ImportGraphics } from '../ograf/import-graphics.tsx'
import { Empty, Failure } from '../parts.tsx'
import { RoleLimit } from '../role-limit.tsx'
import { useMay } from '../session.tsx'
import type { OgrafGraphicList, Preview, Theme } from '../shapes.ts'
import { useCommand } from '../use-command.ts'
import { useResource } from '../use-resource.ts'

type Graphic = Theme['graphics'][number]
type Looked = { graphic: Graphic; preview: Preview }

/** The graphics of a theme, each with an address under which it is looked at without an account. */
export function GraphicsTab({ theme, reload }: { theme: Theme; reload: () => Promise<void> }) {
  const mayPreview = useMay('themes:write')
  const [looked, setLooked] = useState<Looked>()
  const make = useCommand(async ({ graphicId }: { graphicId: string }, key) => {
    const graphic = theme.graphics.find((one) => one.graphicId === graphicId)
    if (!graphic) return
    const kind = segmentOf(graphic.type)
    const published = graphic.publishedVersions.at(-1)
    const body = { version: published ?? 'working' }
    const preview = await api<Preview>('POST', `/v2/themes/${theme.id}/${kind}/${graphicId}/previews`, { body, key })
    setLooked({ graphic, preview })
  })
  const pictures = useThumbnails(theme)
  const drop = mayPreview && <ImportGraphics theme={theme} reload={reload} />
  if (theme.graphics.length === 0)
    return (
      <>
        {drop}
        <Empty>The theme has no graphics yet.</Empty>
      </>
    )
  return (
    <>
      <RoleLimit scope="themes:write" />
      {drop}
      <Failure error={make.error} />
      <div className="record-table">
        <Table label="Graphics" columns={['Graphic', 'Kind', 'Published versions', 'Working copy', '']}>
          {theme.graphics.map((graphic) => (
            <tr key={graphic.graphicId}>
              <td>
                <Thumbnail url={pictures.get(graphic.graphicId)} />
                {graphic.name}
              </td>
              <td>{kindWorded(graphic.type)}</td>
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
      </div>
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

/** By graphic, the smallest picture that the maker of an OGraf graphic gave it. */
function useThumbnails({ id, graphics }: Theme): ReadonlyMap<string, string> {
  const has = graphics.some(({ type }) => type === 'ograf')
  const { value = [] } = useResource<OgrafGraphicList>(has ? `/v2/themes/${id}/ograf-graphics` : undefined)
  return new Map(
    value.flatMap(({ graphicId, thumbnails }) => {
      const [first] = [...thumbnails].sort((one, other) => (one.width ?? 0) - (other.width ?? 0))
      // from this host, by whichever name it was opened
      return first ? [[graphicId, first.url.slice(first.url.indexOf('/bundles/'))] as const] : []
    }),
  )
}

function Thumbnail({ url }: { url: string | undefined }) {
  return url === undefined ? null : <img className="thumbnail" src={url} alt="" loading="lazy" />
}
