import type { Moment } from './runtime.ts'

const SMALLEST = 0.55

/** The element with this id; a graphic's page and its script are one bundle, so a missing one is a mistake in it. */
export function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`no element #${id}`)
  return found
}

/** Puts text in; a change that viewers see rises into place. */
export function setText(target: HTMLElement, text: string, { instant }: Moment) {
  if (target.textContent === text) return
  target.textContent = text
  if (instant) return
  target.animate(
    [
      { opacity: 0, transform: 'translateY(35%)' },
      { opacity: 1, transform: 'none' },
    ],
    { duration: 320, easing: 'cubic-bezier(0.16, 1, 0.3, 1)' },
  )
}

/** Shrinks text that is too wide for its box; text that still does not fit ends in an ellipsis by CSS. */
export function fitText(target: HTMLElement) {
  target.style.fontSize = ''
  const { clientWidth, scrollWidth } = target
  if (scrollWidth <= clientWidth || clientWidth === 0) return
  const { fontSize, paddingLeft, paddingRight } = getComputedStyle(target)
  const padding = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight)
  // the width that the browser tells has no fractions
  const ratio = (clientWidth - padding - 1) / (scrollWidth - padding)
  target.style.fontSize = `${Number.parseFloat(fontSize) * Math.max(SMALLEST, ratio)}px`
}

/** Shrinks wrapped text until its longest word and all its lines fit; a word that is still too wide is broken. */
export function fitBlock(target: HTMLElement) {
  target.style.fontSize = ''
  target.style.overflowWrap = ''
  const size = Number.parseFloat(getComputedStyle(target).fontSize)
  for (let factor = 0.95; overflows(target) && factor >= SMALLEST; factor -= 0.05)
    target.style.fontSize = `${size * factor}px`
  if (overflows(target)) target.style.overflowWrap = 'anywhere'
}

const overflows = ({ clientWidth, scrollWidth, clientHeight, scrollHeight }: HTMLElement) =>
  scrollWidth > clientWidth || scrollHeight > clientHeight

/** A string variable that is set and not blank. */
export function given(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  const text = String(value).trim()
  return text === '' ? undefined : text
}
