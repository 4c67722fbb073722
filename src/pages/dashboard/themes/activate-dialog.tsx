import { useEffect, useState } from 'react'
import { api } from '../api.ts'
import { Confirm } from '../confirm.tsx'
import { Waiting } from '../parts.tsx'
import type { ActivatedTheme, Theme } from '../shapes.ts'

type Props = { theme: Theme; version: number; onClose: () => void; onActivated: () => Promise<void> }

/** Tries the activation out first, and tells its effects on graphics on air and on the presets. */
export function ActivateDialog({ theme, version, onClose, onActivated }: Props) {
  const [outcome, setOutcome] = useState<ActivatedTheme>()
  const [error, setError] = useState<unknown>()
  const path = `/v2/themes/${theme.id}/versions/${version}/activate`
  useEffect(() => {
    let over = false
    api<ActivatedTheme>('POST', path, { body: { dryRun: true } }).then(
      (answer) => over || setOutcome(answer),
      (failure) => over || setError(failure),
    )
    return () => {
      over = true
    }
  }, [path])
  return (
    <Confirm
      open
      title={`Activate version ${version} of ${theme.name}?`}
      about="Every show from now on takes its graphic from this version. What is on air stays as it is until it is shown again."
      label={`Activate version ${version}`}
      look="primary"
      disabled={outcome === undefined}
      onClose={onClose}
      write={async (key) => {
        // the version that was looked at is activated: a change in between is refused
        await api('POST', path, { body: { ifUnchangedSince: outcome?.updatedAt }, key })
        await onActivated()
      }}
    >
      {outcome ? <Effects {...outcome} /> : <Waiting error={error} />}
    </Confirm>
  )
}

function Effects({ graphicsOnAir, presetsLeftOut }: ActivatedTheme) {
  const changing = graphicsOnAir.filter(({ version, nextVersion }) => version !== nextVersion)
  return (
    <div className="stack">
      <section>
        <h3 className="field-label">On air now</h3>
        {graphicsOnAir.length === 0 && <p>Nothing of this theme is on air.</p>}
        {graphicsOnAir.length > 0 && changing.length === 0 && <p>What is on air is the same in this version.</p>}
        <ul className="effects">
          {changing.map(({ overlayId, graphicId, graphicName, version, nextVersion }) => (
            <li key={`${overlayId} ${graphicId}`}>
              {graphicName} on overlay {overlayId}: version {version} stays on air,{' '}
              {nextVersion === null ? 'and cannot be shown again' : `the next show brings version ${nextVersion}`}
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h3 className="field-label">Presets</h3>
        {presetsLeftOut.length === 0 && <p>Every preset can be shown.</p>}
        <ul className="effects">
          {presetsLeftOut.map(({ presetId, name }) => (
            <li key={presetId}>{name} stays in its room but cannot be shown: its graphic is not in this version</li>
          ))}
        </ul>
      </section>
    </div>
  )
}
