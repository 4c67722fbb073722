import { beforeEach, vi } from 'vitest'
import { tellUnavailable } from './unavailable.ts'

/** Milliseconds that a test looks on for what it expects to come; what a busy machine is late with is no fault. As `expect.poll` in the configuration. */
const PATIENCE_MS = 30_000

const patient = Symbol.for('tally.test.patient')

// a file takes up what the one before it left: once is enough
if (!(patient in vi.waitFor)) {
  const waitFor = vi.waitFor
  const patiently: typeof vi.waitFor = (look, options) =>
    waitFor(look, typeof options === 'number' ? options : { timeout: PATIENCE_MS, ...options })
  vi.waitFor = Object.assign(patiently, { [patient]: true })
}

beforeEach(tellUnavailable)
