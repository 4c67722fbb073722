import type { OverlayEvent } from '../../../machines/overlay/events.ts'
import { type OnAir, staged } from '../../../machines/overlay/model.ts'
import { afterTake } from '../../../machines/overlay/preview.ts'
import type { Committed } from '../ports.ts'
import type { Change, Projection } from './side-picture.ts'

/** What would be on air, as a rehearsal has it. */
export const REHEARSAL: Projection = {
  topic: (overlayId) => `overlay/${overlayId}/rehearsal`,
  view: ({ seq, context }) => ({ seq, context: staged(context) }),
  step: (_, { overlay, seq, events }) => ({ view: { seq, context: staged(overlay) }, events }),
}

/** What will be on air after the take, also of a rehearsal. */
export const PREVIEW: Projection = {
  topic: (overlayId) => `preview/${overlayId}`,
  view: previewOf,
  step: previewStep,
}

/**
 * The view of a state from nothing. All of it has the seq of the state: a cue that is taken back leaves a graphic as an older commit made it,
 * and a renderer takes nothing that is older than what it has.
 */
function previewOf({ seq, context }: Committed): Committed {
  const graphics: Record<string, OnAir> = {}
  for (const graphic of afterTake(context)) graphics[graphic.graphicId] = { ...graphic, loadSeq: seq, seq }
  return { seq, context: { graphics, revisions: context.revisions } }
}

/** The view after a commit and what changed in it, as facts. What is taken looks as it did on preview, so nothing is told of it. */
function previewStep(before: Committed, { overlay, seq, events }: Change): { view: Committed; events: OverlayEvent[] } {
  const refreshes = events.filter(({ type }) => type === 'data.refreshed')
  const isShown = (id: string) =>
    events.some((event) => event.type === 'graphic.shown' && event.graphic.graphicId === id)
  const graphics: Record<string, OnAir> = {}
  const facts: OverlayEvent[] = []
  for (const graphic of afterTake(overlay)) {
    const { graphicId } = graphic
    const was = before.context.graphics[graphicId]
    if (was && looksAlike(was, graphic)) {
      graphics[graphicId] = { ...graphic, loadSeq: was.loadSeq, seq: refreshes.length > 0 ? seq : was.seq }
      continue
    }
    const comes =
      !was || !isSameBundle(was, graphic) || overlay.preview?.[graphicId] !== undefined || isShown(graphicId)
    const told = { ...graphic, loadSeq: comes ? seq : was.loadSeq, seq }
    graphics[graphicId] = told
    facts.push({ type: comes ? 'graphic.shown' : 'graphic.updated', graphic: told })
  }
  const gone = Object.values(before.context.graphics).filter(({ graphicId }) => !Object.hasOwn(graphics, graphicId))
  return {
    view: { seq, context: { graphics, revisions: overlay.revisions } },
    events: [...gone.map(hidden), ...facts, ...refreshes],
  }
}

const isSameBundle = (one: OnAir, other: OnAir) =>
  one.url === other.url && one.version === other.version && one.themeVersion === other.themeVersion

const looksAlike = (one: OnAir, other: OnAir) =>
  isSameBundle(one, other) &&
  one.presetId === other.presetId &&
  JSON.stringify(one.values) === JSON.stringify(other.values)

const hidden = ({ graphicId, graphicName, presetId, sectionId }: OnAir): OverlayEvent => ({
  type: 'graphic.hidden',
  graphicId,
  graphicName,
  presetId,
  sectionId,
})
