import { makePart, type Steps } from '../matches/steps.ts'
import type { Match, Stream, StreamDestination, StreamInput } from '../shapes.ts'
import {
  type DestinationDraft,
  destinationNameOf,
  type GraphicsDraft,
  hasLatency,
  inputNameOf,
  makesInput,
  partOf,
  type StreamDraft,
  streamNameOf,
  timesOf,
} from './stream-draft.ts'

/** The ids of records that are there already, by part of the form: `input`, `stream`, `d1`. */
export type Made = ReadonlyMap<string, number>

/** Makes input, stream, destinations and schedule where new. Answers the stream's id; a refusal names its part. */
export async function createStream(
  steps: Steps,
  draft: StreamDraft,
  { match, made, onMade }: { match: Match | undefined; made: Made; onMade: (part: string, id: number) => void },
): Promise<number> {
  const make = async <T extends { id: number }>(part: string, path: string, body: object): Promise<number> => {
    const there = made.get(part)
    if (there !== undefined) return there
    const { id } = await makePart(part, () => steps.take<T>('POST', path, body))
    onMade(part, id)
    return id
  }
  const inputId = makesInput(draft)
    ? await make<StreamInput>('input', '/v1/streams/inputs', inputOf(draft, match))
    : Number(draft.input)
  const streamId = await make<Stream>('stream', '/v1/streams', {
    matchId: Number(draft.match),
    name: streamNameOf(draft, match),
    inputId,
    ...pictureOf(draft),
  })
  for (const destination of draft.destinations)
    await make<StreamDestination>(
      partOf(destination),
      `/v1/streams/${streamId}/destinations`,
      destinationOf(destination),
    )
  if (draft.autoStream) await automate(steps, draft, match, streamId)
  return streamId
}

const inputOf = (draft: StreamDraft, match: Match | undefined) => ({
  name: inputNameOf(draft, match),
  latencyMs: Number(draft.latency),
  ...(draft.input === 'pull' && {
    type: 'pull',
    ...(draft.sourceUrl.trim() && { sourceUrl: draft.sourceUrl.trim() }),
  }),
})

/** Without graphics picture and sound are passed on as they come. */
export const pictureOf = ({ overlay, startHidden, resolution, fps, bitrate, volume }: GraphicsDraft) =>
  overlay === ''
    ? {}
    : {
        overlayId: Number(overlay),
        startOverlayHidden: startHidden,
        resolution,
        fps: Number(fps),
        videoBitrateKb: Number(bitrate),
        inputVolume: Number(volume),
      }

export function destinationOf(draft: DestinationDraft) {
  const { type, url, streamKey, pullProtocol, latency } = draft
  return {
    name: destinationNameOf(draft),
    type,
    ...(type === 'pull' ? { pullProtocol } : url.trim() && { url: url.trim() }),
    ...(type !== 'pull' && type !== 'srt' && streamKey.trim() && { streamKey: streamKey.trim() }),
    ...(hasLatency(draft) && { latencyMs: Number(latency) }),
  }
}

/** The times are those of the match: it is changed only where they are others. */
async function automate(steps: Steps, draft: StreamDraft, match: Match | undefined, streamId: number) {
  const { before, after } = timesOf(draft, match)
  const times = { pregameAutomationTime: Number(before), postgameAutomationTime: Number(after) }
  const same =
    match?.pregameAutomationTime === times.pregameAutomationTime &&
    match.postgameAutomationTime === times.postgameAutomationTime
  if (!same) await makePart('times', () => steps.take('POST', `/v1/matches/${draft.match}`, times))
  await makePart('auto', () => steps.take('POST', `/v1/streams/${streamId}/automation`, { autoStream: true }))
}
