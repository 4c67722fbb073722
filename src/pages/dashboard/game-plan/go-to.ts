/** Scrolls to a rule once it is drawn, and puts the focus there. `opens`: somebody wants to work at it. */
export function goTo(ruleId: string | undefined, { opens = false } = {}): void {
  if (ruleId === undefined) return
  requestAnimationFrame(() => {
    const row = document.querySelector(`[data-id="${CSS.escape(ruleId)}"]`)
    if (!row) return
    const sentence = row.querySelector<HTMLElement>('.plan-sentence')
    if (opens && sentence?.getAttribute('aria-expanded') === 'false') sentence.click()
    // what opened may be longer than the window
    requestAnimationFrame(() => {
      row.scrollIntoView({ block: opens ? 'start' : 'center' })
      sentence?.focus({ preventScroll: true })
    })
  })
}
