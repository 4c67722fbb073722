import { isOnScreen } from '../../realtime/followers/air.ts'
import { unfitRenderers } from '../live/unfit.ts'
import { Still } from '../ui/still.tsx'
import { useNow } from '../ui/use-now.ts'
import { address } from './address.ts'
import { AirState, useAir } from './air-state.tsx'
import { moveByArrow } from './arrows.ts'
import { Countdown } from './countdown.tsx'
import { targetOf, useDesk } from './desk.ts'
import { differing, unsent } from './drafts.ts'
import type { Preset } from './model.ts'
import { summary } from './summary.ts'
import type { Leaving } from './use-memories.ts'

/**
 * One preset: its face shows it or sends its changes, or in preview mode cues it; beside it are hide and values. A face never hides, so that a
 * second press does no harm.
 */
export function Card({ preset, keys }: { preset: Preset; keys: boolean }) {
  const desk = useDesk()
  const { live, memories, outcomes, choices, draftOf, selected } = desk
  const draft = draftOf(preset.id)
  const graphic = desk.shownOf(preset)?.graphic
  const cue = desk.cueOf(preset)
  const aim = desk.aimOf(preset)
  const seen = useAir(graphic)
  const changed = aim ? unsent(preset, draft, aim) : []
  const edited = aim ? [] : differing(preset, draft, undefined, preset.variableValues)
  const previews = desk.mode === 'preview'
  const target = targetOf.preset(preset.id)
  const outcome = outcomes.get(target)
  const leaving = memories.leaving.get(preset.graphicId)
  const key = keys ? desk.keys.get(preset.id) : undefined
  const isOn = live.rehearsal ? 'In rehearsal:' : 'On air:'
  const verb = previews ? previewVerb(cue, changed) : graphic ? (changed.length > 0 ? 'Update' : isOn) : 'Show'
  const classes = [
    'card',
    graphic ? 'card-air' : 'card-off',
    seen && isOnScreen(seen.air) && 'card-painted',
    cue && 'card-cued',
    changed.length > 0 && 'card-changed',
    preset.problem !== null && 'card-missing',
    selected === preset.id && 'card-selected',
  ]
  return (
    <li
      id={`preset-${preset.id}`}
      className={classes.filter(Boolean).join(' ')}
      data-preset={preset.name}
      onFocus={() => desk.select(preset.id)}
    >
      <button
        type="button"
        className="card-face"
        aria-disabled={preset.problem !== null}
        aria-busy={outcome?.phase === 'sending'}
        {...(key && { 'aria-keyshortcuts': key })}
        onClick={(event) => (previews && event.shiftKey ? desk.cut(preset) : desk.fire(preset))}
        onKeyDown={(event) => moveByArrow(event.key, event.currentTarget) && event.preventDefault()}
      >
        <span className="card-title">
          {key && (
            <span className="key" aria-hidden="true">
              {key}
            </span>
          )}
          <span className="card-name">
            <span className="visually-hidden">{verb} </span>
            {preset.name}
          </span>
        </span>
        {preset.problem === null && (
          <Still
            url={`${address}/rest/presets/${preset.id}/still`}
            revision={live.roomRevision}
            subject={JSON.stringify([preset.graphicId, preset.variableValues])}
          />
        )}
        <span className="card-about">
          {edited.length > 0 && <span className="card-edited">Edited: </span>}
          {changed.length > 0 && <span className="card-edited">Next: </span>}
          {summary(preset, draft, aim?.base, choices)}
        </span>
        <span className="card-state">
          {cue && <span className="lamp-cued">On preview</span>}
          <Planned preset={preset} />
          <Unfit preset={preset} />
          {seen ? (
            <>
              <span className="lamp">
                <span>
                  <AirState {...seen} />
                </span>
                {changed.length > 0 && <Changed word={previews ? 'cue' : 'update'} />}
              </span>
              {preset.problem}
            </>
          ) : preset.problem !== null ? (
            preset.problem
          ) : cue ? (
            changed.length > 0 && <Changed word={previews ? 'cue' : 'update'} />
          ) : (
            <OffAir preset={preset} leaving={leaving?.presetId === preset.id ? leaving : undefined} />
          )}
        </span>
      </button>
      <div className="card-side">
        <button
          type="button"
          className="card-hide"
          // one that is disabled would lose the focus with its own press
          aria-disabled={!graphic && !cue}
          {...(key && !previews && { 'aria-keyshortcuts': `Shift+${key}` })}
          onClick={() => (graphic ? desk.hide(target, graphic.graphicId) : cue && desk.uncue(preset.id))}
        >
          {cue && !graphic ? 'Off' : 'Hide'}
          <span className="visually-hidden">
            {cue && !graphic && ' preview:'} {preset.name}
          </span>
          {key && graphic && !previews && (
            <span className="key" aria-hidden="true">
              ⇧ {key}
            </span>
          )}
        </button>
        <button
          type="button"
          className="card-values"
          disabled={preset.variables.length === 0}
          onClick={() => desk.openValues(preset.id)}
        >
          Values<span className="visually-hidden"> of {preset.name}</span>
        </button>
      </div>
      {outcome?.phase === 'failed' && (
        <p className="failure card-failure" role="alert">
          {outcome.message}
          <button
            type="button"
            className="card-dismiss"
            onClick={() => desk.dismiss(target)}
            aria-label={`Dismiss: ${outcome.message}`}
          >
            ×
          </button>
        </p>
      )}
    </li>
  )
}

const previewVerb = (cue: unknown, changed: readonly unknown[]) => (cue && changed.length === 0 ? 'On preview:' : 'Cue')

const Changed = ({ word }: { word: string }) => <span className="lamp-changed">Changed: press to {word}</span>

/** The monitoring page has room for it. */
const WHAT_IT_IS = /, it (?:is|has) [^,]+/g

/** Before it is shown: which screens it is not made for. */
function Unfit({ preset: { requirements } }: { preset: Preset }) {
  const [first, ...others] = unfitRenderers(requirements, useDesk().live.renderers)
  if (!first) return null
  return (
    <span className="card-unfit">
      Not for {first.by}: {first.reason.replace(WHAT_IT_IS, '')}
      {others.length > 0 && `, and ${others.length} more`}
    </span>
  )
}

/** When it comes or goes by itself: the next time alone. */
function Planned({ preset }: { preset: Preset }) {
  const { live } = useDesk()
  const next = live.scheduled.find(({ presetId }) => presetId === preset.id)
  if (!next) return null
  return (
    <span className="card-planned tabular">
      {next.action === 'hide' ? 'Hides' : 'Comes'} <Countdown at={next.at} label="in " />
    </span>
  )
}

function OffAir({ preset, leaving }: { preset: Preset; leaving: Leaving | undefined }) {
  const { live, room } = useDesk()
  const now = useNow(live.serverOffsetMs, live.connection === 'connected')
  const other = live.onAir.get(preset.graphicId)
  if (leaving && leaving.until > now) return `Off air in ${Math.ceil((leaving.until - now) / 1_000)} s`
  if (!other) return live.rehearsal ? 'Off' : 'Off air'
  const name = room.presets.find(({ id }) => id === other.presetId)?.name
  return `Off air · replaces ${name ?? other.graphicName}`
}
