import type { Params } from './params.ts'
import type { Stage } from './stage.ts'

/** Fits the stage into the viewport (or `?width&height`), in the middle, with its own proportions. */
export function fitStage(stage: Stage, { width, height, scale }: Params) {
  const place = () => {
    const box = { width: width ?? window.innerWidth, height: height ?? window.innerHeight }
    const factor = scale ?? Math.min(box.width / stage.size.width, box.height / stage.size.height)
    const left = scale ? 0 : (box.width - stage.size.width * factor) / 2
    const top = scale ? 0 : (box.height - stage.size.height * factor) / 2
    stage.element.style.transform = `translate(${left}px, ${top}px) scale(${factor})`
  }
  window.addEventListener('resize', place)
  place()
  return place
}
