import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ProgramEvent, ProgramSpec } from '../../src/media/ports.ts'
import { RunningProgram } from '../../src/media/running-program.ts'
import { quiet } from '../support/ingest.ts'

const HOUR_MS = 3_600_000
const spec: ProgramSpec = {
  streamId: 1,
  run: 1,
  readUrl: 'rtmp://127.0.0.1/in',
  publishUrl: 'rtmp://127.0.0.1/out',
  pageUrl: 'http://127.0.0.1/overlay',
  hidden: false,
  width: 1280,
  height: 720,
  fps: 25,
  videoBitrateKb: 3_000,
  inputVolume: 100,
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('[issue 5.5] an encoder that failed is started again after its wait, also when the clock is set back meanwhile', async () => {
  const listeners: ((event: ProgramEvent) => void)[] = []
  const program = new RunningProgram({
    start: (_, listener) => {
      listeners.push(listener)
      return {
        setHidden: () => {},
        setPage: () => {},
        measured: () => ({ bitrateKb: null, history: [], cpuPercent: null, rssBytes: null }),
        stop: async () => {},
      }
    },
    again: (afterMs = 0) => void setTimeout(() => program.look(spec, true), afterMs),
    log: quiet,
  })
  program.look(spec, true)
  listeners[0]?.({ type: 'failed', error: 'the encoder ended' })
  vi.setSystemTime(Date.now() - HOUR_MS)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(listeners).toHaveLength(2)
})
