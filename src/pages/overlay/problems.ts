import type { Slot } from './slot.ts'

const EVERY_MS = 1_000
/** Scenes may be switched faster than the server wants to hear of it. */
const SPACING_MS = 200
/** As many as the server takes: it closes a renderer that tells more. */
const MOST = 20
const LONGEST = 300
const NOTHING = JSON.stringify({ problems: [] })

type Problem = { graphicId: string; graphicName: string; message: string }
type Told = { problems: Problem[]; outOfView?: true }

/**
 * Nobody looks at `?debug` on air: tells the server the problems of graphics now and whether the host shows this page, whenever
 * that has changed.
 */
export class Problems {
  readonly #slots: ReadonlyMap<string, Slot>
  readonly #send: (told: Told) => void
  #told = NOTHING
  #toldAt = 0
  #hasTold = false
  #isAllowed = true

  constructor(slots: ReadonlyMap<string, Slot>, send: (told: Told) => void) {
    this.#slots = slots
    this.#send = send
    window.setInterval(() => this.#tell(), EVERY_MS)
    // timers of a page out of view may come once a minute
    document.addEventListener('visibilitychange', () => {
      if (performance.now() - this.#toldAt > SPACING_MS) this.#tell()
    })
  }

  /** A new socket, after its READY: nothing was told on it. */
  restart() {
    this.#told = NOTHING
    this.#hasTold = false
    this.#tell()
  }

  /** The server took something for a mistake, as an older one takes this: the picture counts for more. */
  stop() {
    if (this.#hasTold) this.#isAllowed = false
  }

  #tell() {
    const telling: Told = { problems: this.#problems(), ...(document.hidden && { outOfView: true }) }
    const text = JSON.stringify(telling)
    if (!this.#isAllowed || text === this.#told) return
    this.#told = text
    this.#toldAt = performance.now()
    this.#hasTold = true
    this.#send(telling)
  }

  /** Graphics on air come first. */
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

/** Without characters that the server refuses: control characters and halves of characters. */
const said = (text: string) =>
  Array.from(text.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').trim())
    .slice(0, LONGEST)
    .join('') || 'unknown'
