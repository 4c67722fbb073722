import { flag, list, members, nullable, number, oneOf, type Shape, text } from './shape.ts'

/** When the stream starts and stops by itself, in ms since 1970; null: not at all, as things stand. */
export type Schedule = {
  startAt: number | null
  stopAt: number | null
  /** Starts with its graphics hidden. */
  startHidden: boolean
  /** Why a start would fail, for people; it is made once that is put right. Null when nothing is known against it. */
  cannotStart: string | null
}

export type Automation = Schedule & {
  /** When a start was made, or undone by hand, last (ms since 1970): a start that was due up to then is not made again. */
  startUsed: number | null
  /** As `startUsed`, of the stop. */
  stopUsed: number | null
}

export type Stream = {
  phase: 'stopped' | 'starting' | 'running' | 'stopping'
  /** Rises with every start; observations of an earlier run are ignored. */
  run: number
  /** Whether the burned-in graphics are kept out of the picture. */
  overlayHidden: boolean
  /** Goes live with every destination as soon as it runs; while it is stopping, starts again for that. */
  liveOnceRunning: boolean
  /** Destinations that are wanted to publish, by id. Empty unless running. */
  publishing: readonly number[]
  /** ISO 8601; null unless running. */
  startedAt: string | null
  liveAt: string | null
  /** What went wrong last, for people; null when the latest start went well. */
  error: string | null
  automation: Automation | null
}

export const streamShape: Shape<Stream> = members({
  phase: oneOf('stopped', 'starting', 'running', 'stopping'),
  run: number,
  overlayHidden: flag,
  liveOnceRunning: flag,
  publishing: list(number),
  startedAt: nullable(text),
  liveAt: nullable(text),
  error: nullable(text),
  automation: nullable(
    members<Automation>({
      startAt: nullable(number),
      stopAt: nullable(number),
      startHidden: flag,
      cannotStart: nullable(text),
      startUsed: nullable(number),
      stopUsed: nullable(number),
    }),
  ),
})

/** Commands carry the seq that the host will commit them under. `at` is ISO 8601. */
export type StreamCommand = { seq: number } & (
  | { type: 'start'; at: string; overlayHidden?: boolean }
  | { type: 'stop'; at: string }
  | { type: 'goLive'; at: string; destinationIds: readonly number[] }
  | { type: 'publish'; destinationIds: readonly number[] }
  | { type: 'unpublish'; destinationIds: readonly number[] }
  | { type: 'setOverlayHidden'; hidden: boolean }
  /** `startInMs` and `stopInMs` are the same instants seen from now; 0 or less is overdue. */
  | { type: 'automate'; schedule: Schedule; startInMs: number | null; stopInMs: number | null }
  | { type: 'stopAutomating' }
  /** Observed: the program of this run is there. `linked`: every destination of the stream. */
  | { type: 'started'; run: number; at: string; linked: readonly number[] }
  | { type: 'failed'; run: number; error: string }
  /** Observed: the program of a running stream is gone, and comes back by itself; null when it is there again. */
  | { type: 'troubled'; run: number; error: string | null }
  /** Observed: every process of this run has ended. */
  | { type: 'stopped'; run: number }
)

/** The host says when it is (ISO 8601), and how long ago the timer was due. */
export type Due = { at?: string; lateMs?: number }
export type StreamTimer = Due & { type: 'autoStart' | 'autoStop' | 'startOverdue' | 'stopOverdue' }

/** Facts of a stream, whose fold is its state. */
export type StreamEvent =
  | { type: 'stream.starting'; run: number; auto: boolean; overlayHidden: boolean }
  | { type: 'stream.running'; run: number; at: string }
  | { type: 'stream.wentLive'; at: string; destinationIds: readonly number[] }
  | { type: 'stream.published'; destinationIds: readonly number[] }
  | { type: 'stream.unpublished'; destinationIds: readonly number[] }
  | { type: 'stream.stopping'; run: number; auto: boolean }
  | { type: 'stream.stopped'; run: number; error: string | null }
  | { type: 'stream.troubled'; error: string | null }
  | { type: 'stream.overlayHidden'; hidden: boolean }
  | { type: 'stream.automated'; automation: Automation | null }
  | { type: 'stream.liveDue'; due: boolean }

export const IDLE_STREAM: Stream = {
  phase: 'stopped',
  run: 0,
  overlayHidden: false,
  liveOnceRunning: false,
  publishing: [],
  startedAt: null,
  liveAt: null,
  error: null,
  automation: null,
}

const union = (ids: readonly number[], more: readonly number[]) => [...new Set([...ids, ...more])].sort((a, b) => a - b)
/** These ids but for those. */
export const without = (ids: readonly number[], less: readonly number[]) => ids.filter((id) => !less.includes(id))

/** The state after an event. Pure; used by the machine and by replay. */
export function foldStream(stream: Stream, event: StreamEvent): Stream {
  switch (event.type) {
    case 'stream.starting': {
      const { run, auto, overlayHidden } = event
      return {
        ...IDLE_STREAM,
        phase: 'starting',
        run,
        overlayHidden,
        liveOnceRunning: auto,
        automation: stream.automation,
      }
    }
    case 'stream.running':
      return { ...stream, phase: 'running', startedAt: event.at }
    case 'stream.wentLive':
      return {
        ...stream,
        liveOnceRunning: false,
        liveAt: stream.liveAt ?? event.at,
        publishing: union(stream.publishing, event.destinationIds),
      }
    case 'stream.liveDue':
      return { ...stream, liveOnceRunning: event.due }
    case 'stream.published':
      return { ...stream, publishing: union(stream.publishing, event.destinationIds) }
    case 'stream.unpublished':
      return { ...stream, publishing: without(stream.publishing, event.destinationIds) }
    case 'stream.stopping':
      return { ...stream, phase: 'stopping', liveOnceRunning: false, publishing: [] }
    case 'stream.stopped': {
      const { run, overlayHidden, automation } = stream
      return { ...IDLE_STREAM, run, overlayHidden, automation, error: event.error }
    }
    case 'stream.troubled':
      return { ...stream, error: event.error }
    case 'stream.overlayHidden':
      return { ...stream, overlayHidden: event.hidden }
    case 'stream.automated':
      return { ...stream, automation: event.automation }
  }
}
