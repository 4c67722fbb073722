import { EvaluationError, ParseError, TypeError as TypeProblem } from '@marcbachmann/cel-js'
import { bounded, budget, TooCostly } from './budget.ts'
import { chargeEqual, chargeIn } from './comparison.ts'
import { environment, ruleEnvironment } from './environment.ts'
import { type Unescaped, withEscapes } from './escapes.ts'
import { join, matches } from './functions.ts'
import {
  comparedBy,
  forget,
  isCall,
  loopOf,
  memberOf,
  methodOf,
  type Node,
  nameOf,
  partsOf,
  textOf,
  treeOf,
} from './nodes.ts'
import { MAX_PATTERN_STEPS, prepare } from './patterns.ts'
import { type Json, plain } from './plain.ts'
import { complete, type Scope } from './scope.ts'

/** Characters of the source of one expression. */
export const MAX_SOURCE = 2_000
/** Loops inside loops: `facts.map(f, players.filter(p, …))` are two. */
export const MAX_LOOPS = 2

/** The fault in the source of an expression, as a sentence. */
export class BrokenExpression extends Error {}

export type Compiled = {
  /** The names that it reads, those of its own loops too. */
  readonly names: ReadonlySet<string>
  /** The names of other user expressions that it reads. */
  readonly uses: ReadonlySet<string>
  /** The faults of patterns that are written out in it, as sentences: evaluation fails where it comes to them. */
  readonly brokenPatterns: readonly string[]
  /** Of its tree. */
  readonly nodes: number
  /** The cost of compiling its patterns, in steps. */
  readonly patternSteps: number
  /** Throws when the expression fails on this data; TooCostly when it takes too long. */
  evaluate(scope: Scope): Json
}

/**
 * Compiles an expression, and the patterns that are written out in it when they take at most so many steps: its evaluations
 * have none to compile but those that it puts together. Throws BrokenExpression. spec: UserExpression
 */
export const compile = (source: string, allowedPatternSteps = MAX_PATTERN_STEPS): Compiled =>
  compiled(source, allowedPatternSteps, false)

/** The same for an expression of a rule of a game plan, which sees the sport data and its `fact`. */
export const compileRule = (source: string): Compiled => compiled(source, MAX_PATTERN_STEPS, true)

function compiled(source: string, allowedPatternSteps: number, ofRule: boolean): Compiled {
  if (source.length > MAX_SOURCE) throw new BrokenExpression(`longer than ${MAX_SOURCE} characters`)
  const unescaped = withEscapes(source)
  const parsed = explained(unescaped, () => (ofRule ? ruleEnvironment : environment).parse(unescaped.text))
  const nodes = new Set<Node>()
  visit(treeOf(parsed.ast), 0, nodes)
  for (const node of nodes) {
    if (node.op === '?:') letBranchesDiffer(node)
    if (methodOf(node)?.name === 'join') letItemsDiffer(node)
  }
  explained(unescaped, () => {
    const { error } = parsed.check()
    if (error) throw error
  })
  for (const node of nodes) meter(node)
  for (const node of nodes) meterComparison(node)
  const uses = new Set([...nodes].flatMap((node) => memberOf(node, 'expressions') ?? []))
  const naming = [...nodes].filter((node) => loopOf(node) || node.meta.macro)
  return {
    names: new Set([...nodes].flatMap((node) => nameOf(node) ?? [])),
    uses,
    nodes: nodes.size,
    ...preparedPatterns(nodes, Math.min(allowedPatternSteps, MAX_PATTERN_STEPS)),
    evaluate(scope) {
      try {
        return evaluate(() => parsed(complete(scope, ofRule)))
      } finally {
        for (const node of naming) forget(node)
      }
    },
  }
}

function evaluate(run: () => unknown): Json {
  budget.start()
  try {
    const result = plain(run())
    // `||`, `&&` and the quantifiers go on after an error of one of their sides
    if (!budget.spent) return result
  } catch (error) {
    if (!budget.spent) throw new Error(problemOf(error))
  }
  throw new TooCostly('takes too long')
}

const problemOf = (error: unknown) =>
  error instanceof EvaluationError || error instanceof TypeProblem || error instanceof ParseError
    ? error.summary
    : error instanceof Error
      ? error.message
      : String(error)

function explained<T>({ placeOf }: Unescaped, run: () => T): T {
  try {
    return run()
  } catch (error) {
    const start = error instanceof ParseError || error instanceof TypeProblem ? error.range?.start : undefined
    const at = start === undefined ? '' : ` (at character ${placeOf(start) + 1})`
    throw new BrokenExpression(`${problemOf(error)}${at}`)
  }
}

function visit(node: Node, loops: number, seen: Set<Node>): void {
  if (seen.has(node)) return
  seen.add(node)
  const loop = loopOf(node)
  if (loop && loops >= MAX_LOOPS) throw new BrokenExpression(`more than ${MAX_LOOPS} loops inside each other`)
  for (const part of partsOf(node)) visit(part, part === loop?.step ? loops + 1 : loops, seen)
}

/** `found ? name : null` is what people write; the library wants one type for both. */
function letBranchesDiffer(node: Node): void {
  const { check } = node.meta
  if (!check) return
  node.setMeta('check', (checker, ternary, context) => {
    try {
      return check(checker, ternary, context)
    } catch (error) {
      if (error instanceof TypeProblem && error.code === 'incompatible_ternary_branches') return checker.dynType
      throw error
    }
  })
}

/** Numbers are joined as they are; the library wants a list of texts. */
function letItemsDiffer(node: Node): void {
  node.setMeta('check', (checker, call, context) => {
    for (const part of methodOf(call)?.parts ?? []) checker.check(part, context)
    return checker.stringType
  })
}

type Method = (...given: never[]) => unknown
/** Methods of the library that are not safe with strangers' texts: JavaScript's patterns can take for ever. */
const OWN: Readonly<Record<string, Method>> = { matches, join }

/** Compiles the patterns that are written out. One that is broken fails only where an evaluation comes to it. */
function preparedPatterns(nodes: Iterable<Node>, allowedSteps: number) {
  const patterns = new Set<string>()
  for (const node of nodes) {
    const method = methodOf(node)
    const pattern = method?.name === 'matches' && method.parts[1] ? textOf(method.parts[1]) : undefined
    if (pattern !== undefined) patterns.add(pattern)
  }
  const brokenPatterns: string[] = []
  let patternSteps = 0
  for (const pattern of patterns)
    try {
      patternSteps += prepare(pattern, allowedSteps - patternSteps)
    } catch (error) {
      brokenPatterns.push(`matches(): ${problemOf(error)}`)
    }
  return { brokenPatterns, patternSteps }
}

/** Makes every evaluation of the node count, and its result be of a size to go on with. */
function meter(node: Node): void {
  const { evaluate } = node.meta
  if (!evaluate) return
  const method = methodOf(node)
  const own = method && Object.hasOwn(OWN, method.name) ? OWN[method.name] : undefined
  const run: typeof evaluate =
    method && own
      ? (evaluator, _, context) => own(...(method.parts.map((part) => evaluator.run(part, context)) as never[]))
      : evaluate
  const isLong = isCall(node)
  node.setMeta('evaluate', (evaluator, one, context) => {
    budget.spend(1)
    const value = bounded(run(evaluator, one, context))
    if (isLong) budget.look()
    return value
  })
}

/** Charges a comparison for the size of its two sides, once both sides are there. */
function meterComparison(node: Node): void {
  const compared = comparedBy(node)
  if (!compared) return
  const { parts, isIn } = compared
  const [left, right] = parts.map(({ meta }) => meta.evaluate)
  if (!left || !right) return
  const charge = isIn ? chargeIn : chargeEqual
  let one: unknown
  parts[0].setMeta('evaluate', (evaluator, part, context) => {
    one = left(evaluator, part, context)
    return one
  })
  parts[1].setMeta('evaluate', (evaluator, part, context) => {
    const other = right(evaluator, part, context)
    charge(one, other)
    one = undefined
    return other
  })
}
