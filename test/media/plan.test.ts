import { describe, expect, test } from 'vitest'
import { backoffMs } from '../../src/media/backoff.ts'
import { destinationStep, type Relaying } from '../../src/media/plan-destination.ts'
import { inputReport, type Source, UNSEEN } from '../../src/media/plan-input.ts'
import { type StreamSight, streamReport } from '../../src/media/plan-stream.ts'
import type { DestinationWish, InputWish, StreamWish } from '../../src/media/ports.ts'

const now = Date.UTC(2026, 10, 20, 19)
const at = '2026-11-20T19:00:00.000Z'
const told = { now, random: 0.5, organizationId: 1 }
const up = { up: true, generation: 3 }
const down = { up: false, generation: 3 }

const wish = (changes: Partial<DestinationWish> = {}): DestinationWish => ({
  destinationId: 7,
  phase: 'connecting',
  attempt: 4,
  failures: 0,
  target: { protocol: 'rtmp', url: 'rtmp://far.example/app/key', latencyMs: 200 },
  ...changes,
})
const relay = (changes: Partial<Relaying> = {}): Relaying => ({
  state: 'opening',
  attempt: 4,
  generation: 0,
  error: '',
  current: true,
  ...changes,
})
const failed = relay({ state: 'failed', generation: 3, error: 'Connection refused' })
const destination = { organizationId: 1, destinationId: 7 }

test('[issue 5.5] the wait grows from 1 to 30 s, with a fifth of jitter either way', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 50].map((failures) => backoffMs(failures, 0.5))).toEqual([
    1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 30_000, 30_000,
  ])
  expect([backoffMs(6, 0), backoffMs(6, 0.999_999)]).toEqual([24_000, 36_000])
})

describe('[issue 5.4] a destination', () => {
  const step = (changes: Partial<DestinationWish>, seen: Relaying | undefined, feed = up) =>
    destinationStep(wish(changes), seen, feed, told)

  test('that is wanted is sent to as soon as there is something to send', () => {
    expect(step({}, undefined)).toEqual({ act: 'start' })
    expect(step({}, undefined, down)).toEqual({})
    expect(step({}, relay())).toEqual({})
  })

  test('is connected when its relay says that bytes keep growing, not before', () => {
    const report = { type: 'destination.connected', ...destination, attempt: 4, at }
    expect(step({}, relay({ state: 'flowing' }))).toEqual({ report })
    expect(step({}, relay({ state: 'flowing' }), down)).toEqual({})
    expect(step({ phase: 'connected' }, relay({ state: 'flowing' }))).toEqual({})
  })

  test('whose relay failed is tried again after a wait that grows with its failures', () => {
    const { report } = step({ failures: 2 }, failed)
    expect(report).toEqual({
      type: 'destination.failed',
      ...destination,
      attempt: 4,
      error: 'Connection refused',
      retryInMs: 4_000,
      nextRetryDate: '2026-11-20T19:00:04.000Z',
    })
    expect(step({ phase: 'connected' }, failed).report?.type).toBe('destination.failed')
    expect(step({ phase: 'retrying' }, failed)).toEqual({})
    expect(step({ attempt: 5 }, failed)).toEqual({ act: 'forget' })
  })

  test('is not blamed for a gap of its input, and its relay goes on when the input is back', () => {
    expect(step({ phase: 'connected' }, relay({ state: 'flowing' }), down)).toEqual({
      report: { type: 'destination.inputDown', ...destination },
    })
    expect(step({ attempt: 5 }, relay(), down)).toEqual({ act: 'keep' })
    expect(step({}, failed, down)).toEqual({ act: 'forget' })
    expect(step({}, { ...failed, generation: 2 })).toEqual({ act: 'forget' })
  })

  test('that waits for its next try is tried at once when its input comes up, once', () => {
    const report = { type: 'destination.inputUp', ...destination }
    expect(step({ phase: 'retrying' }, { ...failed, generation: 2 })).toEqual({ report })
    expect(step({ phase: 'retrying' }, undefined)).toEqual({ report })
    expect(step({ phase: 'retrying' }, { ...failed, generation: 2 }, down)).toEqual({})
  })

  test('[issue 5.1] that nobody sends to any more, as after a restart, is connected anew', () => {
    const report = { type: 'destination.lost', ...destination }
    expect(step({ phase: 'connected' }, undefined)).toEqual({ report })
    expect(step({ phase: 'connected' }, relay({ state: 'flowing', current: false }))).toEqual({ report, act: 'stop' })
    expect(step({}, relay({ current: false }))).toEqual({ act: 'stop' })
    expect(step({}, relay({ state: 'ending' }))).toEqual({})
  })

  test('that is not wanted is sent nothing', () => {
    expect(step({ phase: 'stopped' }, relay({ state: 'flowing' }))).toEqual({ act: 'stop' })
    expect(step({ phase: 'stopped' }, failed)).toEqual({ act: 'forget' })
    expect(step({ phase: 'stopped' }, undefined)).toEqual({})
    expect(step({ phase: 'stopped' }, relay({ state: 'ending' }))).toEqual({})
  })
})

describe('[issue 5.1] an input', () => {
  const input = (changes: Partial<InputWish>): InputWish => ({
    inputId: 2,
    organizationId: 1,
    kind: 'push',
    streamKey: 'key',
    sourceUrl: '',
    latencyMs: 2_000,
    phase: 'waiting',
    session: null,
    error: null,
    wanted: true,
    ...changes,
  })
  const seen = (changes: Partial<Source>): Source => ({ ...UNSEEN, session: 'a', at, ...changes })
  const live = { phase: 'live', session: 'a' } as const
  const type = (wanted: Partial<InputWish>, source: Partial<Source>) => inputReport(input(wanted), seen(source))?.type

  test.each([
    ['opens when it is wanted', { phase: 'idle' }, {}, 'input.opened'],
    ['closes when it is not', { ...live, wanted: false }, { state: 'up' }, 'input.closed'],
    ['stays closed', { phase: 'idle', wanted: false }, {}, undefined],
    ['is live with what connects', {}, { state: 'up' }, 'input.connected'],
    [
      'is live with the connection that took the place of another',
      { ...live, session: 'b' },
      { state: 'up' },
      'input.connected',
    ],
    ['is told once', live, { state: 'up' }, undefined],
    ['comes back after a gap', { ...live, phase: 'reconnecting' }, { state: 'up' }, 'input.connected'],
    ['has a gap', live, { state: 'gap' }, 'input.dropped'],
    ['waits in a gap', { ...live, phase: 'reconnecting' }, { state: 'gap' }, undefined],
    ['ends', live, { state: 'down' }, 'input.ended'],
    ['ends in a gap', { ...live, phase: 'reconnecting' }, { state: 'down' }, 'input.ended'],
    ['is lost with whoever watched it', live, {}, 'input.lost'],
    ['says once why it cannot be pulled', {}, { error: 'refused' }, 'input.failed'],
    ['does not say it again', { error: 'refused' }, { error: 'refused' }, undefined],
  ] as const)('%s', (_title, wanted, source, expected) => expect(type(wanted, source)).toBe(expected))
})

describe('[issue 5.2] a stream', () => {
  const burn = { pageUrl: '', width: 1280, height: 720, fps: 25, videoBitrateKb: 3_000, inputVolume: 100 }
  const stream = (changes: Partial<StreamWish>): StreamWish => ({
    streamId: 3,
    organizationId: 1,
    phase: 'starting',
    run: 1,
    inputId: 2,
    burn: null,
    overlayHidden: false,
    liveDue: false,
    error: null,
    destinations: [],
    ...changes,
  })
  const sight = (changes: Partial<StreamSight>): StreamSight => ({
    down: null,
    lacks: null,
    inputUp: true,
    program: { state: 'none', error: null },
    relaying: false,
    ...changes,
  })
  const report = (wanted: Partial<StreamWish>, seen: Partial<StreamSight>) =>
    streamReport(stream(wanted), sight(seen), now)
  const program = (state: StreamSight['program']['state'], error: string | null = null) => ({
    program: { state, error },
  })

  test.each([
    ['runs at once where its input is its program', {}, {}, 'stream.started'],
    ['does not start before the ingest is there', {}, { down: 'restarting' }, undefined],
    ['fails to start where the machine lacks what it needs', { burn }, { lacks: 'no browser' }, 'stream.failed'],
    ['waits for its program', { burn }, program('opening'), undefined],
    ['runs when its program is up', { burn }, program('up'), 'stream.started'],
    ['fails to start with its program', { burn }, program('failed', 'x264'), 'stream.failed'],
    ['runs without video and waits for it', { burn }, { inputUp: false }, 'stream.started'],
    ['tells that its program is gone', { phase: 'running', burn }, program('failed', 'x264'), 'stream.troubled'],
    ['tells it once', { phase: 'running', burn, error: 'x264' }, program('failed', 'x264'), undefined],
    ['tells that it is back', { phase: 'running', burn, error: 'x264' }, program('up'), 'stream.troubled'],
    ['is told again that it runs when it is to go live', { phase: 'running', liveDue: true }, {}, 'stream.started'],
    ['has stopped when nothing runs', { phase: 'stopping' }, {}, 'stream.stopped'],
    ['has not stopped while a relay ends', { phase: 'stopping' }, { relaying: true }, undefined],
    ['has not stopped while its program ends', { phase: 'stopping', burn }, program('ending'), undefined],
  ] as const)('%s', (_title, wanted, seen, expected) => expect(report(wanted, seen)?.type).toBe(expected))
})
