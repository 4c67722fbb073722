import type { z } from 'zod'
import type { GraphicChange, Unnumbered } from '../../../machines/overlay/decide.ts'
import { onPreview } from '../../../machines/overlay/decide.ts'
import { type Overlay as OverlayState, type RundownPosition, staged } from '../../../machines/overlay/model.ts'
import { toldRundown } from '../../../machines/overlay/told.ts'
import type { OverlayCard } from '../../catalog/cards.ts'
import type { Context } from '../../context.ts'
import { invalid, notCued, rundownAtEnd, rundownMoved } from '../../errors.ts'
import { graphicsAnswer } from '../overlays/queries.ts'
import { decideTake } from '../overlays/take.ts'
import { cueOf, ownOverlay, refusalsOf, rundownItems } from './queries.ts'
import type { RundownAnswer, StoredItem } from './schema.ts'

type Move = { ifPosition?: string | null | undefined } & ({ to: 'next' | 'previous' } | { to: 'item'; itemId: string })
type Skipped = z.output<typeof RundownAnswer>['skipped'][number]

/**
 * Moves the rundown in one commit: `next` takes what it has on preview and cues the item behind it, `previous` and `item` cue another one
 * and leave the air alone. Items that cannot be shown any more are skipped. Throws rundownMoved, rundownAtEnd, notFound and forbidden.
 */
export async function moveRundown(
  ctx: Context,
  overlayId: number,
  move: Move,
): Promise<z.output<typeof RundownAnswer>> {
  const overlay = await ownOverlay(ctx, overlayId)
  let skipped: Skipped[] = []
  return ctx.actors.send(ctx, 'overlay', overlayId, {
    asked: askedOf(move),
    async decide(state) {
      skipped = []
      return decideMove({ ctx, overlay, state: staged(state), skipped }, move)
    },
    reply: (state) => ({ ...graphicsAnswer(overlayId, state), position: toldRundown(state.rundown), skipped }),
    refused: () => notCued(),
  })
}

/** As the as-run log calls it: an item that was chosen is cued like any other. */
const askedOf = ({ to, ...rest }: Move) => ({ type: to === 'item' ? 'cue' : to, ...rest })

type Under = { ctx: Context; overlay: OverlayCard; state: OverlayState; skipped: Skipped[] }

const START: RundownPosition = { cued: null, taken: null, index: 0 }

async function decideMove(under: Under, move: Move): Promise<Unnumbered> {
  const { ctx, overlay, state } = under
  const position = state.rundown ?? START
  const { cued } = position
  if (move.ifPosition !== undefined && move.ifPosition !== (cued?.id ?? null)) throw rundownMoved(toldRundown(position))
  const items = await rundownItems(ctx.db.sql, overlay.id)
  const here = placeIn(items, position)
  if (move.to === 'item') {
    const place = items.findIndex(({ id }) => id === move.itemId)
    const found = place < 0 ? undefined : await nearest(under, items, [place])
    if (found) return { type: 'moveRundown', take: null, ...found }
    const message = under.skipped[0]?.reason ?? 'no such item'
    throw invalid({ 'body.itemId': { message, value: move.itemId } })
  }
  if (move.to === 'previous') {
    const found = await nearest(under, items, range(here - 1, -1))
    if (!found) throw rundownAtEnd('previous', under.skipped.length)
    return { type: 'moveRundown', take: null, ...found }
  }
  const isThere = cued !== null && onPreview(state, cued.presetId).length > 0
  // what was taken off preview by hand comes there again: nothing is skipped that nobody has seen
  const from = isThere && items[here]?.id === cued.id ? here + 1 : here
  const found = await nearest(under, items, range(from, items.length))
  if (!found && !isThere) throw rundownAtEnd('next', under.skipped.length)
  const take = isThere ? await decideTake(under, { presetId: cued.presetId }) : null
  return { type: 'moveRundown', take, ...(found ?? { cue: null, index: items.length }) }
}

/** The place of the item that is cued, or that comes next; of one that is gone from the list, where it was. */
function placeIn(items: readonly StoredItem[], { cued, taken, index }: RundownPosition): number {
  const known = cued ?? taken
  const place = known ? items.findIndex(({ id }) => id === known.id) : -1
  if (place < 0) return Math.min(index, items.length)
  return cued ? place : place + 1
}

/** Places from the first up to the last, which is none of them; downwards when that is below. */
function range(from: number, to: number): number[] {
  const step = to < from ? -1 : 1
  return Array.from({ length: Math.abs(to - from) }, (_, index) => from + step * index)
}

/** The first of these places whose item can be shown; what is passed over is noted. */
async function nearest(under: Under, items: readonly StoredItem[], places: readonly number[]) {
  for (const index of places) {
    const item = items[index]
    if (!item) continue
    try {
      const { graphic } = (await cueOf(under, item)) as Extract<GraphicChange, { type: 'cue' }>
      const { id, presetId, untilNext } = item
      return { cue: { graphic, item: { id, presetId, untilNext } }, index }
    } catch (error) {
      under.skipped.push({ id: item.id, reason: Object.values(refusalsOf(error))[0] ?? 'cannot be shown' })
    }
  }
  return undefined
}
