import { mediaOff } from '../../src/media/off.ts'
import type { Measured, Media, Need } from '../../src/media/ports.ts'
import { isPublicAddress } from '../../src/store/addresses.ts'

/** What a test says the media plane is and measures, and what the server has asked of it. */
export type TestMedia = Media & {
  /** What this machine lacks, by need. */
  readonly missing: Map<Need, string>
  /** By `input/5`, `destination/3`, `program/2`. */
  readonly measures: Map<string, Measured & { activeClients?: number }>
  /** Destinations that were waited for to end. */
  readonly waitedFor: number[][]
}

/** A media plane that runs nothing, for tests of what is asked of one: what it would observe, the test observes. */
export function testMedia(): TestMedia {
  const missing = new Map<Need, string>()
  const measures = new Map<string, Measured & { activeClients?: number }>()
  const waitedFor: number[][] = []
  const nothing: Measured = { bitrateKb: null, history: [] }
  return {
    ...mediaOff('ingest.test', isPublicAddress),
    missing,
    measures,
    waitedFor,
    problems: () => [...missing.values()],
    lacks: (need) => missing.get(need),
    address: ({ inputId, streamKey }) => ({
      host: 'ingest.test',
      applicationName: 'live',
      streamKey,
      rtmpUrl: 'rtmp://ingest.test:1935/live',
      srtUrl: `srt://ingest.test:8890?streamid=publish:${inputId}:${streamKey}`,
    }),
    pullUrl: ({ protocol, token }) =>
      protocol === 'hls'
        ? `http://ingest.test/live/${token}/index.m3u8`
        : `srt://ingest.test:8890?streamid=read:${token}`,
    input: (id) => measures.get(`input/${id}`) ?? nothing,
    destination: (id) => ({ activeClients: null, ...nothing, ...measures.get(`destination/${id}`) }),
    program: (id) => {
      const measured = measures.get(`program/${id}`)
      return measured && { ...measured, cpuPercent: 55, rssBytes: 1_000_000 }
    },
    settled: async (ids) => void waitedFor.push([...ids]),
  }
}
