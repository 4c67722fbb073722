import './drop-box.css'
import { type ReactNode, useId } from 'react'
import { type Dropped, readChosen, readDrop } from './ograf/read-drop.ts'
import { useDrop } from './use-drop.ts'

/** Where a zip or a folder is dropped, or a zip is chosen. */
export function DropBox({ children, onTake }: { children: ReactNode; onTake: (reading: Promise<Dropped>) => void }) {
  const { over, onto } = useDrop((dropped) => onTake(readDrop(dropped)))
  const id = useId()
  return (
    <fieldset className={over ? 'drop-box drop-box-over' : 'drop-box'} aria-labelledby={id} {...onto}>
      <p id={id}>{children}</p>
      <label className="button drop-box-choose">
        Choose a zip
        <input
          className="visually-hidden"
          type="file"
          accept=".zip,application/zip"
          onChange={({ target }) => {
            const [file] = target.files ?? []
            if (file) onTake(readChosen([{ path: file.name, file }]))
            target.value = ''
          }}
        />
      </label>
    </fieldset>
  )
}

/** Why files were not taken, with every fault that the server found in them. */
export function DropFailure({ reason, faults }: { reason: string; faults: readonly string[] }) {
  return (
    <div className="notice notice-bad" role="alert">
      <p>{reason}</p>
      {faults.length > 0 && (
        <ul>
          {faults.slice(0, 20).map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
    </div>
  )
}
