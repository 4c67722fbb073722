import type { MotionBinding, MotionManifest } from '../../motion/manifest.ts'
import { Properties } from './properties.ts'
import type { Artboard, File, RiveCanvas, StateMachineInstance, ViewModelInstance } from './runtime.ts'
import { booleanOf, isEnterName, isExitName, isOnAirName, isRecord, numberOf, type Value } from './values.ts'

/** The values that a graphic is told to show. */
export type View = {
  variables: Readonly<Record<string, Value>>
  data: Readonly<Record<string, Value>>
}

/** An animation that has not ended after so much of its own time goes on for ever. */
const SETTLED_AFTER_S = 8
const STEP_S = 1 / 15
/** A graphic too heavy to be advanced to its end is shown as far as it came. */
const SETTLED_WITHIN_MS = 150

/** One showing of the graphic: an artboard and a state machine that begin at their entry, and the values they are given. */
export class Scene {
  readonly artboard: Artboard
  readonly #machine: StateMachineInstance | undefined
  readonly #instance: ViewModelInstance | undefined
  readonly #properties: Properties | undefined
  readonly #manifest: MotionManifest
  readonly #rive: RiveCanvas
  readonly #initial = new Map<string, boolean | number | undefined>()
  readonly #fired = new Map<string, string>()
  /** Control variables that the exit has set back. */
  #setBack = new Map<string, Value>()
  #begun = false

  constructor(
    rive: RiveCanvas,
    file: File,
    manifest: MotionManifest,
    changed: () => void,
    problem: (text: string) => void,
  ) {
    this.#rive = rive
    this.#manifest = manifest
    this.artboard = (manifest.artboard === '' ? null : file.artboardByName(manifest.artboard)) ?? file.defaultArtboard()
    const machine =
      (manifest.stateMachine === '' ? null : this.artboard.stateMachineByName(manifest.stateMachine)) ??
      (this.artboard.stateMachineCount() > 0 ? this.artboard.stateMachineByIndex(0) : null)
    this.#machine = machine ? new rive.StateMachineInstance(machine, this.artboard) : undefined
    const model = file.defaultArtboardViewModel(this.artboard)
    this.#instance = model?.defaultInstance() ?? model?.instance()
    if (this.#instance) {
      if (this.#machine) this.#machine.bindViewModelInstance(this.#instance)
      else this.artboard.bindViewModelInstance(this.#instance)
      this.#properties = new Properties({ rive, file, instance: this.#instance, changed, problem })
    }
  }

  /** Sets everything from a view. Resolves when the pictures that it names are there, or cannot be had. */
  async set(view: View, now: number): Promise<void> {
    const { bindings, inputs } = this.#manifest
    const computed = { bindings: membersOf(view.data.bindings), inputs: membersOf(view.data.inputs) }
    const first = !this.#begun
    this.#begun = true
    for (const input of inputs)
      if (first || input.computed) this.#setInput(input.name, this.#inForce(input, computed.inputs, view))
    const toSet = bindings.filter((binding) => first || binding.computed || binding.sourceArrayPath !== undefined)
    await Promise.all(
      toSet.map((binding) => {
        const { sourceArrayPath } = binding
        const value = this.#inForce(binding, computed.bindings, view)
        const list = sourceArrayPath === undefined ? undefined : valueAt(view.data, sourceArrayPath)
        return this.#properties?.set(binding, value ?? list, now)
      }),
    )
  }

  #inForce({ id, value, variable }: Bound, given: View['data'], { variables }: View): Value {
    if (variable !== undefined && this.#setBack.has(variable)) return this.#setBack.get(variable)
    return given[id] ?? (variable === undefined ? undefined : variables[variable]) ?? value
  }

  /** Milliseconds until a text changes by itself. */
  tick(now: number): number | undefined {
    return this.#properties?.tick(now)
  }

  /** Tells the state machine that the graphic goes on air. */
  enter() {
    this.#setBack = new Map()
    this.#signal(true)
  }

  /** Tells it that the graphic goes off air. False when it has no way to hear it. */
  exit(view: View, now: number): boolean {
    const { variables, bindings, inputs } = this.#manifest
    const immediate = variables.filter(({ exitMode }) => exitMode === 'immediate')
    this.#setBack = new Map(immediate.map((variable) => [variable.name, variable.default ?? '']))
    const heard = [...bindings, ...inputs].some(({ variable }) => variable !== undefined && this.#setBack.has(variable))
    if (heard) void this.set(view, now)
    return this.#signal(false) || heard
  }

  /** True while there is more to come. */
  advance(seconds: number): boolean {
    return this.#machine ? this.#machine.advanceAndApply(seconds) : this.artboard.advance(seconds)
  }

  /** To where it stays as it is. */
  settle() {
    // values that were set, and the transitions that they bring, need a step each
    for (const _ of [0, 1]) this.advance(0)
    const late = performance.now() + SETTLED_WITHIN_MS
    for (let passed = 0; passed < SETTLED_AFTER_S && performance.now() < late && this.advance(STEP_S); )
      passed += STEP_S
  }

  delete() {
    this.#properties?.delete()
    this.#machine?.delete()
    this.artboard.delete()
    this.#instance?.delete()
  }

  /** An input that people have bound to an expression is theirs. */
  #signal(onAir: boolean): boolean {
    const { inputs, bindings } = this.#manifest
    const taken = {
      inputs: new Set(inputs.filter(({ computed }) => computed).map(({ name }) => name)),
      properties: new Set(bindings.filter(({ computed }) => computed).map(({ path }) => path)),
    }
    const isTrigger = onAir ? isEnterName : isExitName
    let heard = false
    for (const input of this.#inputs()) {
      const { name, type } = input
      if (taken.inputs.has(name)) continue
      if (type === this.#rive.SMIInput.bool && isOnAirName(name)) input.asBool().value = onAir
      else if (type === this.#rive.SMIInput.trigger && isTrigger(name)) input.asTrigger().fire()
      else continue
      heard = true
    }
    for (const { name, type } of this.#instance?.getProperties() ?? []) {
      if (taken.properties.has(name)) continue
      const flag = String(type) === 'boolean' && isOnAirName(name) ? this.#instance?.boolean(name) : null
      if (flag) flag.value = onAir
      else if (String(type) === 'trigger' && isTrigger(name)) this.#instance?.trigger(name)?.trigger()
      else continue
      heard = true
    }
    return heard
  }

  *#inputs() {
    const count = this.#machine?.inputCount() ?? 0
    for (let index = 0; index < count; index++) {
      const input = this.#machine?.input(index)
      if (input) yield input
    }
  }

  #setInput(name: string, value: Value) {
    for (const input of this.#inputs()) {
      if (input.name !== name) continue
      const { SMIInput } = this.#rive
      if (input.type === SMIInput.trigger) this.#fire(name, value, () => input.asTrigger().fire())
      else if (input.type === SMIInput.bool) {
        const one = input.asBool()
        if (!this.#initial.has(name)) this.#initial.set(name, one.value)
        one.value = value === null || value === undefined ? this.#initial.get(name) : booleanOf(value)
      } else {
        const one = input.asNumber()
        if (!this.#initial.has(name)) this.#initial.set(name, one.value)
        one.value = numberOf(value) ?? this.#initial.get(name)
      }
    }
  }

  /** A trigger is fired when its value becomes another one that is not off; at the beginning only by `true`. */
  #fire(name: string, value: Value, fire: () => void) {
    const key = JSON.stringify(value ?? null)
    const known = this.#fired.get(name)
    this.#fired.set(name, key)
    if (known === key || !booleanOf(value)) return
    if (known !== undefined || value === true) fire()
  }
}

type Bound = MotionBinding | MotionManifest['inputs'][number]

const membersOf = (value: Value) => (isRecord(value) ? value : {})

const valueAt = (data: Value, path: string): Value =>
  path.split('.').reduce<Value>((value, name) => (isRecord(value) ? value[name] : undefined), data)
