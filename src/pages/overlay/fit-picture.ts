import type { Stage } from './stage.ts'
import { placeStage } from './viewport.ts'

/** Keeps the picture of a stage as large as it can be within `area`. Answers how to stop that. */
export function fitPicture(stage: Stage, area: HTMLElement, picture: HTMLElement): () => void {
  const { width, height } = stage.size
  const place = () => {
    const factor = Math.min(area.clientWidth / width, area.clientHeight / height)
    picture.style.width = `${Math.floor(width * factor)}px`
    picture.style.height = `${Math.floor(height * factor)}px`
    placeStage(stage, { width: picture.clientWidth, height: picture.clientHeight })
  }
  const observer = new ResizeObserver(place)
  observer.observe(area)
  place()
  return () => observer.disconnect()
}
