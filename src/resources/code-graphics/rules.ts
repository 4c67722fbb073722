import type { z } from 'zod'
import { brokenExpressionRules, RESERVED_NAMES } from '../../expressions/rules.ts'
import { wrongValue } from '../control-variables.ts'
import { isSafePath } from './file-rules.ts'
import { repeated } from './repeated.ts'
import type { CodeStateMachine, ControlVariable } from './schema.ts'

export type StateMachine = z.output<typeof CodeStateMachine>

/** The entry of a bundle when the state machine names none. */
export const entryOf = (stateMachine: StateMachine) => stateMachine.runtime?.entry ?? 'index.html'

/** Every rule that a state machine breaks, as sentences. spec: Code graphic invalid */
export function brokenStateMachineRules(stateMachine: StateMachine): string[] {
  const variables = stateMachine.controlVariables ?? []
  const entry = entryOf(stateMachine)
  return [
    ...(isSafePath(entry) ? [] : [`${entry}: the entry is not a relative path inside the bundle`]),
    ...repeated(variables.map(({ name }) => name)).map((name) => `control variable ${name}: the name is used twice`),
    ...repeated(variables.map(({ id }) => id)).map((id) => `control variable id ${id} is used twice`),
    ...variables.flatMap((variable) =>
      faultsOf(variable).map(({ rule }) => `control variable ${variable.name}: ${rule}`),
    ),
    ...brokenExpressionRules(stateMachine.userExpressions ?? []),
  ]
}

/** Every rule that a control variable breaks by itself, with the member that breaks it. */
export function faultsOf({ name, type, options, defaultValue }: z.output<typeof ControlVariable>) {
  const faults: { member: 'name' | 'options' | 'defaultValue'; rule: string }[] = []
  if (RESERVED_NAMES.has(name)) faults.push({ member: 'name', rule: 'the name is reserved' })
  if (type === 'enum' && !options?.length) faults.push({ member: 'options', rule: 'an enum needs options' })
  for (const option of repeated(options ?? []))
    faults.push({ member: 'options', rule: `the option ${option} is there twice` })
  const variable = { name, type, ...(options && { options }) }
  const wrong = defaultValue === undefined ? undefined : wrongValue(variable, defaultValue)
  if (wrong !== undefined) faults.push({ member: 'defaultValue', rule: `the default is wrong: ${wrong}` })
  return faults
}
