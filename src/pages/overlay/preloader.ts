import { addressOf } from './frame.ts'
import type { Stage } from './stage.ts'

/** Graphics on air come first. */
const AFTER_MS = 400
/** After a restart of the server, and for a version that has just been activated, thousands of pages ask: not all at once. */
const SPREAD_MS = 3_000
const AGAIN_MS = 60_000

type Graphic = { graphicId: string; graphicName?: string; url: string }

/** Keeps the bundles of the active theme version mounted out of sight, so that another version needs no reload of the page. */
export class Preloader {
  readonly #url: string
  readonly #stage: Pick<Stage, 'preload'>
  #tag: string | undefined
  #graphics: readonly Graphic[] = []
  #timer = 0

  constructor(url: string, stage: Pick<Stage, 'preload'>) {
    this.#url = url
    this.#stage = stage
  }

  /** A socket is open. */
  connected(first: boolean) {
    this.#askIn(AFTER_MS + (first ? 0 : Math.random() * SPREAD_MS))
  }

  /** A graphic was shown: another bundle than the one that is kept for it means that another version is active. */
  shown({ graphicId, url }: Graphic) {
    const kept = this.#graphics.find((graphic) => graphic.graphicId === graphicId)
    if (kept && addressOf(kept.url) !== addressOf(url)) this.#askIn(AFTER_MS + Math.random() * SPREAD_MS)
  }

  #askIn(ms: number) {
    window.clearTimeout(this.#timer)
    this.#timer = window.setTimeout(() => this.#ask(), ms)
  }

  async #ask() {
    this.#askIn(AGAIN_MS * (0.75 + Math.random() / 2))
    try {
      const headers: Record<string, string> = this.#tag === undefined ? {} : { 'If-None-Match': this.#tag }
      const response = await fetch(this.#url, { cache: 'no-store', headers })
      if (response.ok) {
        this.#graphics = await response.json()
        this.#tag = response.headers.get('ETag') ?? undefined
      }
      // a graphic that was on air then may be off by now
      if (response.ok || response.status === 304) this.#stage.preload(this.#graphics)
    } catch {
      // out of reach: graphics are mounted when they are shown
    }
  }
}
