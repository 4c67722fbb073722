import type { Media, MediaFigures } from './ports.ts'
import { refusedUrl } from './url-guard.ts'

const OFF = 'Media is switched off on this server (MEDIA_ENGINE=off)'

const NOTHING: MediaFigures = {
  inputs: [],
  destinations: [],
  programs: [],
  processes: [],
  counts: new Map(),
  failedTries: 0,
  refused: 0,
}

/** A node without media: everything that needs it says so, nothing pretends to run. `permits`: addresses that may be named. */
export const mediaOff = (host: string, permits: (address: string) => boolean): Media => ({
  off: OFF,
  start: async () => {},
  figures: async () => NOTHING,
  problems: () => [OFF],
  lacks: () => OFF,
  address: ({ streamKey }) => ({ host, applicationName: 'live', streamKey, rtmpUrl: '', srtUrl: '' }),
  pullUrl: () => '',
  refuses: (url) => refusedUrl(url, permits),
  runs: () => true,
  hear: async () => {},
  input: () => ({ bitrateKb: null, history: [] }),
  destination: () => ({ bitrateKb: null, history: [], activeClients: null }),
  program: () => undefined,
  changed: () => {},
  settled: async () => {},
  still: async () => {
    throw new Error(OFF)
  },
  close: async () => {},
})
