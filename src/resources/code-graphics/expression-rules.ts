import type { z } from 'zod'
import { repeated } from './repeated.ts'
import type { UserExpression } from './schema.ts'

/** Every rule that the user expressions of a state machine break, as sentences. spec: Motion graphics 26, 28 */
export function brokenExpressionRules(expressions: readonly z.output<typeof UserExpression>[]): string[] {
  const names = expressions.map(({ name }) => name)
  return [
    ...repeated(names).map((name) => `user expression ${name}: the name is used twice`),
    ...repeated(expressions.map(({ id }) => id)).map((id) => `user expression id ${id} is used twice`),
    ...names.filter((name) => name === '__proto__').map((name) => `user expression ${name}: the name is reserved`),
  ]
}
