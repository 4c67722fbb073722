import { useState } from 'react'
import { localNow } from '../shared/server-time.ts'
import { Button } from '../ui/button.tsx'
import { Countdown } from './countdown.tsx'
import { type OperatedPlan, targetOf, useDesk } from './desk.ts'
import type { PlanLayer } from './plan-layers.ts'
import { holder } from './plan-words.ts'

/** One layer: what the plan has there and for how long, who holds it, and the button that takes it or gives it back. */
export function PlanLayerRow({ layer, plan }: { layer: PlanLayer; plan: OperatedPlan }) {
  const { outcomes } = useDesk()
  const { running, queued, heldBy, label } = layer
  const outcome = outcomes.get(targetOf.layer(layer.layer))
  const isHeld = heldBy !== null
  const state = isHeld ? 'held' : running ? 'running' : 'free'
  return (
    <li className={`plan-layer plan-layer-${state}`} data-layer={label}>
      <div className="plan-layer-told">
        <p className="plan-layer-name">{label}</p>
        <p className="plan-layer-state">
          {isHeld ? `Held ${holder(heldBy)}` : running ? running.name : plan.isOn ? 'Free' : 'Off'}
          {queued.length > 0 && (
            <span className="plan-layer-queue"> · then {queued.map(({ name }) => name).join(', ')}</span>
          )}
        </p>
      </div>
      {running?.until && <Countdown at={running.until} />}
      {running && !running.until && <span className="plan-stays">stays</span>}
      <Button
        className={isHeld ? 'plan-hold plan-release' : 'plan-hold'}
        aria-disabled={!plan.isOn}
        aria-busy={outcome?.phase === 'sending'}
        onClick={() => plan.isOn && (isHeld ? plan.release(layer.layer) : plan.hold(layer.layer))}
      >
        {isHeld ? 'Release' : 'Hold'}
        <span className="visually-hidden"> {label}</span>
      </Button>
      {running?.until && <Bar key={`${running.since} ${running.until}`} since={running.since} until={running.until} />}
      {outcome?.phase === 'failed' && (
        <p className="failure" role="alert">
          {outcome.message}
        </p>
      )}
    </li>
  )
}

/** The time that a graphic has left, drawn by the browser alone: no script runs meanwhile. */
function Bar({ since, until }: { since: string; until: string }) {
  const { live } = useDesk()
  const lasts = Date.parse(until) - Date.parse(since)
  // as of its first look: the animation goes on from there
  const [gone] = useState(() => localNow() + live.serverOffsetMs - Date.parse(since))
  return (
    <span
      className="plan-left"
      aria-hidden="true"
      style={{ animationDuration: `${lasts}ms`, animationDelay: `${-Math.min(lasts, Math.max(0, gone))}ms` }}
    />
  )
}
