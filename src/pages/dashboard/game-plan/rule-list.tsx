import { useCallback, useMemo, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { useOrdering } from '../../ui/use-ordering.ts'
import { Empty } from '../parts.tsx'
import type { Faults } from '../worked-list/faults.ts'
import { Removed } from '../worked-list/removed.tsx'
import { type Draft, newDraft } from './draft.ts'
import { goTo } from './go-to.ts'
import type { neverShown } from './lanes.ts'
import { onOneLayer } from './layers.ts'
import { type PlanPlace, RuleForm } from './rule-form.tsx'
import { type RowActions, RuleRow } from './rule-row.tsx'
import { TemplateDialog } from './template-dialog.tsx'
import { firstTrigger } from './trigger-fields.tsx'
import type { WorkedPlan } from './use-plan.ts'
import { changed, type Names } from './words.ts'

type Props = {
  plan: WorkedPlan
  /** What the server says of the plan as it is saved. */
  savedFaults: Faults
  /** What the match that the plan is tried on never shows. */
  never: ReturnType<typeof neverShown>
  place: PlanPlace
  names: Names
  mayChange: boolean
  announce: (text: string) => void
}

/** What was said last of a field goes first. */
const together = (saved: Faults, now: Faults): Faults =>
  Object.fromEntries(Object.keys({ ...saved, ...now }).map((id) => [id, { ...saved[id], ...now[id] }]))

/** The rules of a plan in their order, to be added, changed, moved, doubled and removed. */
export function RuleList({ plan, savedFaults, never, place, names, mayChange, announce }: Props) {
  const { rules, step, change } = plan
  const faults = useMemo(() => together(savedFaults, plan.faults), [savedFaults, plan.faults])
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [templating, setTemplating] = useState(false)
  const graphicOf = (presetId: number) => place.presets.find(presetId)?.graphicId
  const latest = useRef({ rules, names, graphicOf, change, step, announce })
  latest.current = { rules, names, graphicOf, change, step, announce }
  const find = (id: string) => latest.current.rules.find((rule) => rule.id === id)
  const toggle = useCallback((id: string, isOpen: boolean) => {
    setOpen((last) => {
      const next = new Set(last)
      if (isOpen) next.add(id)
      else next.delete(id)
      return next
    })
  }, [])
  const actions: RowActions = useMemo(() => {
    const named = (id: string) => latest.current.rules.find((rule) => rule.id === id)
    return {
      open: toggle,
      change(id, part) {
        const rule = named(id)
        if (!rule) return
        const { rules: all, graphicOf: of, names: called } = latest.current
        const next = changed(rule, part, called)
        const beside = all.map((one) => (one.id === id ? next : one))
        const [placed = next] = part.presetId === undefined ? [] : onOneLayer(beside, of, new Set([id]))
        latest.current.change(placed, Object.keys(part))
      },
      duplicate(id) {
        latest.current.step({ type: 'duplicate', id })
        latest.current.announce(`${named(id)?.name} is there twice now`)
      },
      remove(id) {
        latest.current.step({ type: 'remove', ids: [id] })
        latest.current.announce(`${named(id)?.name} is removed. It can be brought back`)
      },
    }
  }, [toggle])
  const ids = rules.map(({ id }) => id)
  const { list, dragged, handleOf } = useOrdering({
    ids,
    move: (id, to) => step({ type: 'move', id, to }),
    reorder: (all) => step({ type: 'order', ids: all }),
    announce,
    nameOf: (id) => find(id)?.name ?? 'The rule',
  })
  const layers = [...new Set(rules.flatMap(({ layer }) => layer ?? []))]
  const add = () => {
    const rule = newDraft(firstTrigger(place.sport))
    step({ type: 'add', items: [changed(rule, {}, names)] })
    toggle(rule.id, true)
    announce('A rule is added at the end')
    goTo(rule.id)
  }
  return (
    <>
      {mayChange && (
        <div className="form-actions">
          <Button {...(rules.length > 0 && { look: 'primary' })} onClick={add}>
            Add a rule
          </Button>
          <Button {...(rules.length === 0 && { look: 'primary' })} onClick={() => setTemplating(true)}>
            Start from a template…
          </Button>
        </div>
      )}
      {rules.length === 0 && (
        <Empty>
          <p>
            This plan has no rules yet, so nothing is shown by itself.
            {mayChange && ' Start from a template: it brings what a match of this sport usually shows.'}
          </p>
        </Empty>
      )}
      <p className="visually-hidden" id="plan-order-hint">
        Arrow keys move the rule up and down, Home and End to the top and the bottom. Of rules that fire at once and
        have the same priority, the upper one goes first.
      </p>
      <ol className={dragged ? 'plan-rules work-dragging' : 'plan-rules'} ref={list}>
        {rules.map((rule, index) => (
          <RuleRow
            key={rule.id}
            rule={rule}
            place={`${index + 1} of ${rules.length}`}
            names={names}
            faults={faults[rule.id]}
            neverShown={never.get(rule.id)?.why}
            isOpen={mayChange && open.has(rule.id)}
            mayChange={mayChange}
            actions={actions}
            isDragged={dragged === rule.id}
            handleOf={handleOf}
            form={
              open.has(rule.id) && (
                <RuleForm
                  rule={rule}
                  place={place}
                  layers={layers}
                  faults={faults[rule.id]}
                  isNeverShown={never.has(rule.id)}
                  onChange={(part: Partial<Draft>) => actions.change(rule.id, part)}
                  onClose={() => toggle(rule.id, false)}
                />
              )
            }
          />
        ))}
      </ol>
      <Removed removed={plan.removed} of="rules" onUndo={() => step({ type: 'restore' })} />
      {templating && (
        <TemplateDialog
          place={place}
          names={names}
          onAdd={(added) => {
            step({ type: 'add', items: added })
            for (const item of onOneLayer([...rules, ...added], graphicOf)) step({ type: 'change', item })
            announce(`${added.length} rules are added`)
            if (rules.length > 0) goTo(added[0]?.id)
          }}
          onClose={() => setTemplating(false)}
        />
      )}
    </>
  )
}
