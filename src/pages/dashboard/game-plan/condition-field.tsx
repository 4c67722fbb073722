import { useId } from 'react'
import { sourceOf, wordsOfPhrase } from '../../ui/conditions.ts'
import type { Draft } from './draft.ts'
import { conditionsFor, conditionWords } from './phrases.ts'

/** The condition of a rule beside its trigger: taken from a list in words, or written. */
export function ConditionField({
  rule,
  fault,
  onChange,
}: {
  rule: Draft
  fault: string | undefined
  onChange: (condition: string | undefined) => void
}) {
  const id = useId()
  const { condition = '', trigger } = rule
  const offered = conditionsFor(trigger)
  const add = (words: string) => {
    const phrase = offered.find((one) => one.words === words)
    if (phrase) onChange(condition.trim() === '' ? sourceOf(phrase) : `${condition.trim()} && ${sourceOf(phrase)}`)
  }
  return (
    <div className="field plan-condition">
      <label className="field-label" htmlFor={id}>
        Only if
      </label>
      <div className="plan-condition-row">
        <select
          className="input input-auto"
          aria-label="Add a condition"
          value=""
          onChange={({ target }) => add(target.value)}
        >
          <option value="">{condition.trim() === '' ? 'choose a condition…' : 'and…'}</option>
          {offered.map((phrase) => (
            <option key={phrase.words} value={phrase.words}>
              {wordsOfPhrase(phrase)}
            </option>
          ))}
        </select>
        <textarea
          className="input mono"
          id={id}
          rows={Math.min(4, 1 + Math.floor(condition.length / 70))}
          spellCheck={false}
          placeholder="Always"
          value={condition}
          aria-invalid={fault !== undefined}
          aria-describedby={`${id}-hint${fault ? ` ${id}-fault` : ''}`}
          onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
        />
      </div>
      <p className="field-hint" id={`${id}-hint`}>
        {condition.trim() !== '' && <>Fires only if {conditionWords(condition)}. </>}
        Take one from the list and change its number, or write your own:{' '}
        <a href="/docs/expressions" target="_blank" rel="noreferrer">
          how to
        </a>
        .
      </p>
      {fault && (
        <p className="field-error" id={`${id}-fault`} role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}
