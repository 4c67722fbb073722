import { type Data, Instance } from './instance.ts'
import { type Loaded, loadModule } from './module.ts'

/**
 * The page that hosts an OGraf graphic, like a bundle's own page of a code graphic, with the same messages: it calls the methods of the
 * graphic's web component. integrations: OGraf import
 */

const MOST_PROBLEMS = 100

type Message = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Message => typeof value === 'object' && value !== null
const membersOf = (value: unknown): Message => (isRecord(value) ? value : {})

const post = (type: string, payload: object) => window.parent.postMessage({ type, payload }, '*')
let said = 0
const problem = (message: string) => {
  if (said++ < MOST_PROBLEMS) post('ERROR', { message })
}

let resolution = { width: 1920, height: 1080 }
let greeted = false
let loaded: Loaded | undefined
/** The one on air. */
let current: Instance | undefined
/** Those on their way out. */
const leaving = new Set<Instance>()
/** The seq of the newest show: what the graphic has played is that. */
let shownSeq = 0

const sayReady = () => post('READY', { reportsPaint: true })

/** What is out of view would play its way in whenever it comes into the picture. */
const isPast = (message: Message) => message.settled === true || document.hidden

function show({ create, stepCount }: Loaded, payload: Message, settled: boolean): Promise<boolean> {
  const data: Data = membersOf(payload.variableValues)
  const step = Number(payload.step ?? 0)
  shownSeq = Number(payload.seq)
  // a double press must not flicker
  if (current) return current.change({ data, step, settled })
  for (const one of leaving) one.remove()
  leaving.clear()
  const instance: Instance = new Instance(create(), stepCount, {
    problem,
    played: () => {
      if (current === instance) post('PLAYED', { seq: shownSeq })
    },
  })
  current = instance
  return instance.start(data, step, settled, resolution)
}

function hide(settled: boolean): void {
  const instance = current
  current = undefined
  if (!instance) return
  leaving.add(instance)
  void instance.stop(settled).then(() => leaving.delete(instance))
}

async function update(payload: Message, settled: boolean): Promise<boolean> {
  const instance = current
  if (!instance) return true
  const { variableValues, step, customAction } = payload
  const told = await instance.change({
    ...(isRecord(variableValues) && { data: variableValues }),
    ...(typeof step === 'number' && { step }),
    settled,
  })
  if (isRecord(customAction) && typeof customAction.id === 'string')
    await instance.act({ id: customAction.id, ...('payload' in customAction && { payload: customAction.payload }) })
  return told
}

/** Painted when two frames were drawn after the graphic was told. */
function tellPainted(seq: number) {
  requestAnimationFrame(() => requestAnimationFrame(() => post('READY', { seq })))
}

async function receive(message: Message) {
  const { type } = message
  const payload = membersOf(message.payload)
  if (type === 'HELLO') {
    const { width, height } = payload
    if (typeof width === 'number' && typeof height === 'number') resolution = { width, height }
    greeted = true
    if (loaded) sayReady()
    return
  }
  if ((type !== 'LOAD_GRAPHIC' && type !== 'GRAPHIC_UPDATE') || !loaded) return
  const settled = isPast(message)
  if (type === 'GRAPHIC_UPDATE' && payload.onAir === false) {
    hide(settled)
    tellPainted(Number(payload.seq))
    return
  }
  const told = type === 'LOAD_GRAPHIC' ? show(loaded, payload, settled) : update(payload, settled)
  if (await told) tellPainted(Number(payload.seq))
}

window.addEventListener('message', ({ source, data }: MessageEvent) => {
  if (source !== window.parent || window.parent === window) return
  const message = membersOf(data)
  // as the page of a code graphic has it from the server
  if (message.type === 'PULSE') post('PULSE', membersOf(message.payload))
  else void receive(message)
})
post('PULSE', { id: 0 })

const nameOf = (url: string) => url.replace(/^.*\/bundles\/[^/]+\//, '')
window.addEventListener(
  'error',
  ({ message, filename, lineno, target }) => {
    const place = filename ? ` (${nameOf(filename)}:${lineno})` : ''
    const { src, href, localName } = target as { src?: string; href?: string; localName?: string }
    problem(target === window ? `${message}${place}` : `${nameOf(src ?? href ?? localName ?? '')} did not load`)
  },
  true,
)
window.addEventListener('unhandledrejection', ({ reason }) => problem(String(reason)))
window.addEventListener('beforeunload', () => post('PULSE', { id: -1 }))

try {
  loaded = await loadModule(new URLSearchParams(location.search).get('manifest') ?? '')
  if (greeted) sayReady()
} catch (error) {
  problem(error instanceof Error ? error.message : String(error))
}
