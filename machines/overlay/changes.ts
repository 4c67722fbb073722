import type { OverlayEvent } from './events.ts'
import type { Ograf, OnAir, Overlay, Shown } from './model.ts'

/** As its seq is that of a command. */
export const changedAt = (onAir: OnAir, seq: number): OnAir =>
  onAir.setSeq === undefined ? { ...onAir, seq } : { ...onAir, seq, setSeq: seq }

/** To a step, or by so many. Beyond the last one it is off air; before the first one there is none. */
export function goTo(
  onAir: OnAir,
  ograf: Ograf,
  command: { goto: number } | { delta: number },
  seq: number,
): OverlayEvent[] {
  const step = Math.max(0, 'goto' in command ? command.goto : ograf.step + command.delta)
  if (ograf.stepCount >= 0 && step >= ograf.stepCount) return [hidden(onAir)]
  return step === ograf.step ? [] : [updated(onAir, { ...changedAt(onAir, seq), ograf: { ...ograf, step } })]
}

/** The graphic comes on air; one that is on air already is loaded anew. */
export function show(overlay: Overlay, graphic: Shown, seq: number): OverlayEvent[] {
  const namesake = namesakeOf(graphic, overlay.graphics)
  const before = overlay.graphics[graphic.graphicId]
  // new keys before the spread. docs/performance.md: hidden classes
  const onAir: OnAir = { loadSeq: seq, seq, ...graphic }
  const shown: OverlayEvent = before
    ? { type: 'graphic.shown', graphic: onAir, was: setAt(before) }
    : { type: 'graphic.shown', graphic: onAir }
  return namesake ? [hidden(namesake), shown] : [shown]
}

/** Names key the manual graphic state; another theme may bring a namesake. */
export function namesakeOf(graphic: Shown, others: Readonly<Record<string, OnAir>> = {}): OnAir | undefined {
  return Object.values(others).find(
    ({ graphicId, graphicName }) => graphicName === graphic.graphicName && graphicId !== graphic.graphicId,
  )
}

/** The seq of the fact that holds it as it is. */
export const setAt = ({ setSeq, seq }: OnAir) => setSeq ?? seq

export function hidden(onAir: OnAir): Extract<OverlayEvent, { type: 'graphic.hidden' }> {
  const { graphicId, graphicName, presetId, sectionId, play } = onAir
  const was = setAt(onAir)
  return play === undefined
    ? { type: 'graphic.hidden', graphicId, graphicName, presetId, sectionId, was }
    : { type: 'graphic.hidden', graphicId, graphicName, presetId, sectionId, play, was }
}

export const updated = (before: OnAir, graphic: OnAir): Extract<OverlayEvent, { type: 'graphic.updated' }> => ({
  type: 'graphic.updated',
  graphic,
  was: setAt(before),
})
