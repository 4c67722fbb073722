import { followServerTime } from '../shared/server-time.ts'
import { Connection } from './connection.ts'
import { showDebug, type Telemetry } from './debug.ts'
import { Paints } from './paints.ts'
import { readParams } from './params.ts'
import { Preloader } from './preloader.ts'
import { Problems } from './problems.ts'
import { Stage } from './stage.ts'
import { Together } from './together.ts'
import { fitStage } from './viewport.ts'

const MOST_PROBLEMS = 12
const MOST_OF_ONE = 3
const MEASURED_WITHIN_MS = 3_000

const params = readParams(location)
const telemetry: Telemetry = {
  revision: import.meta.env.VITE_VERSION,
  renderer: params.renderer,
  bus: params.bus,
  socket: 'connecting',
  reconnects: -1,
  seq: 0,
  roundTripMs: 0,
  serverOffsetMs: 0,
  paintMs: 0,
  problems: [],
}
/** When the server's frame of a seq came, for the panel. */
let received = { seq: -1, at: 0 }

const paints = new Paints((report) => connection.send('READY', report))
const stage = new Stage(
  {
    painted(graphicId, seq) {
      if (seq === received.seq) telemetry.paintMs = performance.now() - received.at
      paints.painted(graphicId, seq)
    },
    played: (graphicId, seq) => connection.send('PLAYED', { graphicId, seq }),
    answered: (answer) => connection.send('ANSWER', answer),
    problem(graphic, reason) {
      // a graphic that says the same all the time, or much, leaves room for problems of others
      const problem = { graphic, reason }
      const others = telemetry.problems.filter((other) => other.graphic !== graphic || other.reason !== reason)
      const ofOne = others.filter((other) => other.graphic === graphic)
      const [oldest] = ofOne.length < MOST_OF_ONE ? [] : ofOne
      telemetry.problems = [...others.filter((other) => other !== oldest), problem].slice(-MOST_PROBLEMS)
    },
  },
  params.layers,
)
const problems = new Problems(stage.slots, (told) => connection.send('PROBLEMS', told))
document.body.append(stage.element)
stage.size = { width: 1920, height: 1080 }
const place = fitStage(stage, params)

if (params.background === 'checker') document.body.className = 'checker'
else if (CSS.supports('color', params.background)) document.body.style.background = params.background
if (params.debug) showDebug(telemetry, stage)

/** Runs while the server is away and the picture may not stay for ever. */
let holding = 0
const hold = (ms: number) => {
  holding ||= window.setTimeout(() => {
    stage.stale = true
  }, ms)
}
const caughtUp = () => {
  stage.caughtUp()
  // a heartbeat: a source out of sight gets no frames, and must not pile up calls that wait for them
  if (holding === 0) return
  window.clearTimeout(holding)
  holding = 0
  // the message that was sent is painted by then
  const seen = () => {
    if (holding === 0) stage.stale = false
  }
  requestAnimationFrame(() => requestAnimationFrame(seen))
}

const together = new Together((frames) => {
  stage.show(frames)
  for (const { type, payload } of frames) if (type === 'LOAD_GRAPHIC') preloader.shown(payload)
})
const preloader = new Preloader(params.preloadUrl, stage)

const connection = new Connection(params.socketUrl, {
  hello(size) {
    telemetry.reconnects++
    // another machine may serve now; not all pages ask it at once
    if (telemetry.reconnects > 0) window.setTimeout(measureTime, Math.random() * MEASURED_WITHIN_MS)
    stage.size = size
    place()
    paints.restart()
    together.restart()
    connection.send('READY', { showing: stage.restart() })
    problems.restart()
    preloader.connected(telemetry.reconnects === 0)
  },
  caughtUp,
  frame(frame) {
    const { seq } = frame.payload
    telemetry.seq = Math.max(telemetry.seq, seq)
    received = { seq, at: performance.now() }
    together.receive(frame)
  },
  gone: () => stage.clear(),
  mistaken: () => problems.stop(),
  async exists() {
    try {
      const response = await fetch(params.preloadUrl, { cache: 'no-store' })
      // a proxy whose server is away may answer 404 too, in words of its own
      return response.status !== 404 || (await response.json()).message !== 'Not Found'
    } catch {
      return true
    }
  },
  state(state) {
    telemetry.socket = state
    if (state === 'waiting' && params.holdMs) hold(Math.max(0, params.holdMs - connection.silentMs))
  },
})

// the file that waits for this page shows it from now on
if (parent !== window) parent.postMessage({ type: 'OVERLAY' }, '*')

const measureTime = followServerTime(params.timeUrl, (offsetMs, roundTripMs) => {
  telemetry.serverOffsetMs = offsetMs
  telemetry.roundTripMs = roundTripMs
  stage.serverOffsetMs = offsetMs
})
