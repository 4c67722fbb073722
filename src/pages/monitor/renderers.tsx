import type { LiveRenderer } from '../../realtime/followers/live-protocol.ts'
import { together } from '../live/problems.ts'
import { unfitRenderers } from '../live/unfit.ts'
import { Badge } from '../ui/badge.tsx'
import { elapsed } from '../ui/elapsed.ts'
import type { Room } from './api.ts'
import { Count, Panel } from './panel.tsx'
import { RendererProblems } from './problems.tsx'

const STATES = {
  current: { tone: 'good', word: 'Current' },
  behind: { tone: 'pending', word: 'Behind' },
  outOfView: { tone: undefined, word: 'Out of view' },
  waiting: { tone: 'bad', word: 'Waiting' },
} as const

/** A renderer that its program does not show is not late. */
const stateOf = ({ state, outOfView }: LiveRenderer) => (outOfView && state !== 'waiting' ? 'outOfView' : state)

const WORST_FIRST: readonly (keyof typeof STATES)[] = ['waiting', 'behind', 'outOfView', 'current']

const worstFirst = (renderers: readonly LiveRenderer[]) =>
  [...renderers].sort(
    (one, other) =>
      WORST_FIRST.indexOf(stateOf(one)) - WORST_FIRST.indexOf(stateOf(other)) ||
      other.problems.length - one.problems.length ||
      one.name.localeCompare(other.name),
  )

/** `8 ms`, `1.24 s`. */
const latencyText = (ms: number | undefined) =>
  ms === undefined ? '–' : ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(2)} s`

function Row({ renderer, demanding, now }: { renderer: LiveRenderer; demanding: Room['demanding']; now: number }) {
  const { name, engine, latency, lastPaintAt, connectedAt, problems } = renderer
  const { tone, word } = STATES[stateOf(renderer)]
  const misfits = misfitsOf(renderer, demanding)
  const isTroubled = problems.length + misfits.length > 0
  return (
    <>
      <tr className={isTroubled ? 'renderer-troubled' : undefined}>
        <th scope="row" className="renderer">
          <span className="renderer-name">{name}</span>
          <span className="renderer-engine">
            {engine}, connected {elapsed(now - Date.parse(connectedAt))}
          </span>
        </th>
        <td>
          <Badge tone={tone}>{word}</Badge>
        </td>
        <td className="figure">{latencyText(latency?.p50)}</td>
        <td className="figure">{latencyText(latency?.p95)}</td>
        <td className="figure">{latencyText(latency?.p99)}</td>
        <td className="figure">{lastPaintAt ? `${elapsed(now - Date.parse(lastPaintAt))} ago` : 'Never'}</td>
      </tr>
      {isTroubled && (
        <tr>
          <td colSpan={6}>
            {problems.length > 0 && <RendererProblems problems={problems} now={now} />}
            {misfits.length > 0 && <Misfits misfits={misfits} />}
          </td>
        </tr>
      )}
    </>
  )
}

/** By the reason, the graphics that a renderer is none for. */
function misfitsOf(renderer: LiveRenderer, demanding: Room['demanding']) {
  const byReason = new Map<string, string[]>()
  for (const { graphicName, requirements } of demanding)
    for (const { reason } of unfitRenderers(requirements, [renderer]))
      byReason.set(reason, [...(byReason.get(reason) ?? []), graphicName])
  return [...byReason].map(([reason, names]) => ({ reason, graphics: together(names) }))
}

/** The graphics that a renderer may show wrong, told before any of them is on air. */
function Misfits({ misfits }: { misfits: ReturnType<typeof misfitsOf> }) {
  return (
    <ul className="problems" aria-label="Graphics that are not for it">
      {misfits.map(({ reason, graphics }) => (
        <li key={reason} className="problem misfit">
          <b className="problem-of">{graphics}:</b> {reason}
        </li>
      ))}
    </ul>
  )
}

/** Every browser source of the overlay: its kind, how late it paints, and whether it has all graphics. */
export function Renderers({
  renderers,
  room,
  now,
}: {
  renderers: readonly LiveRenderer[]
  room: Room | undefined
  now: number
}) {
  return (
    <Panel id="renderers" title="Renderers" beside={<Count>{renderers.length}</Count>}>
      {renderers.length === 0 ? (
        <p className="none">No renderer is connected</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached by keyboard
        <section className="table-wrap renderer-rows" tabIndex={0} aria-label="Figures of the renderers">
          <table className="table">
            <thead>
              <tr>
                <th scope="col">Renderer</th>
                <th scope="col">State</th>
                <th scope="col" className="figure">
                  p50
                </th>
                <th scope="col" className="figure">
                  p95
                </th>
                <th scope="col" className="figure">
                  p99
                </th>
                <th scope="col" className="figure">
                  Last paint
                </th>
              </tr>
            </thead>
            <tbody>
              {worstFirst(renderers).map((renderer) => (
                <Row key={renderer.id} renderer={renderer} demanding={room?.demanding ?? []} now={now} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Panel>
  )
}
