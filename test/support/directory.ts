import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { quickPlace } from './quick-place.ts'

/** An empty private directory, removed when the test finishes; ask for it before anything that writes to it is started. */
export function temporaryDirectory(): string {
  const path = mkdtempSync(join(quickPlace(), 'tally-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }))
  return path
}
