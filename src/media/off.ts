import type { Media } from './ports.ts'

const OFF = 'Media is switched off on this server (MEDIA_ENGINE=off)'

/** A node without media: everything that needs it says so, nothing pretends to run. */
export const mediaOff = (host: string): Media => ({
  problems: () => [OFF],
  lacks: () => OFF,
  address: ({ streamKey }) => ({ host, applicationName: 'live', streamKey, rtmpUrl: '', srtUrl: '' }),
  input: () => ({ bitrateKb: null, history: [] }),
  destination: () => ({ bitrateKb: null, history: [], activeClients: null }),
  program: () => undefined,
  changed: () => {},
  settled: async () => {},
  close: async () => {},
})
