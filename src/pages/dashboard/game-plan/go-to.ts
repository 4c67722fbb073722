/** Scrolls to a rule once it is drawn, and puts the focus there. */
export function goTo(ruleId: string | undefined): void {
  if (ruleId === undefined) return
  requestAnimationFrame(() => {
    const row = document.querySelector(`[data-id="${CSS.escape(ruleId)}"]`)
    if (!row) return
    row.scrollIntoView({ block: 'center' })
    row.querySelector<HTMLElement>('.plan-sentence')?.focus({ preventScroll: true })
  })
}
