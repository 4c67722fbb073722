import { isOnScreen } from '../../realtime/followers/air.ts'
import type { LiveGraphic } from '../../realtime/followers/live-protocol.ts'
import { picturedProblems, problemsOf } from '../live/problems.ts'
import { AirState, useAir } from './air-state.tsx'
import { targetOf, useDesk } from './desk.ts'
import { Undo } from './undo.tsx'

/** All graphics on air, of any origin and any place in the list of presets. */
export function OnAirStrip() {
  const { rehearsal } = useDesk().live
  return (
    <section className="strip" aria-labelledby="strip">
      <h2 id="strip">{rehearsal ? 'In rehearsal' : 'On air'}</h2>
      <OnAirChips />
      <Undo />
    </section>
  )
}

/** Each with what hides it, the first shown first. */
export function OnAirChips() {
  const { live } = useDesk()
  const graphics = [...live.onAir.values()].sort((one, other) => (one.since ?? '').localeCompare(other.since ?? ''))
  if (graphics.length === 0) return <p className="strip-none">Nothing</p>
  return (
    <ul className="chips">
      {graphics.map((graphic) => (
        <Chip key={graphic.graphicId} graphic={graphic} />
      ))}
    </ul>
  )
}

function Chip({ graphic }: { graphic: LiveGraphic }) {
  const { room, live, plan, outcomes, hide } = useDesk()
  const seen = useAir(graphic)
  const preset = room.presets.find(({ id }) => id === graphic.presetId)
  const rule = plan?.layers.find(({ running }) => running?.graphicName === graphic.graphicName)?.running?.name
  const name = preset?.name ?? graphic.graphicName
  const target = targetOf.graphic(graphic.graphicId)
  const outcome = outcomes.get(target)
  const problems = live.rehearsal
    ? picturedProblems(graphic.graphicId, 'program', live.pictureProblems).map(({ message }) => ({
        message,
        by: 'The picture',
      }))
    : problemsOf(graphic.graphicId, live.renderers)
  return (
    <li className={isOnScreen(seen.air) ? 'chip chip-painted' : 'chip'}>
      <span className={problems.length > 0 ? 'chip-name chip-troubled' : 'chip-name'}>
        {name}
        {rule && (
          <span className="auto-tag" title={`By the game plan: ${rule}`}>
            Auto
          </span>
        )}
        {!preset && <span className="chip-foreign"> not of this room</span>}
      </span>
      <span className="chip-state">
        <AirState {...seen} short />
      </span>
      <button
        type="button"
        className="chip-hide"
        aria-busy={outcome?.phase === 'sending'}
        onClick={() => hide(target, graphic.graphicId)}
      >
        Hide<span className="visually-hidden"> {name}</span>
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

/** The first thing that is wrong with a graphic, and how many more there are. */
export function ChipProblem({
  problems: [problem, ...others],
}: {
  problems: readonly { message: string; by?: string }[]
}) {
  if (!problem) return null
  return (
    <span className="chip-problem" title={problem.message}>
      {problem.by !== undefined && <b>{problem.by}: </b>}
      {problem.message}
      {others.length > 0 && ` (and ${others.length} more)`}
    </span>
  )
}
