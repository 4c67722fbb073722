import type { OverlayEvent } from './events.ts'
import type { OnAir } from './model.ts'

/** How long a command can be undone, s. show-control: Commands */
export const UNDO_SECONDS = 30

/** A fact about one graphic on air. */
export type Touch = Exclude<OverlayEvent, { type: 'data.refreshed' }>

/** A commit, by the principal that asked for it. */
export type Recent = { action: string; principal: { type: string }; events: readonly OverlayEvent[] }

/** What an undo looks at. */
export type RecentCommands<R extends Recent> = {
  /** The commits of the last 30 s that changed what is on air, the newest first. */
  recent: readonly R[]
  /** The graphics that it would bring back as they were, by id, and until when those with a time are on air, ms since 1970. */
  before: ReadonlyMap<string, { graphic: OnAir; until: number | undefined }>
}

/** The server and the game plan are nobody: what they did is undone by no press, and undone is what somebody did before. */
const SOMEBODY: ReadonlySet<string> = new Set(['key', 'person', 'link'])

export const isOfSomebody = ({ principal }: Pick<Recent, 'principal'>): boolean => SOMEBODY.has(principal.type)

const isTouch = (event: OverlayEvent): event is Touch => event.type !== 'data.refreshed'
export const touchesOf = ({ events }: Pick<Recent, 'events'>): Touch[] => events.filter(isTouch)
export const graphicOf = (touch: Touch) => (touch.type === 'graphic.hidden' ? touch : touch.graphic)

/**
 * The last command of somebody and what it did, when nobody touched that since; undefined: there is nothing to undo. `recent`: commits of the
 * last 30 s that changed what is on air, the newest first.
 */
export function undoable<R extends Recent>(recent: readonly R[]): { command: R; touches: Touch[] } | undefined {
  const index = recent.findIndex(isOfSomebody)
  const command = recent[index]
  if (!command || command.action === 'undo') return undefined
  const touches = touchesOf(command)
  // what a graphic did once nobody can take back
  if (touches.some((touch) => touch.type === 'graphic.updated' && touch.customAction)) return undefined
  const since = recent.slice(0, index).flatMap(touchesOf).map(graphicOf)
  // of two graphics with one name only one is on air
  const isTouched = touches
    .map(graphicOf)
    .some(({ graphicId, graphicName }) =>
      since.some((other) => other.graphicId === graphicId || other.graphicName === graphicName),
    )
  return touches.length === 0 || isTouched ? undefined : { command, touches }
}
