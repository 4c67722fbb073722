import type { Params } from './params.ts'
import type { Size } from './protocol.ts'
import type { Stage } from './stage.ts'

/** Puts the stage into the middle of a box, as large as fits. */
export function placeStage({ element, size }: Stage, box: Size) {
  const factor = Math.min(box.width / size.width, box.height / size.height)
  const left = (box.width - size.width * factor) / 2
  const top = (box.height - size.height * factor) / 2
  element.style.transform = `translate(${left}px, ${top}px) scale(${factor})`
}

/** Fits the stage into the viewport (or `?width&height`), in the middle, with its own proportions. */
export function fitStage(stage: Stage, { width, height, scale }: Partial<Params>) {
  const place = () => {
    if (scale) stage.element.style.transform = `translate(0px, 0px) scale(${scale})`
    else placeStage(stage, { width: width ?? window.innerWidth, height: height ?? window.innerHeight })
  }
  window.addEventListener('resize', place)
  place()
  return place
}
