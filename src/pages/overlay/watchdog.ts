import type { Slot } from './slot.ts'

const EVERY_MS = 1_000
const HUNG_MS = 5_000

/**
 * Tells when graphics do not run any more. Engines that have them in a process beside the page have all of them in one, with those
 * of all other pages of the host: which of them hangs nobody can see, and no page alone can end that process.
 */
export function watch(slots: ReadonlyMap<string, Slot>) {
  let steadySince = performance.now()
  let looked = steadySince
  const told = new WeakSet<Slot>()

  window.setInterval(() => {
    const now = performance.now()
    // a page that itself was held up, or is not seen, cannot tell
    if (now - looked > 2 * EVERY_MS || document.hidden) steadySince = now
    looked = now
    for (const slot of slots.values()) {
      const { silentSince = now } = slot
      const hangs = now - Math.max(silentSince, steadySince) > HUNG_MS
      if (hangs && !told.has(slot)) {
        told.add(slot)
        const seconds = Math.round((now - silentSince) / 1_000)
        slot.note(`does not run since ${seconds} s: it hangs, or another one does`, 'answer')
      }
      if (silentSince === now) {
        told.delete(slot)
        slot.trouble.answered()
      }
      slot.ask()
    }
  }, EVERY_MS)
}
