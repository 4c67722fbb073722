import { Button } from '../../ui/button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { foreignChanges } from './merge.ts'
import type { WorkedPlan } from './use-plan.ts'

/** Somebody else has saved the plan meanwhile: what they did, and how to go on. */
export function Conflict({ plan: { base, theirs, merge, takeTheirs } }: { plan: WorkedPlan }) {
  if (!theirs) return null
  const { added, changed, removed, reordered } = foreignChanges(base.rules, theirs.rules)
  const done = [
    ['Added', added],
    ['Changed', changed],
    ['Removed', removed],
  ] as const
  return (
    <div className="notice notice-bad plan-conflict" role="alert">
      <p>
        <b>Somebody else has saved this plan</b> (<Moment at={theirs.updatedAt} seconds />) while you worked at it. What
        you did is still here, and not saved yet.
      </p>
      <ul>
        {done.map(([what, names]) => names.length > 0 && <li key={what}>{`${what}: ${names.join(', ')}`}</li>)}
        {reordered && <li>Put into another order</li>}
      </ul>
      <div className="form-actions">
        <Button small look="primary" onClick={merge}>
          Keep both
        </Button>
        <Button small onClick={takeTheirs}>
          Drop mine, take theirs
        </Button>
      </div>
      <p className="field-hint">
        Keep both takes their rules and yours; a rule that both of you changed is as you have it.
      </p>
    </div>
  )
}
