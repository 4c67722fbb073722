import { describe, expect, it } from 'vitest'
import type { StreamCommand } from '../../machines/stream-model.ts'
import { BEGIN, iso, LoneActor } from './lone-actor.ts'

type Ask<C = StreamCommand> = C extends unknown ? Omit<C, 'seq'> : never
const MINUTE = 60_000

const at = iso(BEGIN)
const start: Ask = { type: 'start', at }
const stop = (ms = BEGIN): Ask => ({ type: 'stop', at: iso(ms) })
const started = (run = 1, linked: number[] = [1, 2]): Ask => ({ type: 'started', run, at, linked })
const stopped = (run = 1): Ask => ({ type: 'stopped', run })
const goLive = (...destinationIds: number[]): Ask => ({ type: 'goLive', at, destinationIds })
/** A schedule in minutes from now; null where there is none. */
const automate = (actor: { now: number }, startIn: number | null, stopIn: number | null): Ask => ({
  type: 'automate',
  schedule: {
    startAt: startIn === null ? null : actor.now + startIn * MINUTE,
    stopAt: stopIn === null ? null : actor.now + stopIn * MINUTE,
    startHidden: false,
    cannotStart: null,
  },
  startInMs: startIn === null ? null : startIn * MINUTE,
  stopInMs: stopIn === null ? null : stopIn * MINUTE,
})

const phases = {
  stopped: [],
  starting: [start],
  running: [start, started()],
  stopping: [start, started(), stop()],
} satisfies Record<string, Ask[]>
type Phase = keyof typeof phases

const commands = {
  start,
  stop: stop(),
  'go live': goLive(1),
  publish: { type: 'publish', destinationIds: [1] },
  unpublish: { type: 'unpublish', destinationIds: [1] },
  'hide the overlay': { type: 'setOverlayHidden', hidden: true },
  automate: automate({ now: BEGIN }, 60, 120),
  'stop automating': { type: 'stopAutomating' },
  'observed started': started(),
  'observed started, of another run': started(9),
  'observed failed': { type: 'failed', run: 1, error: 'no' },
  'observed failed, of another run': { type: 'failed', run: 9, error: 'no' },
  'observed trouble': { type: 'troubled', run: 1, error: 'the encoder is gone' },
  'observed trouble, of another run': { type: 'troubled', run: 9, error: 'the encoder is gone' },
  'observed stopped': stopped(),
  'observed stopped, of another run': stopped(9),
} satisfies Record<string, Ask>
type Named = keyof typeof commands

const REFUSED = 'refused'
/** The phase that each command leads to. */
const table: Record<Phase, Record<Named, Phase | typeof REFUSED>> = {
  stopped: {
    start: 'starting',
    stop: REFUSED,
    'go live': REFUSED,
    publish: REFUSED,
    unpublish: REFUSED,
    'hide the overlay': 'stopped',
    automate: 'stopped',
    'stop automating': 'stopped',
    'observed started': REFUSED,
    'observed started, of another run': REFUSED,
    'observed failed': REFUSED,
    'observed failed, of another run': REFUSED,
    'observed trouble': REFUSED,
    'observed trouble, of another run': REFUSED,
    'observed stopped': REFUSED,
    'observed stopped, of another run': REFUSED,
  },
  starting: {
    start: REFUSED,
    stop: REFUSED,
    'go live': REFUSED,
    publish: REFUSED,
    unpublish: REFUSED,
    'hide the overlay': 'starting',
    automate: 'starting',
    'stop automating': 'starting',
    'observed started': 'running',
    'observed started, of another run': REFUSED,
    'observed failed': 'stopped',
    'observed failed, of another run': REFUSED,
    'observed trouble': REFUSED,
    'observed trouble, of another run': REFUSED,
    'observed stopped': REFUSED,
    'observed stopped, of another run': REFUSED,
  },
  running: {
    start: REFUSED,
    stop: 'stopping',
    'go live': 'running',
    publish: 'running',
    unpublish: 'running',
    'hide the overlay': 'running',
    automate: 'running',
    'stop automating': 'running',
    'observed started': 'running',
    'observed started, of another run': REFUSED,
    'observed failed': REFUSED,
    'observed failed, of another run': REFUSED,
    'observed trouble': 'running',
    'observed trouble, of another run': REFUSED,
    'observed stopped': REFUSED,
    'observed stopped, of another run': REFUSED,
  },
  stopping: {
    start: REFUSED,
    stop: 'stopping',
    'go live': REFUSED,
    publish: REFUSED,
    unpublish: REFUSED,
    'hide the overlay': 'stopping',
    automate: 'stopping',
    'stop automating': 'stopping',
    'observed started': REFUSED,
    'observed started, of another run': REFUSED,
    'observed failed': REFUSED,
    'observed failed, of another run': REFUSED,
    'observed trouble': REFUSED,
    'observed trouble, of another run': REFUSED,
    'observed stopped': 'stopped',
    'observed stopped, of another run': REFUSED,
  },
}

const streamIn = (phase: Phase) => new LoneActor('stream').all(...phases[phase])
const all = Object.entries(table).flatMap(([phase, row]) =>
  Object.entries(row).map(([name, expected]) => [phase as Phase, name as Named, expected] as const),
)

describe('[issue 5.1] a stream, state by state', () => {
  it.each(all)('%s: %s -> %s', (phase, name, expected) => {
    const stream = streamIn(phase)
    const outcome = stream.ask(commands[name])
    expect(outcome === REFUSED ? REFUSED : stream.value).toBe(expected)
    expect(stream.context.phase).toBe(stream.value)
    const { replayed, snapshot } = stream.stored
    expect(replayed).toEqual(snapshot)
  })
})

describe('[issue 5.1] what is wanted and what was observed', () => {
  it('a start counts a run, and its program makes it run', () => {
    const stream = streamIn('running')
    expect(stream.told).toEqual(['stream.starting', 'stream.running'])
    expect(stream.context).toMatchObject({ run: 1, startedAt: at, liveAt: null, publishing: [], error: null })
  })

  it('[spec 13] going live publishes to what is asked, once each, and tells when it was', () => {
    const stream = streamIn('running').all(goLive(2, 1))
    expect(stream.context).toMatchObject({ liveAt: at, publishing: [1, 2] })
    expect(stream.ask(goLive(2))).toEqual([])
    stream.all({ type: 'unpublish', destinationIds: [1, 7] })
    expect(stream.context.publishing).toEqual([2])
    expect(stream.ask({ type: 'unpublish', destinationIds: [1] })).toEqual([])
    expect(stream.ask({ type: 'publish', destinationIds: [2] })).toEqual([])
    expect(stream.ask({ type: 'publish', destinationIds: [1, 2] })).toEqual([
      { type: 'stream.published', destinationIds: [1] },
    ])
  })

  it('a stop takes every destination with it in one commit', () => {
    const stream = streamIn('running').all(goLive(1, 2), stop())
    expect(stream.context).toMatchObject({ phase: 'stopping', publishing: [] })
    stream.all(stopped())
    expect(stream.context).toMatchObject({ phase: 'stopped', run: 1, startedAt: null, liveAt: null, error: null })
  })

  it('a stop that is pressed twice is one stop', () => {
    const stream = streamIn('stopping')
    expect(stream.ask(stop())).toEqual([])
  })

  it('a start that fails says why until the next one', () => {
    const stream = streamIn('starting').all({ type: 'failed', run: 1, error: 'no ffmpeg' })
    expect(stream.context).toMatchObject({ phase: 'stopped', error: 'no ffmpeg', run: 1 })
    stream.all(start)
    expect(stream.context).toMatchObject({ phase: 'starting', error: null, run: 2 })
  })

  it('what was observed of an earlier run changes nothing in the next', () => {
    const stream = streamIn('stopping').all(stopped(), start)
    for (const late of [started(1), stopped(1), commands['observed failed'], commands['observed trouble']])
      expect(stream.ask(late)).toBe('refused')
    expect(stream.context).toMatchObject({ phase: 'starting', run: 2 })
  })

  it('trouble shows while it lasts and ends nothing', () => {
    const stream = streamIn('running').all(goLive(1), commands['observed trouble'])
    expect(stream.context).toMatchObject({ phase: 'running', publishing: [1], error: 'the encoder is gone' })
    expect(stream.ask(commands['observed trouble'])).toEqual([])
    stream.all({ type: 'troubled', run: 1, error: null })
    expect(stream.context.error).toBeNull()
  })

  it('hidden graphics stay hidden over stop and start unless the start says otherwise', () => {
    const stream = streamIn('running').all(commands['hide the overlay'], stop(), stopped(), start)
    expect(stream.context.overlayHidden).toBe(true)
    expect(stream.ask(commands['hide the overlay'])).toEqual([])
    stream.all({ type: 'failed', run: 2, error: 'no' }, { ...start, overlayHidden: false })
    expect(stream.context.overlayHidden).toBe(false)
  })
})

describe('[issue 5.1] the time of a stream', () => {
  it('a start that does not come about has failed after a minute', () => {
    const stream = streamIn('starting').pass(59_999)
    expect(stream.value).toBe('starting')
    stream.pass(1)
    expect(stream.context).toMatchObject({ phase: 'stopped', error: 'The stream did not start in time' })
  })

  it('a start during which everybody went away is made anew, as a run of its own', () => {
    const stream = streamIn('starting').away(5 * MINUTE)
    expect(stream.context).toMatchObject({ phase: 'starting', run: 2 })
    expect(stream.ask(started(1))).toBe('refused')
    stream.pass(59_999)
    expect(stream.value).toBe('starting')
    stream.all(started(2))
    expect(stream.timers.size).toBe(0)
  })

  it('a stop whose end nobody sees does not keep the stream from being started', () => {
    const stream = streamIn('stopping').pass(14_999)
    expect(stream.value).toBe('stopping')
    stream.pass(1)
    expect(stream.context).toMatchObject({ phase: 'stopped', error: null })
  })

  it('neither limit outlives its phase', () => {
    expect([...streamIn('starting').timers.keys()]).toEqual(['startOverdue'])
    expect([...streamIn('running').timers.keys()]).toEqual([])
    expect([...streamIn('stopping').timers.keys()]).toEqual(['stopOverdue'])
    expect([...streamIn('stopping').all(stopped()).timers.keys()]).toEqual([])
  })
})
