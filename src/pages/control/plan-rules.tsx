import { Countdown } from './countdown.tsx'
import { type OperatedPlan, targetOf, useDesk } from './desk.ts'
import type { Rule } from './model.ts'
import { holder } from './plan-words.ts'

/** The rules of the game plan, each a button that fires it now. */
export function PlanRules({ plan }: { plan: OperatedPlan }) {
  return (
    <div className="plan">
      <ul className="plan-rules">
        {plan.rules.map((rule) => (
          <RuleButton key={rule.id} rule={rule} plan={plan} />
        ))}
      </ul>
    </div>
  )
}

function RuleButton({
  rule: { id, name, enabled, layer, presetId, problem },
  plan,
}: {
  rule: Rule
  plan: OperatedPlan
}) {
  const { room, outcomes } = useDesk()
  const outcome = outcomes.get(targetOf.rule(id))
  const on = plan.layers.find((one) => one.layer === layer)
  const running = on?.running?.ruleId === id ? on.running : undefined
  const preset = room.presets.find((one) => one.id === presetId)
  return (
    <li>
      <button
        type="button"
        className={running ? 'plan-fire plan-fire-running' : 'plan-fire'}
        aria-disabled={!plan.isOn}
        aria-busy={outcome?.phase === 'sending'}
        onClick={() => plan.isOn && plan.fire(id)}
      >
        <span className="plan-fire-told">
          <span className="plan-fire-name">
            <span className="visually-hidden">Fire </span>
            {name}
          </span>
          <span className="plan-fire-about">
            {running ? (
              'On air'
            ) : (
              <>
                {problem ?? preset?.name}
                {!enabled && ' · off in the plan'}
                {enabled && on?.heldBy && ` · held ${holder(on.heldBy)}`}
              </>
            )}
          </span>
        </span>
        {running?.until && <Countdown at={running.until} />}
      </button>
      {outcome?.phase === 'failed' && (
        <p className="failure" role="alert">
          {outcome.message}
        </p>
      )}
    </li>
  )
}
