import type { Values } from '../../../machines/overlay.ts'
import { type Evaluated, ExpressionSet, type Log } from '../../expressions/expression-set.ts'
import type { Scope } from '../../expressions/scope.ts'
import type { Wants } from './graphic-wants.ts'
import { selectedRecords } from './selected-records.ts'
import type { SportData } from './sport-data.schema.ts'

type Theme = Readonly<Record<string, unknown>>
/** Sport data, with `dataSources` where rows were pushed. */
type Parts = SportData & { readonly dataSources?: unknown }
/** What somebody tries expressions on: anything as `parts`, and those of them that are right, to take records from. */
export type Trial = { sport: string | undefined; parts: Readonly<Record<string, unknown>>; whole: Partial<SportData> }
type Known = { theme: Theme; computed: ReturnType<ExpressionSet['values']> }

/** The user expressions of one version of a graphic. They are compiled when they are first asked for. */
export class GraphicExpressions {
  readonly #wants: Wants
  readonly #log: Log | undefined
  // by the objects themselves: data and values are never changed, only replaced
  readonly #known = new WeakMap<Parts, WeakMap<Values, Known>>()
  #set: ExpressionSet | undefined

  constructor(wants: Wants, log?: Log) {
    this.#wants = wants
    this.#log = log
  }

  /** What becomes `data.expressions`; the same object as long as nothing that expressions see has changed. */
  values(values: Values, parts: Parts, theme: Theme): Known['computed'] {
    const ofParts = this.#known.get(parts) ?? new WeakMap<Values, Known>()
    this.#known.set(parts, ofParts)
    const known = ofParts.get(values)
    if (known?.theme === theme) return known.computed
    const trial = { sport: parts.match.sport, parts, whole: parts }
    const computed = this.#compiled.values(this.#scope(values, trial, theme))
    ofParts.set(values, { theme, computed })
    return computed
  }

  /** Each with what it gives or why it fails. */
  evaluated(values: Values, trial: Trial, theme: Theme): Evaluated[] {
    return this.#compiled.evaluate(this.#scope(values, trial, theme))
  }

  get #compiled(): ExpressionSet {
    this.#set ??= new ExpressionSet(this.#wants.expressions, this.#log)
    return this.#set
  }

  #scope(values: Values, { sport, parts, whole }: Trial, theme: Theme): Scope {
    const { variables, records } = this.#wants
    return {
      ...parts,
      sport,
      variables: Object.fromEntries(variables.map(({ name, defaultValue }) => [name, values[name] ?? defaultValue])),
      selected: selectedRecords(values, records, whole),
      theme,
    }
  }
}
