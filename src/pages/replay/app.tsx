import './replay.css'
import { useCallback, useEffect, useRef, useState } from 'react'
import { textAt } from './clocks.ts'
import type { Recorded } from './recorded.ts'
import { Steps } from './steps.tsx'
import { Timeline } from './timeline.tsx'
import { Transport } from './transport.tsx'
import { useKeys } from './use-keys.ts'
import { useBeginning, usePlayer } from './use-player.ts'
import { useRecord } from './use-record.ts'

const GROUNDS = { stadium: 'Stadium', checker: 'Checker', black: 'Black' } as const

/** The show of an overlay, played again from its journal. */
export function Replay() {
  const reading = useRecord()
  if (reading === undefined) return <p className="note">Loading the record</p>
  if ('problem' in reading)
    return (
      <p className="note" role="alert">
        {reading.problem}
      </p>
    )
  if (reading.recorded.steps.length <= 1)
    return <p className="note">Nothing was on air and nothing happened in this time.</p>
  return <Desk recorded={reading.recorded} />
}

function Desk({ recorded }: { recorded: Recorded }) {
  const playing = usePlayer(recorded)
  const { moments, span, player, state, screen, problem } = playing
  const [ground, setGround] = useState('stadium')
  const area = useRef<HTMLDivElement>(null)
  const picture = useRef<HTMLDivElement>(null)
  useEffect(() => {
    document.title = `${recorded.match.name}, replay`
    if (!area.current || !picture.current) return undefined
    picture.current.append(screen.element)
    return screen.fit(area.current, picture.current)
  }, [recorded, screen])
  useBeginning(playing)
  useKeys(player, span)
  const seek = useCallback((at: number) => player.seek(at), [player])
  const moment = moments[state.index]
  const match = moment?.match
  const onAir = [...(moment?.graphics.values() ?? [])].map(({ graphicName }) => graphicName)
  return (
    <div className="replay">
      <header className="head">
        <div>
          <h1>{recorded.match.name}</h1>
          <p>
            Replay of {recorded.overlay.name}
            {recorded.overlay.removed && ' (deleted)'},{' '}
            {new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' }).format(span.from)}
          </p>
        </div>
        {match && (
          <p className="score tabular">
            <b>
              {match.score.home} – {match.score.away}
            </b>
            <span>{textAt(match.clock, state.position)}</span>
            <span>{match.period ?? match.state}</span>
          </p>
        )}
        <p className="on-air" data-air={onAir.length > 0}>
          {onAir.length > 0 ? onAir.join(', ') : 'Nothing on air'}
        </p>
        <label className="ground">
          <span>Background</span>
          <select className="input" value={ground} onChange={(event) => setGround(event.target.value)}>
            {Object.entries(GROUNDS).map(([key, label]) => (
              <option key={key} value={key}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </header>
      {!recorded.complete && (
        <p className="notice">A part of this time is not kept any more, or is more than is played at once.</p>
      )}
      {problem && <p className="notice notice-bad">The graphic reports: {problem}</p>}
      <main className="desk">
        <div className="play">
          <div className="area" ref={area}>
            <div className={`picture ground-${ground}`} ref={picture} data-index={state.index} />
          </div>
          <Transport player={player} state={state} />
          <Timeline moments={moments} span={span} position={state.position} seek={seek} />
        </div>
        <Steps moments={moments} index={state.index} seek={seek} />
      </main>
    </div>
  )
}
