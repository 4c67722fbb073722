import { describe, expect, it } from 'vitest'
import type { InputCommand } from '../../machines/input.ts'
import { BEGIN, iso, LoneActor } from './lone-actor.ts'

type Ask<C = InputCommand> = C extends unknown ? Omit<C, 'seq'> : never

const at = iso(BEGIN)
const open: Ask = { type: 'open' }
const connected = (session = 'a'): Ask => ({ type: 'connected', session, protocol: 'rtmp', at })
const dropped = (session = 'a', graceMs = 3_000): Ask => ({ type: 'dropped', session, graceMs })
const ended = (session = 'a'): Ask => ({ type: 'ended', session })

const phases = {
  idle: [],
  waiting: [open],
  live: [open, connected()],
  reconnecting: [open, connected(), dropped()],
} satisfies Record<string, Ask[]>
type Phase = keyof typeof phases

const commands = {
  open,
  close: { type: 'close' },
  connected: connected(),
  'connected by another session': connected('b'),
  dropped: dropped(),
  'another session dropped': dropped('b'),
  ended: ended(),
  'another session ended': ended('b'),
  failed: { type: 'failed', error: 'wrong key' },
  lost: { type: 'lost' },
} satisfies Record<string, Ask>
type Named = keyof typeof commands

const REFUSED = 'refused'
const table: Record<Phase, Record<Named, Phase | typeof REFUSED>> = {
  idle: {
    open: 'waiting',
    close: 'idle',
    connected: REFUSED,
    'connected by another session': REFUSED,
    dropped: REFUSED,
    'another session dropped': REFUSED,
    ended: REFUSED,
    'another session ended': REFUSED,
    failed: REFUSED,
    lost: REFUSED,
  },
  waiting: {
    open: 'waiting',
    close: 'idle',
    connected: 'live',
    'connected by another session': 'live',
    dropped: REFUSED,
    'another session dropped': REFUSED,
    ended: REFUSED,
    'another session ended': REFUSED,
    failed: 'waiting',
    lost: REFUSED,
  },
  live: {
    open: 'live',
    close: 'idle',
    connected: 'live',
    'connected by another session': 'live',
    dropped: 'reconnecting',
    'another session dropped': REFUSED,
    ended: 'waiting',
    'another session ended': REFUSED,
    failed: REFUSED,
    lost: 'reconnecting',
  },
  reconnecting: {
    open: 'reconnecting',
    close: 'idle',
    connected: 'live',
    'connected by another session': 'live',
    dropped: REFUSED,
    'another session dropped': REFUSED,
    ended: 'waiting',
    'another session ended': REFUSED,
    failed: 'reconnecting',
    lost: REFUSED,
  },
}

const inputIn = (phase: Phase) => new LoneActor('input').all(...phases[phase])
const all = Object.entries(table).flatMap(([phase, row]) =>
  Object.entries(row).map(([name, expected]) => [phase as Phase, name as Named, expected] as const),
)

describe('[issue 5.1] an input, state by state', () => {
  it.each(all)('%s: %s -> %s', (phase, name, expected) => {
    const input = inputIn(phase)
    const outcome = input.ask(commands[name])
    expect(outcome === REFUSED ? REFUSED : input.value).toBe(expected)
    expect(input.context.phase).toBe(input.value)
    const { replayed, snapshot } = input.stored
    expect(replayed).toEqual(snapshot)
  })
})

describe('[issue 5.1] the connection of an input', () => {
  it('opening and closing twice, and seeing the same connection twice, change nothing', () => {
    expect(inputIn('idle').ask({ type: 'close' })).toEqual([])
    for (const phase of ['waiting', 'live', 'reconnecting'] as const) expect(inputIn(phase).ask(open)).toEqual([])
    expect(inputIn('live').ask(connected())).toEqual([])
  })

  it('a connection that takes over from another one is not ended by the end of the other', () => {
    const input = inputIn('live').all(connected('b'))
    expect(input.context).toMatchObject({ phase: 'live', session: 'b' })
    expect(input.ask(ended('a'))).toBe('refused')
    expect(input.ask(dropped('a'))).toBe('refused')
  })

  it('a connection that is gone is waited for as long as it was said, and no longer', () => {
    const input = inputIn('reconnecting').pass(2_999)
    expect(input.context).toMatchObject({ phase: 'reconnecting', session: 'a' })
    input.pass(1)
    expect(input.context).toMatchObject({ phase: 'waiting', session: null, protocol: null, liveAt: null })
    expect(input.told.at(-1)).toBe('input.disconnected')
  })

  it('one that is back in time is live as before, and its end is no longer awaited', () => {
    const input = inputIn('reconnecting').pass(2_000).all(connected())
    expect(input.context).toMatchObject({ phase: 'live', session: 'a' })
    expect(input.pass(60_000).value).toBe('live')
  })

  it('each gap has its own time', () => {
    const input = inputIn('reconnecting').pass(2_000).all(connected(), dropped('a', 5_000)).pass(4_999)
    expect(input.value).toBe('reconnecting')
    expect(input.pass(1).value).toBe('waiting')
  })

  it('after a restart a connection has ten seconds to be seen again', () => {
    const input = inputIn('live').restart().all({ type: 'lost' }).pass(9_999)
    expect(input.value).toBe('reconnecting')
    expect(input.pass(1).value).toBe('waiting')
  })

  it('a gap that ended while nobody was there has ended', () => {
    expect(inputIn('reconnecting').away(60_000).value).toBe('waiting')
  })

  it('closing forgets the connection and its time', () => {
    const input = inputIn('reconnecting').all({ type: 'close' })
    expect(input.context).toMatchObject({ phase: 'idle', session: null })
    expect(input.timers.size).toBe(0)
  })

  it('why the latest try failed is told once, outlives a gap, and is forgotten with the next connection', () => {
    const input = inputIn('reconnecting').all(commands.failed)
    expect(input.ask(commands.failed)).toEqual([])
    expect(input.pass(3_000).context).toMatchObject({ phase: 'waiting', error: 'wrong key' })
    expect(input.all(connected()).context.error).toBeNull()
  })
})
