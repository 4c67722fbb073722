import { colourOf } from '../../expressions/colour.ts'
import { casparAdapter } from './caspar.ts'
import type { GraphicData } from './data.ts'
import { waitForFonts } from './fonts.ts'

type Value = string | number | boolean | null

/** Everything a graphic draws from. */
export type View = {
  variables: Readonly<Record<string, Value>>
  theme: Readonly<Record<string, string>>
  data: Partial<GraphicData>
  sport: string
}

export type Moment = {
  /** True when the change must be seen at once: the cold start, a hidden source, or nothing on screen yet. */
  instant: boolean
  /** Server time in milliseconds. */
  now(): number
}

export type Graphic = {
  /** Puts the view into the page; called for every load and update, before the frame is painted. */
  render(view: View, moment: Moment): void
  /** Draws the parts that depend on the time; returns the milliseconds until it has to be called again. */
  tick?(view: View, moment: Moment): number | undefined
}

type Message = {
  type?: string
  payload?: Record<string, unknown> & { seq?: number; onAir?: boolean }
  settled?: boolean
  serverOffsetMs?: number
}

const record = (value: unknown): Record<string, never> =>
  // a value that a server sent as an object is read member by member
  (typeof value === 'object' && value !== null ? value : {}) as Record<string, never>

/**
 * Runs a graphic: the handshake with the overlay page, in and out by the classes `on` and `instant` of `<html>`, the
 * server's clock, and `READY {seq}` after each paint. Without an overlay page around it the CasparCG and SPX globals
 * `play`, `stop`, `next` and `update` work the same.
 */
export function startGraphic(graphic: Graphic) {
  const root = document.documentElement
  let view: View = { variables: {}, theme: {}, data: {}, sport: '' }
  let offsetMs = 0
  let onAir = false
  let ticking = 0

  const now = () => performance.timeOrigin + performance.now() + offsetMs
  const post = (type: string, payload: object) => {
    if (window.parent !== window) window.parent.postMessage({ type, payload }, '*')
  }

  let unpainted: number | undefined
  const painted = (seq: number | undefined) => {
    // one frame is enough for all that came before it; a hidden source gets none for hours
    if (seq !== undefined && unpainted === undefined)
      requestAnimationFrame(() => {
        const newest = unpainted
        unpainted = undefined
        window.setTimeout(() => post('READY', { seq: newest }))
      })
    unpainted = seq ?? unpainted
  }

  const instantly = (change: () => void) => {
    root.classList.add('instant')
    change()
    // transitions start from computed style, so it has to be computed while they are off
    void root.offsetWidth
    root.classList.remove('instant')
  }

  const tick = () => {
    window.clearTimeout(ticking)
    if (!onAir || !graphic.tick) return
    const again = graphic.tick(view, { instant: document.hidden, now })
    if (again !== undefined) ticking = window.setTimeout(tick, Math.max(1, again))
  }

  const apply = (settled: boolean) => {
    const moment = { instant: settled || !onAir || document.hidden, now }
    for (const [name, value] of Object.entries(view.theme)) setThemeVariable(root, name, value)
    if (moment.instant) instantly(() => graphic.render(view, moment))
    else graphic.render(view, moment)
    tick()
  }

  const take = (shown: boolean, settled: boolean) => {
    onAir = shown
    const change = () => root.classList.toggle('on', shown)
    if (settled || document.hidden) instantly(change)
    else change()
    tick()
  }

  const merge = ({ variableValues, themeVariables, data, sport }: Record<string, unknown>) => {
    view = {
      variables: variableValues === undefined ? view.variables : record(variableValues),
      theme: themeVariables === undefined ? view.theme : record(themeVariables),
      data: data === undefined ? view.data : record(data),
      sport: typeof sport === 'string' ? sport : view.sport,
    }
  }

  let latest = 0
  const receive = async ({ type, payload = {}, settled = false, serverOffsetMs }: Message) => {
    if (serverOffsetMs !== undefined) offsetMs = serverOffsetMs
    if (type === 'HELLO') {
      void waitForFonts()
      post('READY', { reportsPaint: true })
      tick()
    } else if (type === 'LOAD_GRAPHIC') {
      const mine = ++latest
      merge(payload)
      // only the very first show can find fonts missing
      if (!onAir) await waitForFonts()
      if (mine !== latest) return
      apply(settled)
      take(true, settled)
      painted(payload.seq)
    } else if (type === 'GRAPHIC_UPDATE') {
      merge(payload)
      if (payload.onAir === false) {
        latest++
        take(false, settled)
      } else if (onAir) apply(settled)
      painted(payload.seq)
    }
  }

  window.addEventListener('message', (event: MessageEvent) => {
    if (event.source === window.parent && window.parent !== window) void receive(record(event.data))
  })
  document.addEventListener('visibilitychange', () => {
    // animations that a hidden source missed are not played afterwards
    if (!document.hidden) apply(true)
  })
  if (window.parent === window) casparAdapter((type, payload) => void receive({ type, payload }))
}

function setThemeVariable(root: HTMLElement, name: string, given: unknown) {
  const value = /colou?r/i.test(name) ? colourOf(given) : given
  if (typeof value !== 'string' || !/^[\w-]+$/.test(name)) return
  if (/font/i.test(name) && !CSS.supports('font-family', value)) return
  root.style.setProperty(`--${name}`, value)
}
