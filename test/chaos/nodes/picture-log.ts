import type { Page } from 'playwright-core'
import type { Trigger } from '../../../bench/samples.ts'
import type { OverlayEvent } from '../../../machines/overlay/events.ts'
import { numberIn } from './operators.ts'
import type { NodesRig } from './rig.ts'

/** What stands in the picture from a moment on: the number of a command, 0 for nothing. */
type Seen = { at: number; graphicName: string; number: number }

/** Where the demo's graphics write what the triggers set. */
const PLACES = { 'Score bug': '#home-score', 'Lower third': '#name' } as const

/** Tells whenever what a graphic shows has changed; runs in every frame of the page. */
const TELL = `
  if (window !== window.top) {
    const places = ${JSON.stringify(PLACES)}
    let before = ''
    const look = () => {
      const place = places[document.title]
      if (!place || !document.documentElement) return
      const isOn = document.documentElement.classList.contains('on')
      const text = isOn ? (document.querySelector(place)?.textContent ?? '') : ''
      if (text === before) return
      before = text
      console.info('PICTURE ' + JSON.stringify({ at: Date.now(), graphicName: document.title, text }))
    }
    new MutationObserver(look).observe(document, { attributes: true, childList: true, characterData: true, subtree: true })
  }
`

/** A browser that watches one overlay. */
export class PictureLog {
  readonly seen: Seen[] = []
  readonly #page: Page

  private constructor(page: Page) {
    this.#page = page
  }

  static async open(page: Page, url: string): Promise<PictureLog> {
    const log = new PictureLog(page)
    page.on('console', (message) => log.#take(message.text()))
    await page.addInitScript(TELL)
    await page.goto(url)
    return log
  }

  close(): Promise<void> {
    return this.#page.close()
  }

  #take(text: string): void {
    if (!text.startsWith('PICTURE ')) return
    const {
      at,
      graphicName,
      text: shown,
    } = JSON.parse(text.slice('PICTURE '.length)) as {
      at: number
      graphicName: string
      text: string
    }
    this.seen.push({ at, graphicName, number: shown === '' ? 0 : numberIn(shown.toLowerCase()) })
  }

  /**
   * What the journal does not explain: a picture that never was on air, one that was not yet, or one from before what was shown
   * already; and for how long at most the picture was older than what was on air.
   */
  async judge(rig: NodesRig, overlayId: number): Promise<{ wrong: object[]; oldestMs: number; pictures: number }> {
    const wrong: object[] = []
    let oldestMs = 0
    for (const trigger of rig.production.triggers) {
      const graphicName = trigger.variable === 'homeScore' ? 'Score bug' : 'Lower third'
      const onAir = await statesOf(rig, overlayId, trigger)
      const seen = this.seen.filter((one) => one.graphicName === graphicName)
      let at = 0
      for (const [index, { number, at: seenAt }] of seen.entries()) {
        const found = onAir.findIndex((state, place) => place >= at && state.number === number)
        const state = onAir[found]
        if (!state) wrong.push({ graphicName, number, seenAt, before: seen[index - 1]?.number })
        else if (state.at > seenAt + CLOCKS_MS) wrong.push({ graphicName, number, earlyMs: state.at - seenAt })
        if (!state) continue
        at = found
        const until = seen[index + 1]?.at
        const next = onAir[found + 1]
        if (until !== undefined && next) oldestMs = Math.max(oldestMs, until - next.at)
      }
      const [last, onAirNow] = [seen.at(-1)?.number, onAir.at(-1)?.number]
      if (last !== onAirNow) wrong.push({ graphicName, number: last, inTheEnd: onAirNow })
    }
    return { wrong, oldestMs: Math.round(oldestMs), pictures: this.seen.length }
  }
}

/** The clocks of PostgreSQL and of the browser are one, read at two moments. */
const CLOCKS_MS = 5

/** What was on air of a graphic, by the journal, from the nothing of the beginning. */
async function statesOf({ sql }: NodesRig, overlayId: number, { graphicId, variable }: Trigger) {
  const rows = await sql<{ at: Date; events: OverlayEvent[] }[]>`
    select at, events from journal where ref = ${`overlay/${overlayId}`} order by seq`
  const states = [{ at: 0, number: 0 }]
  for (const { at, events } of rows)
    for (const event of events) {
      if (event.type === 'graphic.hidden' && event.graphicId === graphicId) states.push({ at: at.getTime(), number: 0 })
      if (event.type !== 'graphic.shown' && event.type !== 'graphic.updated') continue
      if (event.graphic.graphicId !== graphicId) continue
      states.push({ at: at.getTime(), number: numberIn(event.graphic.values[variable]) })
    }
  return states
}
