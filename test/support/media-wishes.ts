import type { Wishes } from '../../src/media/director.ts'
import type { DestinationWish, InputWish, MediaEngine, Observation, StreamWish } from '../../src/media/ports.ts'
import type { LoneActor } from '../machines/lone-actor.ts'

export const [STREAM, INPUT] = [1, 5]
export const DESTINATIONS = [11, 12, 13] as const
const target = { protocol: 'rtmp', url: 'rtmp://far.example/app/key', latencyMs: 200 } as const

/** Numbers in [0, 1) that are the same for the same seed. */
export function chances(seed: number): () => number {
  let state = seed * 2654435761 + 1
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** One stream with graphics in its picture or without, its input and its destinations. */
export type Actors = {
  readonly stream: LoneActor<'stream'>
  readonly input: LoneActor<'input'>
  readonly destinations: ReadonlyMap<number, LoneActor<'destination'>>
  readonly burn: boolean
}

/** What these actors want, told after a while. */
export function wishesOf({ stream, input, destinations, burn }: Actors, after: () => Promise<void>): Wishes {
  const later = async <T>(value: () => T): Promise<T> => {
    await after()
    return value()
  }
  const destination = (destinationId: number): DestinationWish => {
    const { phase = 'stopped', attempt = 0, failures = 0 } = destinations.get(destinationId)?.context ?? {}
    return { destinationId, phase, attempt, failures, target }
  }
  return {
    input: () =>
      later((): InputWish => {
        const { phase, session, error } = input.context
        const of = { inputId: INPUT, organizationId: 1, phase, session, error }
        return { ...of, kind: 'push', streamKey: 'key', sourceUrl: '', latencyMs: 200, wanted: true }
      }),
    stream: () =>
      later((): StreamWish | undefined => {
        const { phase, run, overlayHidden, liveOnceRunning, error } = stream.context
        if (phase === 'stopped') return undefined
        const size = { width: 1280, height: 720, fps: 25, videoBitrateKb: 2_000, inputVolume: 100 }
        return {
          ...{ streamId: STREAM, organizationId: 1, phase, run, inputId: INPUT, overlayHidden, error },
          burn: burn ? { pageUrl: 'http://page', ...size } : null,
          liveDue: phase === 'running' && liveOnceRunning,
          destinations: DESTINATIONS.map(destination),
        }
      }),
    streamOf: () => later((): number | undefined => STREAM),
    streamsWith: () => later(() => [STREAM]),
    all: () => later(() => ({ inputs: [{ id: INPUT, changedAt: '1' }], streamIds: [STREAM] })),
  }
}

/** What an observation is to the actor that hears it. */
export function commandOf({ type, organizationId: _, ...seen }: Observation) {
  const [kind = '', name = ''] = type.split('.')
  const verb = ({ opened: 'open', closed: 'close' } as Record<string, string>)[name] ?? name
  const { inputId, streamId, destinationId, ...fields } = seen as Record<string, unknown>
  const linked = type === 'stream.started' ? { linked: DESTINATIONS } : {}
  return { to: `${kind}/${inputId ?? streamId ?? destinationId}`, command: { type: verb, ...fields, ...linked } }
}

/** An engine in which nothing happens. */
export const stillEngine: MediaEngine = {
  start: async () => {},
  problems: () => [],
  address: () => ({ host: '', applicationName: '', streamKey: '', rtmpUrl: '', srtUrl: '' }),
  allow: async () => {},
  revoke: async () => {},
  inputPath: (id) => `input-${id}`,
  readUrl: (path) => `read:${path}`,
  publishUrl: (path) => `publish:${path}`,
  stats: async () => null,
  serve: async () => {},
  unserve: async () => {},
  readers: () => 0,
  readerUrl: () => '',
  listen: () => {},
  close: async () => {},
}
