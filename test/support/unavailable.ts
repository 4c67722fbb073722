import type { BrowserContext } from 'playwright-core'
import type { TestContext } from 'vitest'

/** What pages asked for since the test began and a server had no time for. Of the process: a file takes up what the one before it imported. */
const refused = new Map<string, number>()

/** Notes the 503 that pages of the context are answered. */
export function noteUnavailable(context: BrowserContext): void {
  context.on('response', (response) => {
    if (response.status() !== 503) return
    const asked = `${response.request().method()} ${new URL(response.url()).pathname}`
    refused.set(asked, (refused.get(asked) ?? 0) + 1)
  })
}

/**
 * A page that says "Temporarily unavailable, try again" fails a test by what it does not show, and such a failure has no word of it:
 * it gets one, as a test that asks by itself has it in what it was answered.
 */
export function tellUnavailable({ onTestFailed }: TestContext): void {
  refused.clear()
  onTestFailed(({ task }) => {
    const last = task.result?.errors?.at(-1)
    if (!last || refused.size === 0) return
    const asked = [...refused].map(([what, times]) => `${what} (${times})`).join(', ')
    last.message = `${last.message}\nPages were answered "Temporarily unavailable, try again": ${asked}`
  })
}
