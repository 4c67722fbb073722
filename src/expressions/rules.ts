import { BrokenExpression, compile } from './compile.ts'
import { MAX_SET_PATTERN_STEPS, type UserExpression } from './expression-set.ts'

/** User expressions of one graphic. */
export const MAX_EXPRESSIONS = 100

/** What an object of JavaScript would not hold as it is: expressions could not read such a member, or what is beside it. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Every rule that the user expressions of a graphic break, as sentences. spec: Code graphic invalid */
export function brokenExpressionRules(expressions: readonly UserExpression[]): string[] {
  if (expressions.length > MAX_EXPRESSIONS) return [`a graphic has at most ${MAX_EXPRESSIONS} user expressions`]
  const [names, ids] = [new Set<string>(), new Set<string>()]
  let patternSteps = MAX_SET_PATTERN_STEPS
  return expressions.flatMap(({ id, name, expression }) => {
    const source = compiledSource(expression, names, patternSteps)
    const { rules } = source
    patternSteps -= source.patternSteps
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
    const { uses, brokenPatterns, patternSteps } = compile(source, allowedPatternSteps)
    const unknown = [...uses].filter((name) => !before.has(name))
    const unread = unknown.map((name) => `expressions.${name} is read, but no expression before it has this name`)
    return { rules: [...brokenPatterns, ...unread], patternSteps }
  } catch (error) {
    if (error instanceof BrokenExpression) return { rules: [error.message], patternSteps: 0 }
    throw error
  }
}
