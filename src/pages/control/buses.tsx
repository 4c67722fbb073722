import type { LiveCue } from '../../realtime/followers/live-protocol.ts'
import { picturedProblems } from '../live/problems.ts'
import { address } from './address.ts'
import { targetOf, useDesk } from './desk.ts'
import { NO_DRAFT } from './drafts.ts'
import { ChipProblem, OnAirChips } from './on-air-strip.tsx'
import { ProgramFrame, ProgramName } from './picture.tsx'
import { summary } from './summary.ts'
import { Transport } from './transport.tsx'

/** Preview and program side by side, each with what is in it, and between them what moves one to the other. */
export function Buses({ alone, onAlone }: { alone: boolean; onAlone: (alone: boolean) => void }) {
  return (
    <div className={alone ? 'buses buses-alone' : 'buses'}>
      <PreviewBus alone={alone} onAlone={onAlone} />
      <Transport />
      <ProgramBus />
    </div>
  )
}

function PreviewBus({ alone, onAlone }: { alone: boolean; onAlone: (alone: boolean) => void }) {
  const { live, uncue } = useDesk()
  const cues = [...live.preview.values()]
  return (
    <section className="bus bus-preview" aria-labelledby="preview">
      {!alone && (
        <div className={cues.length > 0 ? 'program-frame preview-cued' : 'program-frame'}>
          <iframe
            title="The overlay as it will be after the take"
            src={`${address}/picture?bus=preview`}
            tabIndex={-1}
          />
        </div>
      )}
      <div className="bus-told">
        <div className="bus-head">
          <h2 id="preview">Preview</h2>
          <div className="bus-tools">
            {cues.length > 1 && (
              <button type="button" className="bus-tool" onClick={() => uncue()}>
                Clear<span className="visually-hidden"> preview</span>
              </button>
            )}
            <button type="button" className="bus-tool" onClick={() => onAlone(!alone)}>
              {alone ? 'Show' : 'Hide'}
              <span className="visually-hidden"> the</span> picture
              <span className="visually-hidden"> of preview</span>
            </button>
          </div>
        </div>
        {cues.length === 0 ? (
          <p className="strip-none">A press on a preset puts it here.</p>
        ) : (
          <ul className="chips">
            {cues.map((cue) => (
              <CueChip key={cue.graphicId} cue={cue} />
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}

function CueChip({ cue }: { cue: LiveCue }) {
  const { live, room, choices, outcomes, uncue } = useDesk()
  const preset = room.presets.find(({ id }) => id === cue.presetId)
  const name = preset?.name ?? cue.graphicName
  const about = preset ? summary(preset, NO_DRAFT, cue.variableValues, choices) : ''
  const outcome = outcomes.get(targetOf.cue(cue.presetId))
  const problems = picturedProblems(cue.graphicId, 'preview', live.pictureProblems)
  return (
    <li className={problems.length > 0 ? 'chip chip-cued chip-warned' : 'chip chip-cued'}>
      <span className="chip-name">
        {name}
        {about !== '' && <span className="chip-about">{about}</span>}
      </span>
      <button
        type="button"
        className="chip-hide"
        aria-busy={outcome?.phase === 'sending'}
        onClick={() => uncue(cue.presetId)}
      >
        Off<span className="visually-hidden"> preview: {name}</span>
      </button>
      <ChipProblem problems={problems} />
      {outcome?.phase === 'failed' && (
        <span className="failure" role="alert">
          {outcome.message}
        </span>
      )}
    </li>
  )
}

function ProgramBus() {
  return (
    <section className="bus bus-program" aria-labelledby="program">
      <div className="bus-told">
        <div className="bus-head">
          <ProgramName />
        </div>
        <OnAirChips />
      </div>
      <ProgramFrame />
    </section>
  )
}
