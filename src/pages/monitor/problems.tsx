import type { LiveRenderer } from '../../realtime/followers/live-protocol.ts'
import { problemsOf } from '../live/problems.ts'
import { elapsed } from '../ui/elapsed.ts'

const MOST_SHOWN = 3

const More = ({ count, of }: { count: number; of: string }) =>
  count > 0 && (
    <li className="problem">
      and {count} more {of}
    </li>
  )

export const isTroubled = (graphicId: string, renderers: readonly LiveRenderer[]) =>
  problemsOf(graphicId, renderers).length > 0

/** Why renderers do not paint a graphic, or not as they should. */
export function GraphicProblems({ graphicId, renderers }: { graphicId: string; renderers: readonly LiveRenderer[] }) {
  const said = problemsOf(graphicId, renderers)
  return (
    <ul className="problems graphic-problems" aria-label="Problems of renderers">
      {said.slice(0, MOST_SHOWN).map(({ message, by }) => (
        <li key={message} className="problem" title={message}>
          <b className="problem-of">{by}:</b> {message}
        </li>
      ))}
      <More count={said.length - MOST_SHOWN} of="reasons" />
    </ul>
  )
}

/** The problems of one renderer, also of graphics that are about to be shown. */
export function RendererProblems({ problems, now }: { problems: LiveRenderer['problems']; now: number }) {
  return (
    <ul className="problems" aria-label="Problems">
      {problems.slice(0, MOST_SHOWN).map(({ graphicId, graphicName, message, at }) => (
        <li key={`${graphicId} ${message}`} className="problem" title={message}>
          <b className="problem-of">{graphicName}</b>{' '}
          <span className="problem-since tabular">for {elapsed(now - Date.parse(at))}:</span> {message}
        </li>
      ))}
      <More count={problems.length - MOST_SHOWN} of="graphics" />
    </ul>
  )
}
