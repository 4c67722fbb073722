import { useState } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { Panel } from '../../ui/panel.tsx'
import type { Draft } from './draft.ts'
import { conditionOf, type Line, matchTime, reasonWords } from './lanes.ts'

const MOST = 500

const FILTERS = {
  all: 'everything',
  shown: 'what was shown',
  not: 'what was not shown',
} as const

const isNot = ({ outcome }: Line) => outcome === 'suppressed' || outcome === 'withdrawn'

/** The words of a line about its rule. */
function wordsOf({ outcome, action, reason, ruleId }: Line, rules: readonly Draft[]): string {
  const why = reasonWords(reason ?? '', conditionOf(ruleId, rules))
  if (outcome === 'suppressed') return `Not shown: ${why}`
  if (outcome === 'withdrawn') return `Taken back: ${why}`
  if (action === 'show') return outcome === 'fired' ? 'On air' : 'Back on air'
  return action === 'update' ? 'Changed on air' : 'Off air'
}

/** Everything that a plan did in a match, line by line; a press goes to its moment. */
export function TimelineLog({
  lines,
  rules,
  atMs,
  onMoment,
}: {
  lines: readonly Line[]
  rules: readonly Draft[]
  atMs: number
  onMoment: (ms: number) => void
}) {
  const [filter, setFilter] = useState<keyof typeof FILTERS>('all')
  const fitting = lines.filter((line) => filter === 'all' || (filter === 'not' ? isNot(line) : line.action === 'show'))
  // the last one until the moment: lines are in the order of time
  const near = fitting.filter(({ matchMs }) => matchMs <= atMs).length - 1
  return (
    <Panel
      title="What happens"
      actions={
        <label className="plan-match">
          <span className="visually-hidden">Show</span>
          <select
            className="input input-auto"
            value={filter}
            onChange={({ target }) => setFilter(target.value as keyof typeof FILTERS)}
          >
            {Object.entries(FILTERS).map(([id, title]) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        </label>
      }
    >
      <ol className="time-log">
        {fitting.slice(0, MOST).map((line, index) => (
          // several lines may be of one rule and one moment
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
          <li key={index}>
            <button
              type="button"
              {...(index === near && { 'aria-current': 'time' })}
              onClick={() => onMoment(line.matchMs + (line.action === 'hide' ? -500 : 500))}
            >
              <span className="tabular time-log-at">{matchTime(line.matchMs)}</span>
              <span>
                <b>{line.name}</b>
                <span className="cell-about"> {wordsOf(line, rules)}</span>
              </span>
              {line.action === 'show' && <Badge tone="air">{line.graphicName ?? 'Graphic'}</Badge>}
            </button>
          </li>
        ))}
      </ol>
      {fitting.length > MOST && <p className="cell-about">And {fitting.length - MOST} more.</p>}
      {fitting.length === 0 && <p className="cell-about">Nothing of that.</p>}
    </Panel>
  )
}
