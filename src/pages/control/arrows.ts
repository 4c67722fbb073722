const DIRECTIONS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Moves the focus to the nearest button of a preset in the direction of an arrow key; true when it was one. */
export function moveByArrow(key: string, from: HTMLElement): boolean {
  const direction = DIRECTIONS[key]
  if (!direction) return false
  const [x, y] = direction
  const middle = (element: Element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    return [left + width / 2, top + height / 2] as const
  }
  const [fromX, fromY] = middle(from)
  let nearest: { element: HTMLElement; distance: number } | undefined
  for (const element of document.querySelectorAll<HTMLElement>('.card-face')) {
    const [toX, toY] = middle(element)
    const along = (toX - fromX) * x + (toY - fromY) * y
    const aside = Math.abs((toX - fromX) * y) + Math.abs((toY - fromY) * x)
    if (element === from || along < 8) continue
    const distance = along + aside * 3
    if (!nearest || distance < nearest.distance) nearest = { element, distance }
  }
  nearest?.element.focus()
  return true
}
