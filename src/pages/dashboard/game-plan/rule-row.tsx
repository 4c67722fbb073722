import { memo, type ReactNode, useId } from 'react'
import { ActionMenu } from '../../ui/action-menu.tsx'
import { DragHandle } from '../../ui/drag-handle.tsx'
import { SwitchControl } from '../../ui/switch.tsx'
import type { Ordering } from '../../ui/use-ordering.ts'
import type { FieldFaults } from '../worked-list/faults.ts'
import type { Draft } from './draft.ts'
import { type Names, type Part, sentenceOf } from './words.ts'

export type RowActions = {
  open(id: string, open: boolean): void
  change(id: string, change: Partial<Draft>): void
  duplicate(id: string): void
  remove(id: string): void
}

type Props = {
  rule: Draft
  place: string
  names: Names
  faults: FieldFaults | undefined
  /** Why the match that the plan is tried on never shows it. */
  neverShown: string | undefined
  isOpen: boolean
  mayChange: boolean
  actions: RowActions
  isDragged: boolean
  handleOf: Ordering['handleOf']
  /** The form of the rule, where it is open. */
  form: ReactNode
}

/** One rule as a sentence; open, its parts are inputs. */
export const RuleRow = memo(function RuleRow(props: Props) {
  const { rule, place, names, faults, neverShown, isOpen, mayChange, actions, isDragged, handleOf, form } = props
  const id = useId()
  const said = [...new Set(Object.values(faults ?? {}))]
  const classes = [
    'plan-rule',
    isOpen && 'plan-rule-open',
    isDragged && 'plan-rule-dragged',
    !rule.enabled && 'plan-rule-off',
  ]
  return (
    <li className={classes.filter(Boolean).join(' ')} data-id={rule.id}>
      <div className="plan-rule-head">
        {mayChange && <DragHandle name={rule.name} place={place} hint="plan-order-hint" handle={handleOf(rule.id)} />}
        <button
          type="button"
          className="plan-sentence"
          aria-expanded={isOpen}
          aria-controls={`${id}-form`}
          onClick={() => actions.open(rule.id, !isOpen)}
        >
          <span className="plan-rule-name">{rule.name}</span>
          <span className="plan-words">
            <Sentence parts={sentenceOf(rule, names)} />
          </span>
        </button>
        <div className="plan-rule-actions">
          {!mayChange && !rule.enabled && <span className="badge">Off</span>}
          {mayChange && (
            <>
              <SwitchControl
                aria-label={`${rule.name} is on`}
                checked={rule.enabled}
                onCheckedChange={(enabled) => actions.change(rule.id, { enabled })}
              />
              <ActionMenu
                of={rule.name}
                actions={[
                  { title: isOpen ? 'Close' : 'Change', onSelect: () => actions.open(rule.id, !isOpen) },
                  { title: 'Duplicate', onSelect: () => actions.duplicate(rule.id) },
                  { title: 'Remove', onSelect: () => actions.remove(rule.id), danger: true },
                ]}
              />
            </>
          )}
        </div>
      </div>
      {said.length > 0 && !isOpen && (
        <p className="field-error plan-rule-fault" role="alert">
          {said.map((text) => text.charAt(0).toUpperCase() + text.slice(1)).join('. ')}.
        </p>
      )}
      {said.length === 0 && rule.enabled && neverShown !== undefined && (
        <p className="plan-rule-fault plan-rule-never">Tried on a match, it is never shown: {neverShown}</p>
      )}
      <div id={`${id}-form`} hidden={!isOpen}>
        {isOpen && form}
      </div>
    </li>
  )
})

const Sentence = ({ parts }: { parts: readonly Part[] }) =>
  parts.map(({ text, look }, index) => {
    // the parts of a sentence have nothing but their place
    const key = `${index} ${text}`
    if (look === 'gap')
      return (
        <mark className="plan-gap" key={key}>
          {text}
        </mark>
      )
    return look === 'strong' ? <b key={key}>{text}</b> : <span key={key}>{text}</span>
  })
