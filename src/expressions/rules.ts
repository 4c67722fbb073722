import { BrokenExpression, compile } from './compile.ts'
import { MAX_SET_PATTERN_STEPS, type UserExpression } from './expression-set.ts'

/** User expressions of one graphic. */
export const MAX_EXPRESSIONS = 100
/** Nodes of all of them: a save checks them at once, in a tenth of a second at most. */
export const MAX_SET_NODES = 10_000

/** Names that an object of JavaScript would not hold as they are: expressions could not read such a member, or those beside it. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Every rule that the user expressions of a graphic break, as sentences. spec: Code graphic invalid */
export function brokenExpressionRules(expressions: readonly UserExpression[]): string[] {
  if (expressions.length > MAX_EXPRESSIONS) return [`a graphic has at most ${MAX_EXPRESSIONS} user expressions`]
  const [names, ids] = [new Set<string>(), new Set<string>()]
  let patternSteps = MAX_SET_PATTERN_STEPS
  let nodes = 0
  return expressions.flatMap(({ id, name, expression }) => {
    if (nodes > MAX_SET_NODES) return []
    const source = compiledSource(expression, names, patternSteps)
    const { rules } = source
    patternSteps -= source.patternSteps
    nodes += source.nodes
    if (nodes > MAX_SET_NODES) rules.push(`with those before it, it has more than ${MAX_SET_NODES} nodes`)
    if (name === '') rules.push('the name is empty')
    if (RESERVED_NAMES.has(name)) rules.push('the name is reserved')
    if (names.has(name)) rules.push('the name is used twice')
    const twice = ids.has(id) ? [`user expression id ${id} is used twice`] : []
    names.add(name)
    ids.add(id)
    return [...rules.map((rule) => `user expression ${name || id}: ${rule}`), ...twice]
  })
}

/** Every rule that one expression breaks, as sentences, when it may read those of these names. */
export const brokenSource = (source: string, before: ReadonlySet<string>): string[] =>
  compiledSource(source, before).rules

function compiledSource(source: string, before: ReadonlySet<string>, allowedPatternSteps?: number) {
  try {
    const { uses, brokenPatterns, patternSteps, nodes } = compile(source, allowedPatternSteps)
    const unknown = [...uses].filter((name) => !before.has(name))
    const unread = unknown.map((name) => `expressions.${name} is read, but no expression before it has this name`)
    return { rules: [...brokenPatterns, ...unread], patternSteps, nodes }
  } catch (error) {
    if (error instanceof BrokenExpression) return { rules: [error.message], patternSteps: 0, nodes: 0 }
    throw error
  }
}
