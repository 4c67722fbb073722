import { onTestFinished, vi } from 'vitest'
import { createEmbeddedEngine, type EmbeddedOptions } from '../../src/media/engine-embedded.ts'
import type { EngineEvent } from '../../src/media/ports.ts'
import { type MediaLog, openProcesses, type Processes } from '../../src/media/process.ts'
import { temporaryDirectory } from './directory.ts'
import { speaks } from './media.ts'

export const within = { timeout: 60_000, interval: 20 }

export const quiet: MediaLog = { debug: () => {}, info: () => {}, warn: () => {} }

/** Of an ffmpeg as this machine has it. */
export const withFfmpeg: EmbeddedOptions['capabilities'] = {
  ffmpeg: { path: 'ffmpeg', version: 'of this machine' },
  protocols: new Set(['rtmp', 'srt'].filter(speaks)),
  encoders: new Set(),
  filters: new Set(),
  browser: null,
  sandbox: 'there',
}

/** The embedded engine on ports of its own, with what it told. Closed when the test finishes. */
export async function embeddedEngine(options: Partial<EmbeddedOptions> = {}) {
  const pidFolder = temporaryDirectory()
  const processes: Processes = await openProcesses(pidFolder, quiet)
  onTestFinished(() => processes.close())
  const engine = createEmbeddedEngine({
    host: '127.0.0.1',
    bind: '127.0.0.1',
    rtmpPort: 0,
    srtPort: 0,
    capabilities: withFfmpeg,
    processes,
    pidFolder,
    log: quiet,
    ...options,
  })
  const events: (EngineEvent & { heardAt: number })[] = []
  engine.listen((event) => events.push({ ...event, heardAt: Date.now() }))
  await engine.start()
  onTestFinished(() => engine.close())
  return {
    engine,
    processes,
    events,
    types: () => events.map(({ type }) => type),
    /** Resolves with the first event of a type from the n-th on. */
    event: <T extends EngineEvent['type']>(type: T, nth = 0) =>
      vi.waitFor(() => {
        const found = events.filter(
          (event): event is Extract<EngineEvent, { type: T }> & { heardAt: number } => event.type === type,
        )[nth]
        if (!found) throw new Error(`not told ${type}: ${JSON.stringify(events)}`)
        return found
      }, within),
  }
}
