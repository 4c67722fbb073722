import type { Graphic } from './module.ts'

/** What may go on for ever in a graphic, and how long nobody says anything of it. */
const LOADS_WITHIN_MS = 10_000
const ENDS_WITHIN_MS = 2_500

export type Data = Readonly<Record<string, unknown>>

export type InstanceEvents = {
  /** Something is wrong with the graphic: a call threw, was rejected, answered a status of 400 and above, or does not come back. */
  problem(message: string): void
  /** Its first or only step was played to the end, or it says that no step is left. */
  played(): void
}

/** How a call of a method ended. */
export type Outcome = { statusCode?: number; statusMessage?: string; currentStep?: number; error?: string }

/** How something is asked for. `settled`: without its animation. `delta`: a play, by so many steps. `plays`: it is a play. */
export type Manner = { settled?: boolean; delta?: number | undefined; plays?: boolean }

type Answer = { statusCode?: unknown; statusMessage?: unknown; currentStep?: unknown }

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/**
 * One instance of the graphic, from `load` to `dispose`. Calls wait for `load`, and for nothing else: a graphic that does not answer
 * one holds up no other. integrations: OGraf import
 */
export class Instance {
  readonly #element: Graphic
  readonly #stepCount: number
  readonly #events: InstanceEvents
  #ready: Promise<boolean> = Promise.resolve(false)
  #data: string
  #step: number
  #gone = false
  /** Of the calls since somebody heeds them. */
  #outcomes: Promise<Outcome>[] = []

  constructor(element: Graphic, stepCount: number, events: InstanceEvents) {
    this.#element = element
    this.#stepCount = stepCount
    this.#events = events
    this.#data = ''
    this.#step = -1
  }

  /** Puts it in place, out of sight until it plays. */
  prepare(data: Data, resolution: { width: number; height: number }): Promise<boolean> {
    this.#data = JSON.stringify(data)
    this.#element.style.visibility = 'hidden'
    this.#ready = this.#load(data, resolution)
    return this.#ready
  }

  /** Puts it in place, and plays it to a step: at once when it is the past. Resolves once it was told to play; false: it never was. */
  start(data: Data, step: number, manner: Manner, resolution: { width: number; height: number }): Promise<boolean> {
    this.#data = JSON.stringify(data)
    this.#ready = this.#load(data, resolution)
    return this.#play(step, manner)
  }

  /** From now on outcomes count. */
  heed(): void {
    this.#outcomes = []
  }

  /** How all calls ended that were begun since then: the first that failed, else the last. */
  async outcome(): Promise<Outcome> {
    const all = await Promise.all(this.#outcomes)
    return all.find(({ error }) => error !== undefined) ?? all.at(-1) ?? {}
  }

  async #load(data: Data, resolution: { width: number; height: number }): Promise<boolean> {
    const late = window.setTimeout(
      () => this.#tell('load', `does not come back since ${LOADS_WITHIN_MS / 1_000} s`),
      LOADS_WITHIN_MS,
    )
    document.body.append(this.#element)
    const answer = await this.#call('load', { data, renderType: 'realtime', renderCharacteristics: { resolution } })
    window.clearTimeout(late)
    return answer !== undefined && !this.#gone
  }

  async #play(step: number, { settled: skipAnimation = false, plays = false, delta }: Manner): Promise<boolean> {
    if (!(await this.#ready)) return false
    const target = this.#targetOf(step, delta)
    this.#step = step
    this.#element.style.removeProperty('visibility')
    const since = performance.now()
    const playing = this.#call('playAction', skipAnimation ? { ...target, skipAnimation } : target)
    // what is the past says nothing of now
    if (!skipAnimation || plays) void playing.then((answer) => this.#hasPlayed(answer, since))
    return true
  }

  /** As it was asked for, where it leads to the step: one that comes later was told less, and one without steps has none to go to. */
  #targetOf(step: number, delta: number | undefined) {
    if (this.#stepCount === 0) return delta === undefined ? {} : { delta }
    return delta !== undefined && this.#step + delta === step ? { delta } : { goto: step }
  }

  /**
   * A graphic without steps that comes back at once does not wait for its end, and nobody but the server can say when that is. One that
   * knows no number of steps says so by naming none.
   */
  #hasPlayed(answer: Answer | undefined, since: number) {
    if (this.#gone || !answer) return
    const waited = performance.now() - since > WAITED_MS
    const isOver =
      this.#stepCount === 0
        ? waited
        : this.#stepCount < 0 && this.#step > 0 && isRecord(answer) && answer.statusCode !== undefined
    if (isOver && answer.currentStep === undefined) this.#events.played()
  }

  /** New data, another step, or both: told when they are others. Resolves once all of it was told. */
  async change({
    data,
    step,
    ...manner
  }: {
    data?: Data
    step?: number | undefined
  } & Manner): Promise<boolean> {
    if (!(await this.#ready)) return false
    const { settled = false, plays = false } = manner
    const skip = settled ? { skipAnimation: true } : {}
    const text = data && JSON.stringify(data)
    if (text !== undefined && text !== this.#data) {
      this.#data = text
      void this.#call('updateAction', { data, ...skip })
    }
    // one without steps plays again from its beginning
    const isAnew = plays && this.#stepCount === 0
    if (step !== undefined && (step !== this.#step || isAnew)) return this.#play(step, manner)
    return true
  }

  async act({ id, payload }: { id: string; payload?: unknown }, settled: boolean): Promise<void> {
    const skip = settled ? { skipAnimation: true } : {}
    if (await this.#ready) void this.#call('customAction', { id, payload, ...skip })
  }

  /** Takes it off: with its way out, or out of sight at once. It is gone when that is over, or has taken too long. */
  async stop(settled: boolean): Promise<void> {
    const isLoaded = await Promise.race([this.#ready, Promise.resolve(false)])
    if (!isLoaded) return this.remove()
    const over = new Promise((resolve) => window.setTimeout(resolve, ENDS_WITHIN_MS))
    // whatever it does with its own visibility, and with that of its parts
    if (settled) this.#element.style.setProperty('opacity', '0', 'important')
    const stopping = this.#call('stopAction', settled ? { skipAnimation: true } : {})
    await Promise.race([settled ? stopping : stopping.then(() => this.#isStill()), over])
    this.remove()
  }

  /** Some come back at once, and their way out has only begun. */
  #isStill(): Promise<unknown> {
    const { shadowRoot } = this.#element
    const moving = [...this.#element.getAnimations({ subtree: true }), ...(shadowRoot?.getAnimations() ?? [])]
    const ending = moving.filter(({ effect }) => Number(effect?.getComputedTiming().endTime) < ENDS_WITHIN_MS)
    return Promise.allSettled(ending.map(({ finished }) => finished))
  }

  remove(): void {
    if (this.#gone) return
    this.#gone = true
    void this.#call('dispose', {})
    this.#element.remove()
  }

  /** What a method answers, an empty answer for nothing; undefined when it failed, which is told. */
  #call(name: Method, params: object): Promise<Answer | undefined> {
    const problems: string[] = []
    const answering = this.#invoke(name, params, (message) => {
      problems.push(message)
      this.#tell(name, message)
    })
    const ended = answering.then((answer): Outcome => {
      const [problem] = problems
      if (problem !== undefined) return { error: `${name}: ${problem}` }
      const { statusCode, statusMessage, currentStep } = answer ?? {}
      return {
        ...(typeof statusCode === 'number' && { statusCode }),
        ...(typeof statusMessage === 'string' && { statusMessage }),
        ...(typeof currentStep === 'number' && { currentStep }),
      }
    })
    if (this.#outcomes.length < MOST_OUTCOMES) this.#outcomes.push(ended)
    return answering
  }

  async #invoke(name: Method, params: object, tell: (message: string) => void): Promise<Answer | undefined> {
    try {
      const method = this.#element[name]
      if (typeof method !== 'function') {
        // nobody needs it to take a graphic away
        if (name !== 'dispose') tell('the graphic has no such method')
        return undefined
      }
      const answer = await method.call(this.#element, params)
      if (!isRecord(answer)) return {}
      const { statusCode, statusMessage } = answer
      if (typeof statusCode !== 'number' || statusCode < 400) return answer
      tell(typeof statusMessage === 'string' ? `${statusCode} ${statusMessage}` : String(statusCode))
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error))
    }
    return undefined
  }

  #tell(name: string, message: string) {
    this.#events.problem(`${name}: ${message}`)
  }
}

type Method = 'load' | 'dispose' | 'playAction' | 'updateAction' | 'stopAction' | 'customAction'

/** Nobody asks for those of a graphic that is driven by other means. */
const MOST_OUTCOMES = 20

/** What a graphic takes at least that waits for the end of what it plays. */
const WAITED_MS = 1_000
