import type { Observation, ProgramSpec, StreamWish } from './ports.ts'

/** The program of a stream as seen: none where the input itself is sent on, or where none runs. */
export type Programming = {
  state: 'none' | 'opening' | 'up' | 'failed' | 'ending'
  error: string | null
}

export type StreamSight = {
  /** Why nothing can run just now, for people; the plane works on it. */
  down: string | null
  /** The capability that this machine lacks for this stream, for people. */
  lacks: string | null
  inputUp: boolean
  program: Programming
  /** Whether any relay of it still runs. */
  relaying: boolean
}

/** The next observation for the actor of a stream, by its state; undefined when it knows all. `at` in ms since 1970. */
export function streamReport(wish: StreamWish, sight: StreamSight, at: number): Observation | undefined {
  const { streamId, organizationId, phase, run } = wish
  const of = { streamId, organizationId, run }
  const { down, lacks, program, inputUp, relaying } = sight
  switch (phase) {
    case 'starting': {
      if (lacks !== null) return { type: 'stream.failed', ...of, error: lacks }
      if (down !== null) return undefined
      if (program.state === 'failed' && inputUp)
        return { type: 'stream.failed', ...of, error: program.error ?? 'The program did not start' }
      // without video there is nothing to blend yet: it waits for its input, as a running stream does
      const ready = wish.burn === null || !inputUp || program.state === 'up'
      return ready ? { type: 'stream.started', ...of, at: new Date(at).toISOString() } : undefined
    }
    case 'running': {
      if (wish.liveDue) return { type: 'stream.started', ...of, at: new Date(at).toISOString() }
      const error = down ?? lacks ?? program.error
      return error === wish.error ? undefined : { type: 'stream.troubled', ...of, error }
    }
    case 'stopping':
      return program.state !== 'none' || relaying ? undefined : { type: 'stream.stopped', ...of }
  }
}

/** Whether an encoder that runs as `now` has to start anew to run as `wanted`; page and visibility change without. */
export const isSameEncoding = (now: ProgramSpec, wanted: ProgramSpec): boolean =>
  now.run === wanted.run &&
  now.width === wanted.width &&
  now.height === wanted.height &&
  now.fps === wanted.fps &&
  now.videoBitrateKb === wanted.videoBitrateKb &&
  now.inputVolume === wanted.inputVolume
