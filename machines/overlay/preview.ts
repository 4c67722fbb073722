import { decide, onPreview } from './decide.ts'
import { fold } from './events.ts'
import { type OnAir, type Overlay, staged } from './model.ts'

/**
 * What is on air, or in rehearsal would be, once everything on preview is taken, in the order in which it lies on screen, the uppermost last. Of what is cued the seqs are
 * those of its cue. show-control: Pictures
 */
export function afterTake(overlay: Overlay): OnAir[] {
  const byShow = (one: OnAir, other: OnAir) => one.loadSeq - other.loadSeq
  const stage: Overlay = { ...staged(overlay), rehearsal: undefined }
  const cues = onPreview(stage)
  if (cues.length === 0) return Object.values(stage.graphics).sort(byShow)
  const after = decide(stage, { type: 'take', seq: Number.MAX_SAFE_INTEGER }).reduce(fold, stage)
  const stays = Object.values(after.graphics).filter(({ graphicId }) => !overlay.preview?.[graphicId])
  return [...stays.sort(byShow), ...cues]
}
