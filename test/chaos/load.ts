import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Attempt, Attempts } from './attempts.ts'
import type { Rig } from './rig.ts'

/** `rate`: commands a second over all overlays. */
export type LoadOptions = { rate: number }

let nextNumber = 1

/**
 * An operator per overlay who fires one command after the other: each one changes something, so that each acknowledged one
 * must have its journal row. What was acknowledged goes to a file as it comes.
 */
export class Load implements Attempts {
  readonly attempts: Attempt[] = []
  readonly #rig: Rig
  readonly #options: LoadOptions
  readonly #file: number
  readonly #operators: Promise<void>[]
  #stopping = false

  constructor(rig: Rig, options: LoadOptions) {
    this.#rig = rig
    this.#options = options
    this.#file = openSync(rig.ackLog, 'a')
    this.#operators = rig.overlays.map(({ id }, index) => this.#operate(id, index))
  }

  /** Attempts from this index on that were acknowledged. */
  acked(from = 0): Attempt[] {
    return this.attempts.slice(from).filter(({ status }) => status === 200)
  }

  async stop(): Promise<void> {
    if (this.#stopping) return
    this.#stopping = true
    await Promise.all(this.#operators)
    closeSync(this.#file)
  }

  async #operate(overlayId: number, index: number): Promise<void> {
    const pauseMs = (1000 * this.#rig.overlays.length) / this.#options.rate
    await delay((pauseMs * index) / this.#rig.overlays.length)
    // what is certainly on air; an attempt without an answer may have happened or not
    let onAir: number | undefined
    for (let turn = index; !this.#stopping; turn++) {
      const startedAt = performance.now()
      const trigger = this.#rig.trigger(turn)
      const action = onAir === undefined || turn % 3 === 0 ? 'show' : turn % 3 === 1 ? 'update' : 'hide'
      const presetId = action === 'show' ? trigger.presetId : (onAir ?? 0)
      const values = action === 'hide' ? undefined : this.#rig.values(presetId, nextNumber)
      const status = await this.#attempt(overlayId, { action, presetId, ...values })
      if (status === 200) onAir = action === 'hide' ? undefined : presetId
      else if (status !== 400) onAir = undefined
      await delay(Math.max(1, pauseMs - (performance.now() - startedAt)))
    }
  }

  async #attempt(overlayId: number, body: object): Promise<number> {
    const number = nextNumber++
    const requestId = `chaos-${number}`
    const startedAt = performance.now()
    const { status } = await this.#rig.command(overlayId, body, { 'X-Request-Id': requestId })
    const at = performance.now()
    const attempt = { requestId, overlayId, status, tookMs: at - startedAt, at }
    if (status === 200) {
      writeSync(this.#file, `${JSON.stringify(attempt)}\n`)
      fdatasyncSync(this.#file)
    }
    this.attempts.push(attempt)
    return status
  }
}
