import { MAX_SET_MS, Stopwatch, TooCostly } from './budget.ts'
import { BrokenExpression, type Compiled, compile } from './compile.ts'
import type { Json } from './plain.ts'
import type { Scope } from './scope.ts'

/** spec: UserExpression */
export type UserExpression = { id: string; name: string; expression: string }

/** The result of an expression on some data. A failure is data: the value is null then. */
export type Evaluated = UserExpression & { value: Json; ok: boolean; error: string | null }

/** Steps of compiling the patterns that are written out in all of them, ahead of their evaluations. */
export const MAX_SET_PATTERN_STEPS = 20_000

export type Log = { warn(fields: object, message: string): void }

/** How long an expression that took too long is null without being tried; doubles each time, up to a day. */
const FIRST_REST_MS = 60_000
const LONGEST_REST_MS = 86_400_000

type Member = {
  written: UserExpression
  compiled: Compiled | undefined
  problem: string
  /** The expression took more than its share when the set last was late, too. */
  suspect: boolean
  restMs: number
  until: number
}

/**
 * The user expressions of one version of a graphic, in their order: each sees those before it as `expressions.<name>`.
 * Nothing in them can throw or hold up the process. They are compiled by `prepare`, or when they are first evaluated.
 * spec: UserExpression
 */
export class ExpressionSet {
  readonly #written: readonly UserExpression[]
  readonly #members: Member[] = []
  readonly #log: Log | undefined
  #patternSteps = MAX_SET_PATTERN_STEPS

  constructor(expressions: readonly UserExpression[], log?: Log) {
    this.#written = expressions
    this.#log = log
  }

  /** Compiles them ahead of the first evaluation, which may be in the middle of others' work; `breathe` between any two. */
  async prepare(breathe: () => Promise<void>): Promise<void> {
    while (this.#compileNext()) await breathe()
  }

  #compileNext(): boolean {
    const next = this.#written[this.#members.length]
    if (!next) return false
    const member = memberOf(next, this.#patternSteps)
    this.#patternSteps -= member.compiled?.patternSteps ?? 0
    this.#members.push(member)
    return true
  }

  /** With `before` each sees those values as `expressions`, and none of the others of its own set. */
  evaluate(scope: Scope, before?: Readonly<Record<string, Json>>): Evaluated[] {
    while (this.#compileNext());
    const own: Record<string, Json> = Object.create(null)
    const expressions = before ?? own
    const known = { ...scope, expressions }
    const stopwatch = new Stopwatch(MAX_SET_MS)
    const heavy = new Set<Member>()
    const found = this.#members.map((member) => {
      const startedAt = performance.now()
      const one = stopwatch.late() ? failed(member, 'those before it took too long') : this.#one(member, known)
      if (performance.now() - startedAt > MAX_SET_MS / this.#members.length) heavy.add(member)
      own[one.name] = one.value
      return one
    })
    if (stopwatch.late()) this.#judge(heavy)
    return found
  }

  /**
   * Each was quick enough by itself: without those that took more than their share the others are. Only one that did so
   * twice running rests, for the first time may have been another process's.
   */
  #judge(heavy: ReadonlySet<Member>): void {
    for (const member of this.#members) {
      if (heavy.has(member) && member.suspect) this.#rest(member)
      member.suspect = heavy.has(member)
    }
  }

  #one(member: Member, scope: Scope): Evaluated {
    if (!member.compiled) return failed(member, member.problem)
    if (performance.now() < member.until) return failed(member, 'took too long; it is tried again later')
    try {
      return { ...member.written, value: member.compiled.evaluate(scope), ok: true, error: null }
    } catch (error) {
      if (error instanceof TooCostly) this.#rest(member)
      return failed(member, error instanceof Error ? error.message : String(error))
    }
  }

  #rest(member: Member): void {
    if (performance.now() < member.until) return
    member.restMs = Math.min(member.restMs === 0 ? FIRST_REST_MS : member.restMs * 2, LONGEST_REST_MS)
    member.until = performance.now() + member.restMs
    this.#log?.warn({ expression: member.written.name, restMs: member.restMs }, 'a user expression took too long')
  }
}

/** The results as `data.expressions`. */
export const byName = (found: readonly Evaluated[]): Record<string, Json> =>
  Object.fromEntries(found.map(({ name, value }) => [name, value]))

const failed = ({ written }: Member, error: string): Evaluated => ({ ...written, value: null, ok: false, error })

function memberOf({ id, name, expression }: UserExpression, allowedPatternSteps: number): Member {
  const idle = { written: { id, name, expression }, suspect: false, restMs: 0, until: 0 }
  try {
    return { ...idle, compiled: compile(expression, allowedPatternSteps), problem: '' }
  } catch (error) {
    if (error instanceof BrokenExpression) return { ...idle, compiled: undefined, problem: error.message }
    throw error
  }
}
