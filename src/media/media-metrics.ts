import type { MetricLine, Metrics } from '../metrics/metrics.ts'
import type { Media, MediaFigures } from './ports.ts'

/** More lines than this of one metric are of no use to anybody. */
const LINES = 500
/** All tables of one scrape are of one reading. */
const FRESH_MS = 500

type CountStates = () => Promise<readonly MetricLine<'kind' | 'state'>[]>
type Program = MediaFigures['programs'][number]

/** Streams, inputs and destinations by state, their rates, and the cost of the processes behind them. */
export function measureMedia(metrics: Metrics, media: Media, countStates: CountStates): void {
  let read = { at: 0, figures: media.figures() }
  const figures = (): Promise<MediaFigures> => {
    const at = performance.now()
    if (at - read.at > FRESH_MS) read = { at, figures: media.figures() }
    return read.figures
  }
  const table = <L extends string>(
    name: `tally_${string}`,
    help: string,
    labels: readonly L[],
    lines: (figures: MediaFigures) => readonly MetricLine<L>[],
  ) =>
    metrics.table({
      name,
      help,
      labels,
      type: name.endsWith('_total') ? 'total' : 'gauge',
      read: async () => lines(await figures()).slice(0, LINES),
    })

  metrics.table({
    name: 'tally_media_actors',
    help: 'Streams, inputs and destinations by state, of the whole service: the same on every node',
    type: 'gauge',
    labels: ['kind', 'state'],
    read: countStates,
  })
  table('tally_input_bitrate_kb', 'Video that comes in, in kb/s', ['input'], ({ inputs }) =>
    inputs.map(({ id, bitrateKb }) => ({ labels: { input: String(id) }, value: bitrateKb })),
  )
  table('tally_destination_bitrate_kb', 'Video that goes out, in kb/s', ['destination'], ({ destinations }) =>
    destinations.map(({ id, bitrateKb }) => ({ labels: { destination: String(id) }, value: bitrateKb })),
  )
  table('tally_destination_clients', 'Who fetches a pull destination', ['destination'], ({ destinations }) =>
    destinations.flatMap(({ id, activeClients }) =>
      activeClients === null ? [] : [{ labels: { destination: String(id) }, value: activeClients }],
    ),
  )
  const ofPrograms = (name: `tally_${string}`, help: string, read: (program: Program) => number | null) =>
    table(name, help, ['stream'], ({ programs }) =>
      programs.flatMap((program) => {
        const value = read(program)
        return value === null ? [] : [{ labels: { stream: String(program.id) }, value }]
      }),
    )
  ofPrograms('tally_program_bitrate_kb', 'Video with graphics, in kb/s', ({ bitrateKb }) => bitrateKb)
  ofPrograms('tally_program_cpu_percent', 'Encoder and browser, of one core', ({ cpuPercent }) => cpuPercent)
  ofPrograms('tally_program_rss_bytes', 'Memory of encoder and browser', ({ rssBytes }) => rssBytes)
  table('tally_media_processes', 'Processes of the media plane', ['kind'], ({ processes }) =>
    processes.map(({ kind, running }) => ({ labels: { kind }, value: running })),
  )
  table('tally_media_rss_bytes', 'Memory of the processes of the media plane', ['kind'], ({ processes }) =>
    processes.map(({ kind, rssBytes }) => ({ labels: { kind }, value: rssBytes })),
  )
  table('tally_media_cpu_seconds', 'Processor time of those that run', ['kind'], ({ processes }) =>
    processes.map(({ kind, cpuMs }) => ({ labels: { kind }, value: cpuMs / 1_000 })),
  )
  table('tally_media_started_total', 'Processes of the media plane that were started', ['kind'], ({ counts }) =>
    [...counts].map(([kind, { started }]) => ({ labels: { kind }, value: started })),
  )
  table('tally_media_failed_total', 'Processes of the media plane that ended unasked', ['kind'], ({ counts }) =>
    [...counts].map(([kind, { failed }]) => ({ labels: { kind }, value: failed })),
  )
  table('tally_destination_failures_total', 'Tries of destinations that failed', [], ({ failedTries }) => [
    { labels: {}, value: failedTries },
  ])
  table('tally_input_refusals_total', 'Senders that came with a wrong key', [], ({ refused }) => [
    { labels: {}, value: refused },
  ])
}
