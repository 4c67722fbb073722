import type { Values } from '../../../machines/overlay/model.ts'
import { byName, type Evaluated, ExpressionSet, type Log } from '../../expressions/expression-set.ts'
import type { Json } from '../../expressions/plain.ts'
import type { Scope } from '../../expressions/scope.ts'
import { NO_BRANDS, type ShownBrands } from '../brands/shown.ts'
import { selectedRecords } from './selected-records.ts'
import type { SportData } from './sport-data.schema.ts'
import { BOUND_KINDS, type BoundKind, type Wants } from './wants.ts'

type Theme = Readonly<Record<string, unknown>>
/** Sport data, with `dataSources` where rows were pushed. */
type Parts = SportData & { readonly dataSources?: unknown }
/** Data to try expressions on: anything as `parts`, and those of them that have the right shape, to take records from. */
export type Trial = {
  sport: string | undefined
  parts: Readonly<Record<string, unknown>>
  whole: Partial<SportData>
  brands: ShownBrands
}
/** The members of `data` that are computed: user expressions by name, bindings of a motion graphic by id. Those that it has. */
export type Computed = Partial<Record<'expressions' | BoundKind, Readonly<Record<string, Json>>>>
type Known = { theme: Theme; brands: ShownBrands; computed: Computed }

/** The result of each expression or why it fails. */
export type AllEvaluated = { userExpressions: Evaluated[] } & Record<BoundKind, Evaluated[]>

/** The expressions of one version of a graphic, compiled by `prepare`, or when they are first asked for. */
export class GraphicExpressions {
  readonly #wants: Wants
  readonly #user: ExpressionSet
  readonly #bound: ExpressionSet
  // by the objects themselves: data and values are never changed, only replaced
  readonly #known = new WeakMap<Parts, WeakMap<Values, Known>>()

  constructor(wants: Wants, log?: Log) {
    this.#wants = wants
    this.#user = new ExpressionSet(wants.expressions, log)
    this.#bound = new ExpressionSet(wants.bound, log)
  }

  /** Compiles them, so that a command or a refresh need not. */
  async prepare(breathe: () => Promise<void>): Promise<void> {
    await this.#user.prepare(breathe)
    await this.#bound.prepare(breathe)
  }

  /** The computed members; the same objects as long as nothing that expressions see has changed. */
  values(values: Values, parts: Parts, theme: Theme, brands: ShownBrands = NO_BRANDS): Computed {
    const ofParts = this.#known.get(parts) ?? new WeakMap<Values, Known>()
    this.#known.set(parts, ofParts)
    const known = ofParts.get(values)
    if (known?.theme === theme && known.brands === brands) return known.computed
    const trial = { sport: parts.match.sport, parts, whole: parts, brands }
    const computed = computedOf(this.#evaluated(values, trial, theme))
    ofParts.set(values, { theme, brands, computed })
    return computed
  }

  #evaluated(values: Values, trial: Trial, theme: Theme): AllEvaluated {
    const scope = scopeOf(this.#wants, values, trial, theme)
    const userExpressions = this.#user.evaluate(scope)
    return byKind(this.#wants, userExpressions, this.#bound.evaluate(scope, byName(userExpressions)))
  }
}

/** The scope that the expressions of a version see. */
export function scopeOf(wants: Wants, values: Values, { sport, parts, whole, brands }: Trial, theme: Theme): Scope {
  const { variables, records } = wants
  return {
    ...parts,
    sport,
    variables: Object.fromEntries(variables.map(({ name, defaultValue }) => [name, values[name] ?? defaultValue])),
    selected: selectedRecords(values, records, { ...whole, brands }),
    theme,
  }
}

/** The values of all that was evaluated, as `data` carries them. */
export const computedOf = ({ userExpressions, ...bound }: AllEvaluated): Computed => ({
  ...(userExpressions.length > 0 && { expressions: byName(userExpressions) }),
  ...Object.fromEntries(BOUND_KINDS.flatMap((kind) => (bound[kind].length > 0 ? [[kind, byId(bound[kind])]] : []))),
})

/** The results of all bound expressions, by kind of binding. */
export function byKind({ bound }: Wants, userExpressions: Evaluated[], found: readonly Evaluated[]): AllEvaluated {
  const of = (kind: BoundKind) => found.filter((_, index) => bound[index]?.kind === kind)
  return { userExpressions, bindings: of('bindings'), inputs: of('inputs'), assets: of('assets') }
}

const byId = (found: readonly Evaluated[]) => Object.fromEntries(found.map(({ id, value }) => [id, value]))
