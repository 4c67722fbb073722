import { parentPort, workerData } from 'node:worker_threads'
import { now } from './clock.ts'
import { createCrowd, Renderer } from './renderer.ts'
import type { Ask, ThreadData } from './renderers.ts'

// A page reports two animation frames after arrival, at most ten times a second, and pages are not in step.
const slotMs = 4
const slots = Array.from({ length: 64 }, (): Renderer[] => [])
const quickestPaintMs = 17
const paintSpreadMs = 17
const paintEveryMs = 100
const openAtOnce = 100

const { origin, samples, triggers, paints } = workerData as ThreadData
const crowd = createCrowd(origin, samples, triggers)
const renderers: Renderer[] = []

let slot = 0
let waiting = 0
// no ticks while nothing is due: the renderers of the targets that are not measured now would take a core 250 times a second
let ticking: NodeJS.Timeout | undefined

function tick(): void {
  slot = (slot + 1) % slots.length
  const due = slots[slot]
  if (!due || due.length === 0) return
  slots[slot] = []
  const at = now()
  for (const renderer of due) renderer.reportPaint(at)
  waiting -= due.length
  if (waiting > 0) return
  clearInterval(ticking)
  ticking = undefined
}

if (paints)
  crowd.paint = (renderer) => {
    const soonest = Math.max(quickestPaintMs, renderer.paintedAt + paintEveryMs - now())
    const wait = Math.min(slots.length - 1, Math.ceil((soonest + Math.random() * paintSpreadMs) / slotMs))
    slots[(slot + wait) % slots.length]?.push(renderer)
    waiting++
    ticking ??= setInterval(tick, slotMs).unref()
  }

async function open(keys: readonly string[]): Promise<void> {
  for (let from = 0; from < keys.length; from += openAtOnce) {
    const target = Math.min(from + openAtOnce, keys.length)
    const before = crowd.seen.ready
    for (const key of keys.slice(from, target)) renderers.push(new Renderer(crowd, key))
    const deadline = now() + 10_000
    while (crowd.seen.ready - before < target - from) {
      if (now() > deadline || crowd.seen.closed > 0)
        throw new Error(
          `only ${from + crowd.seen.ready - before} of ${keys.length} renderers got a HELLO; closed: ${JSON.stringify(crowd.seen.closeCodes)}`,
        )
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
  }
}

parentPort?.on('message', async (ask: Ask) => {
  try {
    if (ask.type === 'open') await open(ask.keys)
    if (ask.type === 'measure') {
      crowd.firstNumber = ask.firstNumber
      samples.count[0] = 0
      Object.assign(crowd.seen, { frames: 0, bytes: 0, backwards: 0, paints: 0 })
    }
    if (ask.type === 'close') for (const renderer of renderers.splice(0)) renderer.close()
    parentPort?.postMessage({ seen: crowd.seen })
  } catch (error) {
    parentPort?.postMessage({ seen: crowd.seen, error: String(error) })
  }
})
