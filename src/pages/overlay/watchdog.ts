import type { Frame } from './frame.ts'
import type { Slot, SlotEvents } from './slot.ts'

const EVERY_MS = 1_000
const HUNG_MS = 10_000
/** The browser ends their process when it has no frame left. */
const ENDED_AFTER_MS = 500
/** What hung comes back when the others are there. */
const SECOND_CHANCE_MS = 3_000
const MOST_HANGS = 2
/** A hang so long after the one before it is another matter. */
const FORGIVEN_MS = 600_000

type Hung = { slot: Slot; frame: Frame; told: boolean; at: number }

/**
 * Looks after graphics that hang. An engine that has them in a process beside the page has all of them in one: a graphic that never comes to
 * its end stops all others. A new process is had by giving up every frame of the old one.
 */
export function watch(slots: ReadonlyMap<string, Slot>, events: Pick<SlotEvents, 'problem'>) {
  let steadySince = performance.now()
  let looked = steadySince
  const hangs = new Map<Slot, { count: number; at: number }>()

  const look = () => {
    const now = performance.now()
    // a page that itself was held up, or is not seen, cannot tell
    if (now - looked > 2 * EVERY_MS || document.hidden) steadySince = now
    looked = now
    const frames = [...slots.values()].flatMap((slot) => slot.frames.map((frame) => ({ slot, frame })))
    const asked = frames.flatMap(({ slot, frame }) => (frame.silence ? [{ slot, frame, ...frame.silence }] : []))
    const hung = asked.flatMap(({ slot, frame, unanswered }): Hung[] =>
      unanswered && now - Math.max(unanswered.at, steadySince) > HUNG_MS ? [{ slot, frame, ...unanswered }] : [],
    )
    if (hung.length > 0) {
      if (asked.every(({ unanswered }) => unanswered !== undefined)) startAnew(culpritOf(hung, frames))
      else for (const { frame } of hung) frame.giveUp('it hangs')
    }
    for (const { frame } of frames) frame.ask()
  }

  const startAnew = (culprit: Slot) => {
    const now = performance.now()
    const before = hangs.get(culprit)
    const count = before && now - before.at < FORGIVEN_MS ? before.count + 1 : 1
    hangs.set(culprit, { count, at: now })
    const leaveOut = count >= MOST_HANGS
    const what = leaveOut ? 'it is left out until it is shown or updated' : 'all are loaded anew'
    events.problem(culprit.name, `it hangs, and all graphics with it: ${what}`)
    for (const slot of slots.values()) slot.abandon({ leaveOut: slot === culprit && leaveOut, bar: slot === culprit })
    const others = [...slots.values()].filter((slot) => slot !== culprit)
    window.setTimeout(() => {
      for (const slot of others) slot.revive()
    }, ENDED_AFTER_MS)
    if (!leaveOut) window.setTimeout(() => culprit.revive(), SECOND_CHANCE_MS)
  }

  window.setInterval(look, EVERY_MS)
}

/** They are told and asked in one order: the first that owes an answer behind a message hangs in it. */
function culpritOf(hung: readonly Hung[], frames: readonly { slot: Slot; frame: Frame }[]): Slot {
  const [first] = hung.filter(({ told }) => told).sort((one, other) => one.at - other.at)
  const starting = frames.filter(({ frame }) => !frame.ready).at(-1)
  const [any] = frames
  return (first ?? starting ?? any)?.slot as Slot
}
