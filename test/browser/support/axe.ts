import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = { id: string; impact: string | null; nodes: { target: string[]; failureSummary?: string }[] }

/** What axe finds serious or critical on a page as it is now, frames left out: rule, element, and why. */
export async function seriousFindings(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(source)
  // axe is known to the page only; what it passes is not asked for, and need not be described
  const violations = (await page.evaluate(
    'axe.run({ iframes: false, resultTypes: ["violations"] }).then(({ violations }) => violations)',
  )) as Violation[]
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')}: ${node.failureSummary ?? ''}`))
}
