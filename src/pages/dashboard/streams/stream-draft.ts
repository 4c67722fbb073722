import { matchName } from '../match-names.ts'
import type { Match, StreamDestination } from '../shapes.ts'

/** The prefix of a field's name in the form: `stream.name`, `d1.url`. */
export const partOf = ({ key }: { key: number }): string => `d${key}`

export type DestinationType = StreamDestination['type']
export type DestinationDraft = {
  /** Its number in the form. */
  key: number
  type: DestinationType
  /** Empty: named after its type. */
  name: string
  url: string
  streamKey: string
  pullProtocol: 'hls' | 'srt'
  latency: string
}

/** The values of the form for a stream. */
export type StreamDraft = {
  match: string
  /** Empty: named after the match. */
  name: string
  /** Empty: the video is passed on as it comes. */
  overlay: string
  startHidden: boolean
  resolution: '1080p' | '720p'
  fps: string
  bitrate: string
  volume: string
  /** `push`, `pull`, or the id of an input. */
  input: string
  /** Empty: named after the stream. */
  inputName: string
  sourceUrl: string
  latency: string
  autoStream: boolean
  /** Minutes; undefined: those of the match. */
  before: string | undefined
  after: string | undefined
  destinations: readonly DestinationDraft[]
}

/** The part that says which graphics are burned in, and how. */
export type GraphicsDraft = Pick<
  StreamDraft,
  'match' | 'overlay' | 'startHidden' | 'resolution' | 'fps' | 'bitrate' | 'volume'
>

export const newStreamDraft = (match: string): StreamDraft => ({
  match,
  name: '',
  overlay: '',
  startHidden: false,
  resolution: '1080p',
  fps: '25',
  bitrate: '6000',
  volume: '100',
  input: 'push',
  inputName: '',
  sourceUrl: '',
  latency: '2000',
  autoStream: false,
  before: undefined,
  after: undefined,
  destinations: [newDestination(1)],
})

export const newDestination = (key: number): DestinationDraft => ({
  key,
  type: 'youtube',
  name: '',
  url: '',
  streamKey: '',
  pullProtocol: 'hls',
  latency: '200',
})

export const makesInput = ({ input }: Pick<StreamDraft, 'input'>): boolean => input === 'push' || input === 'pull'

/** Lengths are of code points, as the service counts. */
const named = (given: string, otherwise: string) =>
  Array.from(given.trim() || otherwise)
    .slice(0, 100)
    .join('')

export const streamNameOf = ({ name }: Pick<StreamDraft, 'name'>, match: Match | undefined): string =>
  named(name, match ? matchName(match) : '')

export const inputNameOf = (draft: StreamDraft, match: Match | undefined): string =>
  named(draft.inputName, streamNameOf(draft, match))

export const DESTINATION_TYPES: Readonly<Record<DestinationType, string>> = {
  youtube: 'YouTube',
  facebook: 'Facebook',
  rtmp: 'RTMP',
  srt: 'SRT',
  pull: 'Fetched from here',
}

export const destinationNameOf = ({ name, type }: DestinationDraft): string => named(name, DESTINATION_TYPES[type])

/** The times of Auto Stream as the form shows them: typed, those of the match, or common ones. */
export const timesOf = ({ before, after }: Pick<StreamDraft, 'before' | 'after'>, match: Match | undefined) => ({
  before: before ?? String(match?.pregameAutomationTime ?? 15),
  after: after ?? String(match?.postgameAutomationTime ?? 10),
})

export type Problems = Readonly<Partial<Record<string, string>>>

const DAY_MINUTES = 1440

/** Those that there are. */
const found = (problems: Problems): Problems =>
  Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== undefined))

export const isEmpty = (problems: Problems): boolean => Object.keys(problems).length === 0

/** Numbers of the picture that cannot be sent. */
export const graphicsProblems = ({ overlay, bitrate, volume }: GraphicsDraft): Problems =>
  overlay === ''
    ? {}
    : found({
        'stream.videoBitrateKb': wholeProblem(bitrate, 200, 50_000),
        'stream.inputVolume': wholeProblem(volume, 0, 200),
      })

export const timesProblems = ({ before, after }: { before: string; after: string }): Problems =>
  found({
    'times.pregameAutomationTime': wholeProblem(before, 0, DAY_MINUTES),
    'times.postgameAutomationTime': wholeProblem(after, 0, DAY_MINUTES),
  })

/** The faults left, by the field that they are said at; the server judges addresses and keys. */
export function problemsOf(draft: StreamDraft, match: Match | undefined): Problems {
  const { before, after } = timesOf(draft, match)
  const problems: Record<string, string | undefined> = {
    'stream.match': draft.match === '' ? 'Choose a match' : undefined,
    ...graphicsProblems(draft),
    'input.latencyMs': makesInput(draft) ? wholeProblem(draft.latency, 120, 30_000) : undefined,
    ...(draft.autoStream && timesProblems({ before, after })),
  }
  for (const destination of draft.destinations)
    problems[`${partOf(destination)}.latencyMs`] = hasLatency(destination)
      ? wholeProblem(destination.latency, 120, 30_000)
      : undefined
  return found(problems)
}

/** SRT waits for packets lost on the way. */
export const hasLatency = ({ type, pullProtocol }: Pick<DestinationDraft, 'type' | 'pullProtocol'>): boolean =>
  type === 'srt' || (type === 'pull' && pullProtocol === 'srt')

export function wholeProblem(text: string, least: number, most: number): string | undefined {
  const number = Number(text)
  const fits = /^\d+$/.test(text.trim()) && number >= least && number <= most
  return fits ? undefined : `Use a whole number from ${least} to ${most}`
}
