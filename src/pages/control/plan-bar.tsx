import { Button } from '../ui/button.tsx'
import { useNow } from '../ui/use-now.ts'
import { Countdown } from './countdown.tsx'
import { type Desk, targetOf, useDesk } from './desk.ts'
import { alertOf, behind, worded } from './plan-words.ts'
import { PLAN_KEY } from './use-keys.ts'

/** Whether the overlay runs by itself, the key that stops it, what comes next, and what did not come. */
export function PlanBar() {
  const { live, plan, outcomes, openPlan } = useDesk()
  if (!plan) return null
  const { state, layers } = plan
  const held = layers.filter(({ heldBy }) => heldBy !== null).length
  const phase = plan.isOn ? (state?.paused ? 'paused' : 'on') : 'off'
  const outcome = outcomes.get(targetOf.plan)
  const [next] = state?.next ?? []
  return (
    <section className={`plan-bar plan-bar-${phase}`} aria-label="Game plan">
      <p className="plan-lamp" role="status">
        <span className="visually-hidden">Game plan: </span>
        {PHASES[phase]}
      </p>
      {plan.isOn ? (
        <Button
          className={state?.paused ? 'plan-resume' : 'plan-pause'}
          aria-busy={outcome?.phase === 'sending'}
          aria-keyshortcuts={PLAN_KEY}
          onClick={() => plan.pauseOrResume()}
        >
          {state?.paused ? 'Resume' : 'Pause'}
          <span className="key" aria-hidden="true">
            {PLAN_KEY}
          </span>
        </Button>
      ) : (
        <Button aria-busy={outcome?.phase === 'sending'} onClick={() => plan.switchTo(true)}>
          Switch on
        </Button>
      )}
      <div className="plan-bar-told">
        {outcome?.phase === 'failed' ? (
          <p className="failure" role="alert">
            {outcome.message}
          </p>
        ) : (
          plan.isOn && (
            <>
              {next && !state?.paused && (
                <p className="plan-next">
                  <span className="plan-word">Next</span> <b>{next.name}</b> <Countdown at={next.at} label="in " />
                </p>
              )}
              <Alert plan={plan} live={live} />
            </>
          )
        )}
      </div>
      {plan.isOn && held > 0 && (
        <Button
          className="plan-release"
          aria-busy={outcomes.get(targetOf.layers)?.phase === 'sending'}
          onClick={() => plan.release()}
        >
          Release
          <span className="plan-release-what">
            {held === 1 ? layers.find(({ heldBy }) => heldBy !== null)?.label : `all ${held}`}
          </span>
        </Button>
      )}
      <Button className="plan-open" onClick={() => openPlan('plan')}>
        Plan
      </Button>
    </section>
  )
}

const PHASES = { on: 'Auto', paused: 'Paused', off: 'Auto off' } as const

const ALERT_MS = 60_000

/** For a minute, what an operator may not have meant. */
function Alert({ plan, live }: { plan: NonNullable<Desk['plan']>; live: Desk['live'] }) {
  const alert = alertOf(plan.state?.recent ?? [], plan.rules)
  const now = useNow(live.serverOffsetMs, alert !== undefined && live.connection === 'connected')
  if (!alert || now - Date.parse(alert.at) > ALERT_MS) return null
  return (
    <p className="plan-alert">
      <b>{alert.name}</b> {worded(alert, behind(alert.ruleId, plan))}
    </p>
  )
}
