/** Where a picture lies in a square: how much of it is seen, and where its middle is, from 0 to 1 of the square. */
export type Crop = { zoom: number; x: number; y: number }

export const WHOLE: Crop = { zoom: 1, x: 0.5, y: 0.5 }
export const MAX_ZOOM = 8

type Size = { width: number; height: number }
type Box = Size & { left: number; top: number }

/** The box in which a picture is drawn into a square of `side` pixels: at zoom 1 all of it is in. */
export function boxOf({ width, height }: Size, { zoom, x, y }: Crop, side: number): Box {
  const scale = (side / Math.max(width, height, 1)) * zoom
  const drawn = { width: width * scale, height: height * scale }
  return { ...drawn, left: x * side - drawn.width / 2, top: y * side - drawn.height / 2 }
}

/** A crop that keeps some of the picture in the square: its middle may go as far as it is larger, and a quarter more. */
export function kept(size: Size, crop: Crop): Crop {
  const zoom = Math.min(MAX_ZOOM, Math.max(0.5, crop.zoom))
  const box = boxOf(size, { ...crop, zoom }, 1)
  const within = (value: number, length: number) => {
    const room = Math.max(0, (length - 1) / 2) + 0.25
    return Math.min(0.5 + room, Math.max(0.5 - room, value))
  }
  return { zoom, x: within(crop.x, box.width), y: within(crop.y, box.height) }
}
