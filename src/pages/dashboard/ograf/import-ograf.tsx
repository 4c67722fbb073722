import './ograf.css'
import { useId, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Refusal } from '../../ui/request.ts'
import { api, wordsOf } from '../api.ts'
import type { ImportedOgraf, RoomList } from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import { type InUse, putToUse } from './put-to-use.ts'
import { type Dropped, readChosen, readDrop } from './read-drop.ts'

const UPLOAD_MS = 120_000

type Stage =
  | { is: 'waiting' }
  | { is: 'busy'; doing: string }
  | { is: 'failed'; reason: string; faults: readonly string[] }
  | { is: 'imported'; imported: ImportedOgraf }
  | { is: 'used'; imported: ImportedOgraf; inUse: InUse }

/** Where a zip or folder of OGraf graphics is dropped, and put to use. integrations: OGraf import */
export function ImportOgraf({ themeId, reload }: { themeId: number; reload: () => Promise<void> }) {
  const [stage, setStage] = useState<Stage>({ is: 'waiting' })
  const [over, setOver] = useState(false)
  const id = useId()

  const take = async (reading: Promise<Dropped>) => {
    setStage({ is: 'busy', doing: 'Importing…' })
    try {
      const { zip } = await reading
      const path = `/v2/themes/${themeId}/ograf/imports`
      const imported = await api<ImportedOgraf>('POST', path, { zip, key: null, patienceMs: UPLOAD_MS })
      setStage({ is: 'imported', imported })
      await reload()
    } catch (error) {
      setStage(failed(error))
    }
  }
  const use = async (imported: ImportedOgraf, roomId: number | undefined) => {
    setStage({ is: 'busy', doing: 'Publishing…' })
    try {
      setStage({ is: 'used', imported, inUse: await putToUse(themeId, imported.graphics, roomId) })
      await reload()
    } catch (error) {
      setStage(failed(error))
    }
  }

  return (
    <section className="ograf-import" aria-labelledby={id}>
      <fieldset
        className={over ? 'ograf-drop ograf-drop-over' : 'ograf-drop'}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          void take(readDrop(event.dataTransfer))
        }}
      >
        <p id={id}>
          <strong>Drop OGraf graphics here:</strong> a zip, or a folder with an <code>.ograf.json</code>.
        </p>
        <label className="button ograf-choose">
          Choose a zip
          <input
            className="visually-hidden"
            type="file"
            accept=".zip,application/zip"
            onChange={({ target }) => {
              const [file] = target.files ?? []
              if (file) void take(readChosen([{ path: file.name, file }]))
              target.value = ''
            }}
          />
        </label>
      </fieldset>
      <Outcome stage={stage} themeId={themeId} onUse={use} />
    </section>
  )
}

function failed(error: unknown): Stage {
  const faults = error instanceof Refusal ? Object.entries(error.details) : []
  return {
    is: 'failed',
    reason: error instanceof Error && !(error instanceof Refusal) ? error.message : wordsOf(error),
    faults: faults.map(([place, { message }]) => (place.trim() === '' ? message : `${place}: ${message}`)),
  }
}

function Outcome({
  stage,
  themeId,
  onUse,
}: {
  stage: Stage
  themeId: number
  onUse: (imported: ImportedOgraf, roomId: number | undefined) => Promise<void>
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
      return (
        <div className="notice notice-bad" role="alert">
          <p>{stage.reason}</p>
          {stage.faults.length > 0 && (
            <ul>
              {stage.faults.slice(0, 20).map((fault) => (
                <li key={fault}>{fault}</li>
              ))}
            </ul>
          )}
        </div>
      )
    case 'imported':
      return <Imported themeId={themeId} imported={stage.imported} onUse={onUse} />
    case 'used':
      return <Used imported={stage.imported} inUse={stage.inUse} />
  }
}

const namesOf = ({ graphics }: ImportedOgraf) => graphics.map(({ name }) => name).join(', ')

function Imported({
  themeId,
  imported,
  onUse,
}: {
  themeId: number
  imported: ImportedOgraf
  onUse: (imported: ImportedOgraf, roomId: number | undefined) => Promise<void>
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

function Used({ imported, inUse: { version, pages } }: { imported: ImportedOgraf; inUse: InUse }) {
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
