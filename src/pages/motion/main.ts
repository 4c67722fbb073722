import type { MotionManifest } from '../../motion/manifest.ts'
import { localNow } from '../shared/server-time.ts'
import { Player, type Source } from './player.ts'
import { type RendererKind, rendererFor, startRuntime } from './runtime.ts'
import type { View } from './scene.ts'
import { isRecord, type Value } from './values.ts'

/** The page that draws a motion graphic, like a bundle's own page of a code graphic, with the same messages. */

const AGAIN_MS = 500
const LONGEST_AGAIN_MS = 8_000

const file = new URLSearchParams(location.search).get('file') ?? ''
let offsetMs = 0
let greeted = false
let player: Player | undefined
let view: View = { variables: {}, data: {} }
let onAir = false
let failures = 0
/** The newest message that came while there was nothing to draw it; the next player paints it. */
let unseen: number | undefined

const membersOf = (value: Value) => (isRecord(value) ? value : {})
const now = () => localNow() + offsetMs
const post = (type: string, payload: object) => window.parent.postMessage({ type, payload }, '*')
const problem = (message: string) => post('ERROR', { message })
const sayReady = () => post('READY', { reportsPaint: true })

async function readSource(cache: RequestCache): Promise<Source> {
  // only bundles that this host serves
  if (!/^\/bundles\/[\w-]+\/[^/]+\.riv$/.test(file)) throw new Error('no motion file')
  const base = file.slice(0, file.lastIndexOf('/') + 1)
  const [bytes, manifest] = await Promise.all([fetched(file, cache), fetched(`${base}graphic.json`, cache)])
  return {
    base,
    bytes: new Uint8Array(await bytes.arrayBuffer()),
    manifest: asManifest(await manifest.json()),
  }
}

/** The server wrote it. */
const asManifest = (json: unknown) => json as MotionManifest

async function fetched(path: string, cache: RequestCache): Promise<Response> {
  const response = await fetch(new URL(path, location.href), { cache })
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  return response
}

/** Most graphics ask for none: it comes while their file does. */
const likely = rendererFor(undefined)
let early: ReturnType<typeof startRuntime> | undefined = startRuntime(likely)
// the caller that awaits it is told
early.catch(() => {})

async function open(source: Source, kind: RendererKind): Promise<Player> {
  const started = kind === likely ? early : undefined
  early = undefined
  const opened = await Player.open(await (started ?? startRuntime(kind)), source, {
    problem,
    // an engine that takes a context away for too many graphics does not give it back
    lost: () => void reopen(source),
  })
  opened.now = now
  document.documentElement.dataset.renderer = kind
  player = opened
  if (greeted) sayReady()
  return opened
}

async function reopen(source: Source) {
  player?.remove()
  player = undefined
  problem('the drawing context was lost: drawn by the canvas from now on')
  await takeOver(source)
}

/** As it would stand by now. Until it works: nobody else brings the graphic back. */
async function takeOver(source: Source) {
  try {
    const opened = await open(source, 'canvas')
    failures = 0
    if (onAir) await opened.show(view, true)
    if (unseen !== undefined) tellPainted(opened, unseen)
    unseen = undefined
  } catch (error) {
    later(error, () => takeOver(source))
  }
}

function later(error: unknown, work: () => void) {
  problem(error instanceof Error ? error.message : String(error))
  window.setTimeout(work, Math.min(LONGEST_AGAIN_MS, AGAIN_MS * 2 ** failures++))
}

const tellPainted = (by: Player, seq: number) => by.afterPaint(() => post('READY', { seq }))

/** Tries until it works: a file that cannot be loaded now may be loaded in a moment. */
async function start(cache: RequestCache = 'default') {
  try {
    const source = await readSource(cache)
    const kind = rendererFor(source.manifest.renderer)
    try {
      await open(source, kind)
    } catch (error) {
      if (kind === 'canvas') throw error
      await open(source, 'canvas')
    }
  } catch (error) {
    // a file that came broken is held by the browser for good, and a reload of the page would not help
    if (cache === 'default') await start('reload')
    else later(error, () => void start('reload'))
  }
}

function merge({ variableValues, data }: Readonly<Record<string, Value>>) {
  view = {
    variables: variableValues === undefined ? view.variables : membersOf(variableValues),
    data: data === undefined ? view.data : membersOf(data),
  }
}

async function receive(message: Readonly<Record<string, Value>>) {
  const { type, settled, serverOffsetMs } = message
  const payload = membersOf(message.payload)
  const seq = Number(payload.seq)
  if (typeof serverOffsetMs === 'number') offsetMs = serverOffsetMs
  if (type === 'HELLO') {
    greeted = true
    if (player) sayReady()
    return
  }
  if (type !== 'LOAD_GRAPHIC' && type !== 'GRAPHIC_UPDATE') return
  merge(payload)
  if (type === 'LOAD_GRAPHIC') onAir = true
  else if (payload.onAir === false) onAir = false
  if (player && type === 'LOAD_GRAPHIC') await player.show(view, settled === true)
  else if (payload.onAir === false) player?.hide(view, settled === true)
  else player?.update(view)
  // it may have lost its context while it waited for pictures
  if (player) tellPainted(player, seq)
  else unseen = seq
}

window.addEventListener('message', ({ source, data }: MessageEvent) => {
  if (source !== window.parent || window.parent === window) return
  const message = membersOf(data)
  // as the page of a code graphic has it from the server
  if (message.type === 'PULSE') post('PULSE', membersOf(message.payload))
  else void receive(message)
})
post('PULSE', { id: 0 })
window.addEventListener('error', ({ message }) => problem(message))
window.addEventListener('unhandledrejection', ({ reason }) => problem(String(reason)))
document.addEventListener('visibilitychange', () => {
  // animations that a hidden source missed are not played afterwards
  if (!document.hidden) player?.settle()
})
void start()
