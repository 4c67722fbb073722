import { Tabs as Parts } from 'radix-ui'
import { type Shown, useDesk } from './desk.ts'
import { PlanPanel } from './plan-panel.tsx'
import { PlanRules } from './plan-rules.tsx'
import { Schedule } from './schedule.tsx'
import { PLAN_PANEL_KEY, RULES_KEY, SCHEDULE_KEY } from './use-keys.ts'
import { ValuesPanel } from './values-panel.tsx'

/** Beside the presets: the values of the selected one, what is scheduled, or the game plan where there is one. A sheet where there is no room. */
export function SidePanel() {
  const { live, mode, plan, side } = useDesk()
  const planned = live.scheduled.length
  const hasSchedule = mode === 'preview' || planned > 0 || side.shows === 'schedule'
  if (!plan && !hasSchedule) return <ValuesPanel open={side.isOpen} onClose={side.close} />
  return (
    <Parts.Root
      className="side-panel"
      data-open={side.isOpen}
      value={side.shows}
      onValueChange={(shows) => side.show(shows as Shown)}
    >
      <Parts.List className="side-tabs" aria-label="Beside the presets">
        <Parts.Trigger className="side-tab" value="values" aria-keyshortcuts="V">
          Values
          <Key>V</Key>
        </Parts.Trigger>
        {hasSchedule && (
          <Parts.Trigger className="side-tab" value="schedule" aria-keyshortcuts={SCHEDULE_KEY}>
            Schedule
            {planned > 0 && <span className="side-count tabular">{planned}</span>}
            <Key>{SCHEDULE_KEY}</Key>
          </Parts.Trigger>
        )}
        {plan && (
          <>
            <Parts.Trigger className="side-tab" value="plan" aria-keyshortcuts={PLAN_PANEL_KEY}>
              Game plan
              <Key>{PLAN_PANEL_KEY}</Key>
            </Parts.Trigger>
            <Parts.Trigger className="side-tab" value="rules" aria-keyshortcuts={RULES_KEY}>
              Fire a rule
              <Key>{RULES_KEY}</Key>
            </Parts.Trigger>
          </>
        )}
        {/* the values have their own */}
        {side.shows !== 'values' && (
          <button type="button" className="side-close" onClick={side.close}>
            Close
          </button>
        )}
      </Parts.List>
      <Parts.Content className="side-content" value="values">
        <ValuesPanel open onClose={side.close} />
      </Parts.Content>
      {hasSchedule && (
        <Parts.Content className="side-content" value="schedule">
          <Schedule />
        </Parts.Content>
      )}
      {plan && (
        <>
          <Parts.Content className="side-content" value="plan">
            <PlanPanel plan={plan} />
          </Parts.Content>
          <Parts.Content className="side-content" value="rules">
            <PlanRules plan={plan} />
          </Parts.Content>
        </>
      )}
    </Parts.Root>
  )
}

function Key({ children }: { children: string }) {
  return (
    <span className="key" aria-hidden="true">
      {children}
    </span>
  )
}
