import { type Data, Instance, type Manner } from './instance.ts'
import { type Graphic, type Loaded, loadModule } from './module.ts'

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
/** One that is loaded and was not played yet, by its id. */
let prepared: { id: string; instance: Instance } | undefined
/** Those on their way out. */
const leaving = new Set<Instance>()
/** The seq of the newest show: what the graphic has played is that. */
let shownSeq = 0

const sayReady = () => post('READY', { reportsPaint: true })

/** What is out of view would play its way in whenever it comes into the picture. */
const isPast = (message: Message) =>
  message.settled === true || document.hidden || membersOf(membersOf(message.payload).call).skipAnimation === true

function mannerOf(message: Message): Manner {
  const { delta, goto } = membersOf(membersOf(message.payload).call)
  const isDelta = typeof delta === 'number'
  return { settled: isPast(message), plays: isDelta || typeof goto === 'number', ...(isDelta && { delta }) }
}

function show({ create, stepCount }: Loaded, payload: Message, manner: Manner): Promise<boolean> {
  const data: Data = membersOf(payload.variableValues)
  const step = Number(payload.step ?? 0)
  shownSeq = Number(payload.seq)
  // a double press must not flicker
  if (current) return current.change({ data, step, ...manner })
  for (const one of leaving) one.remove()
  leaving.clear()
  const waiting = prepared
  prepared = undefined
  if (waiting && waiting.id === payload.instance) {
    current = waiting.instance
    return current.change({ data, step, ...manner })
  }
  waiting?.instance.remove()
  current = made(create(), stepCount)
  return current.start(data, step, manner, resolution)
}

function made(element: Graphic, stepCount: number): Instance {
  const instance: Instance = new Instance(element, stepCount, {
    problem,
    played: () => {
      if (current === instance) post('PLAYED', { seq: shownSeq })
    },
  })
  return instance
}

/** Loads it out of sight; one that is loaded already gets new values, or acts. */
async function prepare({ create, stepCount }: Loaded, payload: Message, settled: boolean): Promise<Instance> {
  const data: Data = membersOf(payload.variableValues)
  const id = String(payload.instance)
  if (prepared?.id !== id) {
    prepared?.instance.remove()
    const instance = made(create(), stepCount)
    prepared = { id, instance }
    const isLoaded = await instance.prepare(data, resolution)
    // one that failed is tried anew when it is to play
    if (!isLoaded && prepared?.instance === instance) prepared = undefined
    await act(instance, payload, settled)
    return instance
  }
  const { instance } = prepared
  instance.heed()
  await instance.change({ data, settled })
  await act(instance, payload, settled)
  return instance
}

/** Has the graphic carry out a custom action, when the message asks for one. */
function act(instance: Instance, { customAction }: Message, settled: boolean): Promise<void> | undefined {
  if (!isRecord(customAction) || typeof customAction.id !== 'string') return undefined
  const { id } = customAction
  return instance.act({ id, ...('payload' in customAction && { payload: customAction.payload }) }, settled)
}

/** Tells how a call ended, when somebody waits for it. */
async function answer({ call }: Message, instance: Instance | undefined) {
  const { id } = membersOf(call)
  if (typeof id === 'string') post('ANSWER', { call: id, ...(await instance?.outcome()) })
}

function hide(settled: boolean): void {
  const instance = current
  current = undefined
  if (!instance) return
  leaving.add(instance)
  void instance.stop(settled).then(() => leaving.delete(instance))
}

async function update(payload: Message, manner: Manner): Promise<boolean> {
  const instance = current
  if (!instance) return true
  const { variableValues, step } = payload
  const told = await instance.change({
    ...(isRecord(variableValues) && { data: variableValues }),
    ...(typeof step === 'number' && { step }),
    ...manner,
  })
  await act(instance, payload, manner.settled ?? false)
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
  if (type === 'PREPARE_GRAPHIC' && loaded) {
    await answer(payload, await prepare(loaded, payload, isPast(message)))
    return
  }
  if ((type !== 'LOAD_GRAPHIC' && type !== 'GRAPHIC_UPDATE') || !loaded) return
  const manner = mannerOf(message)
  current?.heed()
  prepared?.instance.heed()
  if (type === 'GRAPHIC_UPDATE' && payload.onAir === false) {
    const leaves = current
    hide(manner.settled ?? false)
    tellPainted(Number(payload.seq))
    // it is asked to stop in a moment
    await new Promise((resolve) => window.setTimeout(resolve))
    await answer(payload, leaves)
    return
  }
  const told = type === 'LOAD_GRAPHIC' ? show(loaded, payload, manner) : update(payload, manner)
  if (await told) tellPainted(Number(payload.seq))
  await answer(payload, current)
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
