import type { Before, Unnumbered } from '../../../machines/overlay/decide.ts'
import { asShown } from '../../../machines/overlay/decide.ts'
import type { OnAir, Overlay as OverlayState } from '../../../machines/overlay/model.ts'
import { graphicOf, undoable } from '../../../machines/overlay/undo.ts'
import type { OverlayCard } from '../../catalog/cards.ts'
import type { Context } from '../../context.ts'
import { nothingToUndo } from '../../errors.ts'
import { allowedValues } from './ads.ts'
import { recentCommands } from './undo.queries.ts'

/**
 * What takes back the last command that changed what is on air: graphics as they were before it, with what is left of their time. `seq`: only
 * when it is this one. Throws nothingToUndo. show-control: Commands
 */
export async function decideUndo(
  { ctx, overlay, state }: { ctx: Context; overlay: OverlayCard; state: OverlayState },
  seq?: number,
): Promise<Unnumbered> {
  const { sql } = ctx.db
  const { now, recent, before } = await recentCommands(sql, overlay.id, state.rehearsal?.since)
  const last = undoable(recent)
  if (!last || (seq !== undefined && last.command.seq !== seq)) throw nothingToUndo()
  const { touches } = last
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

/** `isThere`: on air by the same show, so that its time runs from there; else it is shown anew for the rest of it. */
function restored(graphic: OnAir, { leftMs, isThere }: { leftMs: number | undefined; isThere: boolean }): Before {
  // somebody has it on air now, whatever had before
  const { play: _play, ...shown } = asShown(graphic)
  if (leftMs === undefined) return { graphic: shown, loadSeq: graphic.loadSeq }
  const lasting = isThere ? shown : { ...shown, durationSeconds: leftMs / 1000 }
  return { graphic: lasting, loadSeq: graphic.loadSeq, leftMs }
}
