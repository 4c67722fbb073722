import { isAside, type OverlayAside, type OverlayEvent, type OverlayFact } from '../../machines/overlay/events.ts'

/** Facts of an overlay as the journal keeps them: those of the air, and beside them those of preview and schedule. */
export function apart(facts: readonly OverlayFact[]): { events: OverlayEvent[]; asides?: OverlayAside[] } {
  const events = facts.filter((fact): fact is OverlayEvent => !isAside(fact))
  const asides = facts.filter((fact): fact is OverlayAside => isAside(fact))
  return asides.length > 0 ? { events, asides } : { events }
}
