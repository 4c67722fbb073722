import type { Slot } from './slot.ts'

const EVERY_MS = 1_000
/** As the server takes them: whoever says more is closed. */
const MOST = 20
const LONGEST = 300

type Problem = { graphicId: string; graphicName: string; message: string }

/** Nobody looks at `?debug` on air: tells the server what is wrong with graphics now, whenever it is not what was told before. */
export class Problems {
  readonly #slots: ReadonlyMap<string, Slot>
  readonly #send: (told: { problems: Problem[] }) => void
  #told = ''
  #hasTold = false
  #isAllowed = true

  constructor(slots: ReadonlyMap<string, Slot>, send: (told: { problems: Problem[] }) => void) {
    this.#slots = slots
    this.#send = send
    window.setInterval(() => this.#tell(), EVERY_MS)
  }

  /** A new socket: nothing was told on it. */
  restart() {
    this.#told = keyOf([])
    this.#hasTold = false
  }

  /** The server took something for a mistake, as an older one takes this: the picture counts for more. */
  stop() {
    if (this.#hasTold) this.#isAllowed = false
  }

  #tell() {
    const problems = this.#problems()
    if (!this.#isAllowed || keyOf(problems) === this.#told) return
    this.#told = keyOf(problems)
    this.#hasTold = true
    this.#send({ problems })
  }

  /** What is on air comes first. */
  #problems(): Problem[] {
    return [...this.#slots.values()]
      .filter(({ trouble }) => trouble.reason !== undefined)
      .sort((one, other) => Number(other.onAir) - Number(one.onAir))
      .slice(0, MOST)
      .map(({ graphicId, name, trouble }) => ({
        graphicId,
        graphicName: said(name),
        message: said(trouble.reason ?? ''),
      }))
  }
}

const keyOf = (problems: readonly Problem[]) => JSON.stringify(problems)

/** Without what the server refuses: control characters and halves of characters. */
const said = (text: string) =>
  Array.from(text.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').trim())
    .slice(0, LONGEST)
    .join('') || 'unknown'
