import type { LiveChange } from '../live/state.ts'
import { timeOfDay } from '../ui/elapsed.ts'
import { useDesk } from './desk.ts'
import type { Room } from './model.ts'

/** The commands on the overlay while this page was open, newest first. */
export function Activity() {
  const { live, room } = useDesk()
  const { changes } = live
  return (
    <>
      <p className="visually-hidden" role="status">
        {changes[0] && saidOf(changes[0], room)}
      </p>
      <section className="activity" aria-labelledby="activity">
        <h2 id="activity">Latest</h2>
        {changes.length === 0 && <p className="activity-none">What anybody shows, changes or hides is told here.</p>}
        <ol>
          {changes.map((change) => (
            <li key={change.seq}>
              <time className="tabular" dateTime={change.at}>
                {timeOfDay(Date.parse(change.at))}
              </time>
              <span>
                {saidOf(change, room)} <span className="activity-by">{byWhom(change)}</span>
              </span>
            </li>
          ))}
        </ol>
      </section>
    </>
  )
}

const VERBS = {
  show: 'Shown',
  update: 'Changed',
  hide: 'Hidden',
  hideAll: 'Hidden',
  cue: 'On preview',
  uncue: 'Off preview',
  take: 'Taken',
  batch: 'At once',
  undo: 'Undone',
  step: 'Step',
  custom: 'Action',
  load: 'Loaded',
  play: 'Played',
  stop: 'Stopped',
  clear: 'Cleared',
  rehearse: 'Rehearsal',
  next: 'Next in the rundown',
  previous: 'Back in the rundown',
  schedule: 'Scheduled',
  unschedule: 'Off the schedule',
  missed: 'Missed its time',
  refused: 'Refused at its time',
  autoHide: 'Time was up',
  refresh: 'Refreshed',
} as const

function saidOf(
  { action, shown, hidden, cued = [], uncued = [], scheduled = [], rehearsal }: LiveChange,
  { presets }: Room,
) {
  if (rehearsal !== undefined) return `Rehearsal ${rehearsal ? 'begun' : 'ended'}`
  const nameOf = ({ presetId, graphicName }: { presetId: number; graphicName: string }) =>
    presets.find(({ id }) => id === presetId)?.name ?? graphicName
  const [touched] = [shown, hidden, cued, uncued].filter((graphics) => graphics.length > 0)
  const planned = scheduled.map(
    ({ action: what, presetId }) =>
      presets.find(({ id }) => id === presetId)?.name ?? (what === 'take' ? 'a take' : 'a graphic'),
  )
  const names = [...(touched?.map(nameOf) ?? []), ...planned]
  return names.length > 0 ? `${VERBS[action]}: ${names.join(', ')}` : VERBS[action]
}

const byWhom = ({ by }: LiveChange) =>
  by.type === 'link'
    ? 'from a control room page'
    : by.type === 'gamePlan'
      ? `by the game plan: ${by.name}`
      : by.name
        ? `by ${by.name}`
        : 'by the server'
