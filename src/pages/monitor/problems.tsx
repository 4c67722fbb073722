import type { LiveRenderer } from '../../realtime/live-protocol.ts'
import { elapsed } from '../ui/elapsed.ts'

const MOST_NAMED = 3
const MOST_SHOWN = 3

/** `a`, `a and b`, `a, b and 4 more`. */
function together(names: readonly string[]): string {
  const named = names.length > MOST_NAMED ? names.slice(0, MOST_NAMED - 1) : names.slice(0, -1)
  const last = names.length > MOST_NAMED ? `${names.length - named.length} more` : names.at(-1)
  return named.length > 0 ? `${named.join(', ')} and ${last}` : `${last}`
}

/** What renderers say to be wrong with a graphic, and who says it: a bundle that is broken is broken on all of them. */
function saidOf(graphicId: string, renderers: readonly LiveRenderer[]): [message: string, names: string[]][] {
  const byMessage = new Map<string, string[]>()
  for (const { name, problems } of renderers)
    for (const problem of problems)
      if (problem.graphicId === graphicId)
        byMessage.set(problem.message, [...(byMessage.get(problem.message) ?? []), name])
  return [...byMessage]
}

const More = ({ count, of }: { count: number; of: string }) =>
  count > 0 && (
    <li className="problem">
      and {count} more {of}
    </li>
  )

export const isTroubled = (graphicId: string, renderers: readonly LiveRenderer[]) =>
  renderers.some(({ problems }) => problems.some((problem) => problem.graphicId === graphicId))

/** Why renderers do not paint a graphic, or not as they should. */
export function GraphicProblems({ graphicId, renderers }: { graphicId: string; renderers: readonly LiveRenderer[] }) {
  const said = saidOf(graphicId, renderers)
  return (
    <ul className="problems graphic-problems" aria-label="Problems of renderers">
      {said.slice(0, MOST_SHOWN).map(([message, names]) => (
        <li key={message} className="problem" title={message}>
          <b className="problem-of">{together(names)}:</b> {message}
        </li>
      ))}
      <More count={said.length - MOST_SHOWN} of="reasons" />
    </ul>
  )
}

/** What is wrong on one renderer, also of graphics that are about to be shown. */
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
