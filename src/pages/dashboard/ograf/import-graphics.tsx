import './ograf.css'
import { useId, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { api } from '../api.ts'
import { DropBox, DropFailure } from '../drop-box.tsx'
import { faultsOfDrop } from '../drop-faults.ts'
import type { ImportedOgraf, RoomList, Theme } from '../shapes.ts'
import { filesIn, kindOf } from '../themes/drop/files.ts'
import { pushGraphic } from '../themes/drop/push-graphic.ts'
import { useResource } from '../use-resource.ts'
import { type Graphic, type InUse, putToUse, type Segment } from './put-to-use.ts'
import type { Dropped } from './read-drop.ts'

const UPLOAD_MS = 120_000

/** What was taken: of OGraf as the server tells it. */
type Imported = { graphics: readonly Graphic[] }

type Stage =
  | { is: 'waiting' }
  | { is: 'busy'; doing: string }
  | { is: 'failed'; reason: string; faults: readonly string[] }
  | { is: 'imported'; imported: Imported; segment: Segment }
  | { is: 'used'; imported: Imported; inUse: InUse }

/** Where a zip or folder of graphics is dropped, and put to use. integrations: OGraf import; show-control: Records */
export function ImportGraphics({ theme, reload }: { theme: Theme; reload: () => Promise<void> }) {
  const [stage, setStage] = useState<Stage>({ is: 'waiting' })
  const id = useId()

  const take = async (reading: Promise<Dropped>) => {
    setStage({ is: 'busy', doing: 'Importing…' })
    try {
      const { name, zip } = await reading
      const files = filesIn(zip)
      const kind = kindOf(files)
      if (kind === 'theme') throw new Error('This is a whole theme: drop it on the page of themes')
      if (kind === 'unknown') throw new Error('There is no graphic in it: neither an .ograf.json nor an index.html')
      if (kind === 'code' && files) {
        const pushed = await pushGraphic(theme, name.replace(/\.zip$/i, ''), files)
        setStage({ is: 'imported', imported: { graphics: [{ ...pushed, warnings: [] }] }, segment: 'code-graphics' })
      } else {
        const path = `/v2/themes/${theme.id}/ograf/imports`
        const imported = await api<ImportedOgraf>('POST', path, { zip, key: null, patienceMs: UPLOAD_MS })
        setStage({ is: 'imported', imported, segment: 'ograf-graphics' })
      }
      await reload()
    } catch (error) {
      setStage({ is: 'failed', ...faultsOfDrop(error) })
    }
  }
  const use = async (imported: Imported, roomId: number | undefined) => {
    const segment = stage.is === 'imported' ? stage.segment : 'ograf-graphics'
    setStage({ is: 'busy', doing: 'Publishing…' })
    try {
      setStage({
        is: 'used',
        imported,
        inUse: await putToUse({ themeId: theme.id, segment, roomId }, imported.graphics),
      })
      await reload()
    } catch (error) {
      setStage({ is: 'failed', ...faultsOfDrop(error) })
    }
  }

  return (
    <section className="ograf-import" aria-labelledby={id}>
      <DropBox onTake={(reading) => void take(reading)}>
        <strong id={id}>Drop graphics here:</strong> a zip or a folder of OGraf (<code>.ograf.json</code>), or of a page
        of your own (<code>index.html</code>, with <code>graphic.json</code>).
      </DropBox>
      <Outcome stage={stage} themeId={theme.id} onUse={use} />
    </section>
  )
}

function Outcome({
  stage,
  themeId,
  onUse,
}: {
  stage: Stage
  themeId: number
  onUse: (imported: Imported, roomId: number | undefined) => Promise<void>
}) {
  switch (stage.is) {
    case 'waiting':
      return null
    case 'busy':
      return (
        <p className="waiting" role="status">
          {stage.doing}
        </p>
      )
    case 'failed':
      return <DropFailure reason={stage.reason} faults={stage.faults} />
    case 'imported':
      return <Next themeId={themeId} imported={stage.imported} onUse={onUse} />
    case 'used':
      return <Used imported={stage.imported} inUse={stage.inUse} />
  }
}

const namesOf = ({ graphics }: Imported) => graphics.map(({ name }) => name).join(', ')

function Next({
  themeId,
  imported,
  onUse,
}: {
  themeId: number
  imported: Imported
  onUse: (imported: Imported, roomId: number | undefined) => Promise<void>
}) {
  const rooms = useResource<RoomList>(`/v2/control-rooms?themeId=${themeId}`)
  const [chosen, setChosen] = useState<number>()
  const roomId = chosen ?? rooms.value?.[0]?.id
  const id = useId()
  return (
    <div className="notice ograf-next" role="status">
      <p>
        <strong>Imported: {namesOf(imported)}.</strong>
      </p>
      {imported.graphics.some(({ warnings }) => warnings.length > 0) && (
        <ul>
          {imported.graphics.flatMap(({ graphicId, warnings }) =>
            warnings.map((warning) => <li key={`${graphicId} ${warning}`}>{warning}</li>),
          )}
        </ul>
      )}
      <div className="ograf-use">
        {rooms.value && rooms.value.length > 1 && (
          <>
            <label htmlFor={id}>For the control room</label>
            <select id={id} className="input" value={roomId} onChange={({ target }) => setChosen(Number(target.value))}>
              {rooms.value.map((room) => (
                <option key={room.id} value={room.id}>
                  {room.name}
                </option>
              ))}
            </select>
          </>
        )}
        <Button look="primary" disabled={!rooms.value} onClick={() => void onUse(imported, roomId)}>
          {roomId === undefined ? 'Publish and activate' : 'Publish, and add to the control room'}
        </Button>
      </div>
    </div>
  )
}

function Used({ imported, inUse: { version, pages } }: { imported: Imported; inUse: InUse }) {
  return (
    <div className="notice notice-good ograf-next" role="status">
      <p>
        <strong>{namesOf(imported)}</strong>: in use with version {version} of the theme.
      </p>
      {pages.length > 0 && (
        <div className="ograf-use">
          {pages.map(({ name, url }) => (
            <a key={url} className="button button-primary" href={url} target="_blank" rel="noreferrer">
              Open the control room of {name}
            </a>
          ))}
        </div>
      )}
    </div>
  )
}
