import { timeOfDay } from '../ui/elapsed.ts'
import { SwitchControl } from '../ui/switch.tsx'
import { Countdown } from './countdown.tsx'
import { type OperatedPlan, targetOf, useDesk } from './desk.ts'
import { PlanLayerRow } from './plan-layer.tsx'
import { behind, outcomesOf, worded } from './plan-words.ts'

const NEXT_SHOWN = 4
const OUTCOMES_SHOWN = 30

/** All that the game plan does, and what an operator may say to it. */
export function PlanPanel({ plan }: { plan: OperatedPlan }) {
  return (
    <div className="plan">
      <Automatic plan={plan} />
      <CannotRun plan={plan} />
      <section className="plan-part" aria-labelledby="plan-layers">
        <h3 id="plan-layers">Layers</h3>
        <ul className="plan-layers">
          {plan.layers.map((layer) => (
            <PlanLayerRow key={layer.layer} layer={layer} plan={plan} />
          ))}
        </ul>
      </section>
      {plan.isOn && <Coming plan={plan} />}
      <Outcomes plan={plan} />
    </div>
  )
}

function Automatic({ plan }: { plan: OperatedPlan }) {
  const { outcomes } = useDesk()
  return (
    <div className="plan-switch">
      <div>
        <label className="field-label" htmlFor="plan-automatic">
          Automatic
        </label>
        {!plan.isOn && <p>The plan shows nothing. What is on air stays.</p>}
      </div>
      <SwitchControl
        id="plan-automatic"
        checked={plan.isOn}
        aria-busy={outcomes.get(targetOf.plan)?.phase === 'sending'}
        onCheckedChange={(on) => plan.switchTo(on)}
      />
    </div>
  )
}

/** The rules that would be passed over, told before the match and not only when their time comes. */
function CannotRun({ plan }: { plan: OperatedPlan }) {
  const broken = plan.rules.filter(({ enabled, problem }) => enabled && problem !== null)
  if (broken.length === 0) return null
  return (
    <section className="plan-part" aria-labelledby="plan-cannot">
      <h3 id="plan-cannot">Cannot run</h3>
      <ul className="plan-outcomes">
        {broken.map(({ id, name, problem }) => (
          <li key={id}>
            <span>
              <b>{name}</b> {problem}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Coming({ plan }: { plan: OperatedPlan }) {
  const next = plan.state?.next ?? []
  if (next.length === 0) return null
  return (
    <section className="plan-part" aria-labelledby="plan-coming">
      <h3 id="plan-coming">Comes next</h3>
      <ol className="plan-coming">
        {next.slice(0, NEXT_SHOWN).map(({ ruleId, name, at }) => (
          <li key={`${ruleId} ${at}`}>
            <span>{name}</span>
            <Countdown at={at} label="in " />
          </li>
        ))}
      </ol>
    </section>
  )
}

function Outcomes({ plan }: { plan: OperatedPlan }) {
  const outcomes = outcomesOf(plan.state?.recent ?? []).slice(0, OUTCOMES_SHOWN)
  return (
    <section className="plan-part" aria-labelledby="plan-outcomes">
      <h3 id="plan-outcomes">What it did</h3>
      {outcomes.length === 0 && <p className="plan-none">Nothing yet.</p>}
      <ol className="plan-outcomes">
        {outcomes.map((one) => (
          <li key={`${one.at} ${one.ruleId} ${one.factId} ${one.outcome}`} className={`plan-${one.outcome}`}>
            <time className="tabular" dateTime={one.at}>
              {timeOfDay(Date.parse(one.at))}
            </time>
            <span>
              <b>{one.name}</b> {worded(one, behind(one.ruleId, plan))}
              {one.times > 1 && <span className="plan-tag">{one.times} times</span>}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
