import type { Before, Unnumbered } from '../../../machines/overlay/decide.ts'
import { asShown } from '../../../machines/overlay/decide.ts'
import type { OverlayEvent } from '../../../machines/overlay/events.ts'
import type { OnAir, Overlay as OverlayState } from '../../../machines/overlay/model.ts'
import type { OverlayCard } from '../../catalog/cards.ts'
import type { Context } from '../../context.ts'
import { nothingToUndo } from '../../errors.ts'
import { allowedValues } from './ads.ts'
import { entriesBefore, latestCommands } from './undo.queries.ts'

type Touch = Exclude<OverlayEvent, { type: 'data.refreshed' }>
type Recent = { action: string; principal: { type: string }; events: readonly OverlayEvent[] }

/** The server and the game plan are nobody: what they did is undone by no press, and undone is what somebody did before. */
const SOMEBODY: ReadonlySet<string> = new Set(['key', 'person', 'link'])

const isTouch = (event: OverlayEvent): event is Touch => event.type !== 'data.refreshed'
const touchesOf = ({ events }: Recent): Touch[] => events.filter(isTouch)
const graphicOf = (touch: Touch) => (touch.type === 'graphic.hidden' ? touch : touch.graphic)

/**
 * What takes back the last command that changed what is on air: graphics as they were before it, with what is left of their time. Throws
 * nothingToUndo. show-control: Commands
 */
export async function decideUndo({
  ctx,
  overlay,
  state,
}: {
  ctx: Context
  overlay: OverlayCard
  state: OverlayState
}): Promise<Unnumbered> {
  const { sql } = ctx.db
  const rehearsal = state.rehearsal?.since
  const { now, recent } = await latestCommands(sql, overlay.id, rehearsal)
  const touches = lastOf(recent)
  const before = await entriesBefore(
    sql,
    overlay.id,
    touches.flatMap((touch) =>
      touch.was === undefined ? [] : { graphicId: graphicOf(touch).graphicId, was: touch.was },
    ),
    rehearsal,
  )
  const off: string[] = []
  const back: Before[] = []
  for (const touch of touches) {
    const { graphicId } = graphicOf(touch)
    const onAir = state.graphics[graphicId]
    const found = before.get(graphicId)
    // a journal that does not hold it any more
    if (!found && (touch.was !== undefined || touch.type === 'graphic.hidden')) throw nothingToUndo()
    const leftMs = found?.until === undefined ? undefined : found.until - now
    if (!found || (leftMs !== undefined && leftMs <= 0)) {
      // it was off air, or would have gone by itself
      if (onAir) off.push(graphicId)
      continue
    }
    const { graphic } = found
    const values = await allowedValues(ctx, overlay, graphic)
    back.push(restored({ ...graphic, values }, { leftMs, isThere: onAir?.loadSeq === graphic.loadSeq }))
  }
  if (off.length + back.length === 0) throw nothingToUndo()
  return { type: 'undo', off, back }
}

/** What the last command of somebody did, when nobody touched that since. `recent`: the newest first. */
function lastOf(recent: readonly Recent[]): Touch[] {
  const index = recent.findIndex(({ principal }) => SOMEBODY.has(principal.type))
  const last = recent[index]
  if (!last || last.action === 'undo') throw nothingToUndo()
  const touches = touchesOf(last)
  const since = recent.slice(0, index).flatMap(touchesOf).map(graphicOf)
  // of two graphics with one name only one is on air
  const isTouched = touches
    .map(graphicOf)
    .some(({ graphicId, graphicName }) =>
      since.some((other) => other.graphicId === graphicId || other.graphicName === graphicName),
    )
  if (touches.length === 0 || isTouched) throw nothingToUndo()
  return touches
}

/** `isThere`: on air by the same show, so that its time runs from there; else it is shown anew for the rest of it. */
function restored(graphic: OnAir, { leftMs, isThere }: { leftMs: number | undefined; isThere: boolean }): Before {
  // somebody has it on air now, whatever had before
  const { play: _play, ...shown } = asShown(graphic)
  if (leftMs === undefined) return { graphic: shown, loadSeq: graphic.loadSeq }
  const lasting = isThere ? shown : { ...shown, durationSeconds: leftMs / 1000 }
  return { graphic: lasting, loadSeq: graphic.loadSeq, leftMs }
}
