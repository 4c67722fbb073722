import { onTestFinished } from 'vitest'
import { createHlsShelf } from '../../src/media/hls-shelf.ts'
import type { PullTarget, PushTarget, RelayEvent } from '../../src/media/ports.ts'
import { openProcesses } from '../../src/media/process.ts'
import { type RelayParts, startRelay } from '../../src/media/relay.ts'
import { watchSockets } from '../../src/media/socket-stalls.ts'
import { temporaryDirectory } from './directory.ts'
import { quiet } from './ingest.ts'

/** What is pushed or fetched over HLS asks nothing of it. */
const noEngine: RelayParts['engine'] = {
  serve: () => Promise.reject(new Error('not here')),
  unserve: () => Promise.reject(new Error('not here')),
  stats: () => Promise.reject(new Error('not here')),
  readers: () => 0,
}

export type RelayOptions = {
  permits?: (address: string) => boolean
  engine?: RelayParts['engine']
  limits?: RelayParts['limits']
  resolve?: RelayParts['resolve']
}

/** Starts relays that end with the test. */
export async function relays({ permits = () => true, engine = noEngine, limits = {}, resolve }: RelayOptions = {}) {
  const processes = await openProcesses(temporaryDirectory(), quiet)
  onTestFinished(() => processes.close())
  const hlsFolder = temporaryDirectory()
  const shelf = createHlsShelf(hlsFolder)
  const stalls = watchSockets()
  const seams = { permits, engine, limits, ...(resolve && { resolve }) }
  const parts: RelayParts = { processes, ffmpeg: 'ffmpeg', stalls, shelf, ...seams }
  let id = 0
  return {
    processes,
    shelf,
    hlsFolder,
    start(readUrl: string, target: PushTarget | PullTarget) {
      const events: (RelayEvent & { at: number })[] = []
      const spec = { destinationId: ++id, attempt: 1, path: 'input-1', readUrl, target }
      const relay = startRelay(spec, (event) => events.push({ ...event, at: Date.now() }), parts)
      onTestFinished(() => relay.stop())
      return { relay, events, types: () => events.map(({ type }) => type) }
    },
  }
}
