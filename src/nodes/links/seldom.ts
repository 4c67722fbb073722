import type { Logger } from 'pino'

const EVERY_MS = 10_000

/** Warnings that strangers cause: one line of each kind in ten seconds, with how many there were, however many strangers knock. */
export class Seldom {
  readonly #log: Logger
  readonly #said = new Map<string, { at: number; since: number }>()

  constructor(log: Logger) {
    this.#log = log
  }

  warn(text: string, fields: Record<string, unknown>): void {
    const said = this.#said.get(text)
    const now = performance.now()
    if (said && now - said.at < EVERY_MS) {
      said.since++
      return
    }
    this.#said.set(text, { at: now, since: 0 })
    this.#log.warn(said?.since ? { ...fields, since: said.since } : fields, text)
  }
}
