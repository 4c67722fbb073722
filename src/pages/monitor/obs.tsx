import type { ReactNode } from 'react'
import { Badge } from '../ui/badge.tsx'
import { timeOfDay } from '../ui/elapsed.ts'
import type { Obs as Told } from './api.ts'

type Refresh = NonNullable<Told['refresh']>

const STATES = {
  refreshed: { tone: 'good', word: 'Refreshed' },
  waiting: { tone: 'pending', word: 'Refreshes when off air' },
  failed: { tone: 'bad', word: 'Not refreshed' },
} as const

/** What became of the last theme version in OBS, in a sentence. */
function worded({ state, sources, error, at }: Refresh): string {
  const time = timeOfDay(Date.parse(at))
  if (state === 'waiting')
    return 'Another theme version is active. OBS loads the page anew as soon as nothing is on air.'
  if (state === 'failed') return `${time}: ${error ?? 'OBS was not reached'}`
  if (sources === 0) return `${time}: OBS answered, and none of its browser sources shows this overlay.`
  return `${time}: OBS loaded ${sources === 1 ? 'its browser source' : `${sources} browser sources`} of this overlay anew.`
}

const Step = ({ title, children }: { title: string; children: ReactNode }) => (
  <li className="obs-step">
    <h3 className="obs-step-title">{title}</h3>
    {children}
  </li>
)

/** How OBS is set up for this overlay, and whether it loads new theme versions by itself; open while nobody renders. */
export function Obs({ told, isNeeded }: { told: Told | undefined; isNeeded: boolean }) {
  const refresh = told?.refresh ?? null
  const state = refresh && STATES[refresh.state]
  return (
    <section className="panel obs" aria-labelledby="obs">
      <details open={isNeeded}>
        <summary className="panel-title">
          <h2 id="obs">OBS</h2>
          {state ? (
            <Badge tone={state.tone}>{state.word}</Badge>
          ) : (
            <Badge>{told?.configured ? 'By obs-websocket' : 'Set-up'}</Badge>
          )}
        </summary>
        {refresh && (
          <p className={refresh.state === 'failed' ? 'obs-told obs-failed' : 'obs-told'}>{worded(refresh)}</p>
        )}
        <ol className="obs-steps">
          <Step title="Browser source">
            <p>
              <b>Sources</b>, <b>+</b>, <b>Browser</b>, above the picture. The overlay address as <b>URL</b>,{' '}
              <b>1920 × 1080</b>, <b>Use custom frame rate</b> at 50 or 60.
            </p>
          </Step>
          <Step title="Leave off">
            <p>
              <b>Shutdown source when not visible</b> and <b>Refresh browser when scene becomes active</b>: the page
              keeps itself up to date, and would start anew at each cut.
            </p>
          </Step>
          <Step title="New theme version">
            <p>
              It comes with the next show of each graphic. Where OBS still shows an old page, open the properties of the
              source and press <b>Refresh cache of current page</b>, while nothing is on air.
            </p>
          </Step>
          <Step title={told?.configured ? 'By itself: set up' : 'By itself'}>
            <p>
              In OBS <b>Tools</b>, <b>WebSocket Server Settings</b>, <b>Enable WebSocket server</b>; port <b>4455</b>,
              with a password. In the dashboard give both to the overlay, under <b>OBS</b>: it then presses that button
              for each new version.
            </p>
          </Step>
        </ol>
      </details>
    </section>
  )
}
