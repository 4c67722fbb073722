import type { Live } from '../live/follow.ts'
import { picturedProblems } from '../live/problems.ts'
import { elapsed, timeOfDay } from '../ui/elapsed.ts'
import type { Room } from './api.ts'
import { Count, Panel } from './panel.tsx'

const VERBS = { show: 'Show', hide: 'Hide', take: 'Take' } as const

/** What is on preview, and what is carried out by itself later; nothing where there is neither. */
export function Coming({ live, room, now }: { live: Live; room: Room | undefined; now: number }) {
  const { preview, scheduled } = live
  const count = preview.size + scheduled.length
  if (count === 0) return null
  const nameOf = (presetId: number | null, otherwise: string) =>
    room?.presets.find(({ id }) => id === presetId)?.name ?? otherwise
  return (
    <Panel id="coming" className="coming" title="On preview and scheduled" beside={<Count>{count}</Count>}>
      <ul>
        {[...preview.values()].map(({ graphicId, graphicName, presetId }) => {
          const [problem] = picturedProblems(graphicId, 'preview', live.pictureProblems)
          return (
            <li key={graphicId}>
              <span className="coming-name coming-cue">{nameOf(presetId, graphicName)}</span>
              {problem ? (
                <span className="coming-when coming-wrong">on preview: {problem.message}</span>
              ) : (
                <span className="coming-when">on preview</span>
              )}
            </li>
          )
        })}
        {scheduled.map(({ id, at, action, presetId }) => (
          <li key={id}>
            <span className="coming-name">
              {VERBS[action]} {nameOf(presetId, action === 'take' ? 'what is on preview' : 'a graphic')}
            </span>
            <time className="coming-when tabular" dateTime={at}>
              {timeOfDay(Date.parse(at))} · in {elapsed(Date.parse(at) - now + 999)}
            </time>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
