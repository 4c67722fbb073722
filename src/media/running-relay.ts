import type { Relaying } from './plan-destination.ts'
import type { PullTarget, PushTarget, Relay, RelaySpec, StartRelay } from './ports.ts'

/** One relay with its state. It stays after it failed, until its actor has heard of it. */
export class RunningRelay {
  state: 'opening' | 'flowing' | 'failed' | 'ending' = 'opening'
  attempt: number
  error = ''
  /** Of its source, when it failed. */
  generation = 0
  readonly relay: Relay
  readonly #path: string
  readonly #target: string
  #ended: Promise<void> | undefined

  /** `sourceGeneration` answers for now; `changed` is called when its state has changed. */
  constructor(
    spec: RelaySpec,
    path: string,
    start: StartRelay,
    { sourceGeneration, changed }: { sourceGeneration: () => number; changed: () => void },
  ) {
    this.attempt = spec.attempt
    this.#path = path
    this.#target = JSON.stringify(spec.target)
    this.relay = start(spec, (event) => {
      if (this.state === 'ending' || this.state === 'failed') return
      if (event.type === 'failed') {
        this.generation = sourceGeneration()
        this.error = event.error
      }
      this.state = event.type === 'failed' ? 'failed' : 'flowing'
      changed()
    })
  }

  /** The relay as seen, where it is wanted to send from this path to this target. */
  sight(path: string, target: PushTarget | PullTarget): Relaying {
    const { state, attempt, generation, error } = this
    return {
      state,
      attempt,
      generation,
      error,
      current: path === this.#path && JSON.stringify(target) === this.#target,
    }
  }

  /** Its source went away or came back; whether it sends again is to be seen. */
  pause(paused: boolean): void {
    if (this.state !== 'opening' && this.state !== 'flowing') return
    this.state = 'opening'
    this.relay.pauseWatch(paused)
  }

  /** Resolves when its process has ended. */
  stop(): Promise<void> {
    if (this.state === 'failed') return Promise.resolve()
    this.state = 'ending'
    this.#ended ??= this.relay.stop()
    return this.#ended
  }
}
