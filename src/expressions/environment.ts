import { Environment } from '@marcbachmann/cel-js'
import { HELPERS, type Numeric } from './functions.ts'
import { RULE_SCOPE, SCOPE } from './scope.ts'

/** Nodes of one expression, and how deep they may nest. */
const LIMITS = { maxAstNodes: 500, maxDepth: 40, maxListElements: 200, maxMapEntries: 100, maxCallArguments: 8 }

const ARITHMETIC: Readonly<Record<string, (one: number, other: number) => number>> = {
  '+': (one, other) => one + other,
  '-': (one, other) => one - other,
  '*': (one, other) => one * other,
  '/': (one, other) => one / other,
  '%': (one, other) => one % other,
}

/**
 * CEL with numbers as JSON has them: whole numbers that an expression writes and numbers from data count together, and join
 * texts. Every name of the scope is known, whatever it holds.
 */
function createEnvironment(scope: readonly string[]): Environment {
  const environment = new Environment({
    homogeneousAggregateLiterals: false,
    enableOptionalTypes: true,
    limits: LIMITS,
  })
  for (const name of scope) environment.registerVariable(name, 'dyn')
  for (const [operator, compute] of Object.entries(ARITHMETIC)) {
    const handler = (one: Numeric, other: Numeric) => compute(Number(one), Number(other))
    environment.registerOperator(`double ${operator} int: double`, handler)
    environment.registerOperator(`int ${operator} double: double`, handler)
  }
  environment.registerOperator('double % double: double', (one: number, other: number) => one % other)
  for (const type of ['double', 'int', 'bool']) {
    const handler = (one: unknown, other: unknown) => `${one}${other}`
    environment.registerOperator(`string + ${type}: string`, handler)
    environment.registerOperator(`${type} + string: string`, handler)
  }
  for (const { signatures, handler } of HELPERS)
    for (const signature of signatures) environment.registerFunction(signature, handler)
  return environment
}

export const environment = createEnvironment(SCOPE)
export const ruleEnvironment = createEnvironment(RULE_SCOPE)
