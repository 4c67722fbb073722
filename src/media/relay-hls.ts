import { join } from 'node:path'
import { type HlsEntry, type HlsShelf, PLAYLIST } from './hls-shelf.ts'
import type { PullTarget, Relay, RelayEvent, RelaySpec } from './ports.ts'
import { type RelayProcessParts, startRelayProcess } from './relay-process.ts'

const SEGMENT_SECONDS = '2'
/** Files grow by leaps. */
const STEADY_MS = 3_000
/** Players begin three segments before the end. */
const LISTED_SEGMENTS = '6'
/** A player may still fetch segments that have just left the playlist. */
const KEPT_AFTER_SEGMENTS = '3'
// append_list: the first segment says that earlier ones do not go on in it, which is so when this is another try
const FLAGS = 'delete_segments+independent_segments+omit_endlist+temp_file+append_list'

/** Writes HLS to the shelf: connected once the first segment is there and the next one grows. */
export function startHls(
  spec: RelaySpec,
  { token }: PullTarget,
  listener: (event: RelayEvent) => void,
  parts: RelayProcessParts & { shelf: HlsShelf },
): Relay {
  let entry: HlsEntry | undefined
  const relay = startRelayProcess(spec, listener, parts, {
    async prepare() {
      entry = await parts.shelf.open(token, () => relay.measured().bitrateKb)
      return { args: hlsArgs(entry.folder), secrets: [token] }
    },
    count: async () => entry?.bytes() ?? 0,
    ended: async () => entry?.close(),
    steadyMs: STEADY_MS,
    activeClients: () => entry?.clients() ?? 0,
  })
  return relay
}

const hlsArgs = (folder: string) => [
  ...['-f', 'hls', '-hls_time', SEGMENT_SECONDS, '-hls_list_size', LISTED_SEGMENTS],
  ...['-hls_delete_threshold', KEPT_AFTER_SEGMENTS, '-hls_flags', FLAGS],
  // the numbers of segments never come again, or a cache would give the old segment that it has kept
  ...['-hls_start_number_source', 'epoch', '-hls_segment_filename', join(folder, '%d.ts'), join(folder, PLAYLIST)],
]
