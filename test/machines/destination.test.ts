import { describe, expect, it } from 'vitest'
import type { DestinationCommand } from '../../machines/destination.ts'
import { BEGIN, iso, LoneActor } from './lone-actor.ts'

type Ask<C = DestinationCommand> = C extends unknown ? Omit<C, 'seq'> : never

const at = iso(BEGIN)
const want = (wish: number, now = false): Ask => ({ type: 'wish', wanted: true, wish, now })
const unwant = (wish: number): Ask => ({ type: 'wish', wanted: false, wish, now: false })
const connected = (attempt = 1): Ask => ({ type: 'connected', attempt, at })
const failed = (attempt = 1, retryInMs = 4_000): Ask => ({
  type: 'failed',
  attempt,
  error: 'refused',
  retryInMs,
  nextRetryDate: iso(BEGIN + retryInMs),
})

const phases = {
  stopped: [want(3), unwant(5)],
  connecting: [want(5)],
  connected: [want(5), connected()],
  retrying: [want(5), failed()],
} satisfies Record<string, Ask[]>
type Phase = keyof typeof phases

const commands = {
  'wanted, by an older wish': want(4),
  'wanted, by the same wish': want(5),
  'wanted, by a newer wish': want(6),
  'wanted now': want(6, true),
  'wanted now, by an older wish': want(4, true),
  'unwanted, by an older wish': unwant(4),
  'unwanted, by the same wish': unwant(5),
  'unwanted, by a newer wish': unwant(6),
  'observed connected': connected(),
  'observed connected, of another attempt': connected(9),
  'observed failed': failed(),
  'observed failed, of another attempt': failed(9),
  'input down': { type: 'inputDown' },
  'input up': { type: 'inputUp' },
  lost: { type: 'lost' },
} satisfies Record<string, Ask>
type Named = keyof typeof commands

const REFUSED = 'refused'
const table: Record<Phase, Record<Named, Phase | typeof REFUSED>> = {
  stopped: {
    'wanted, by an older wish': 'stopped',
    'wanted, by the same wish': 'connecting',
    'wanted, by a newer wish': 'connecting',
    'wanted now': 'connecting',
    'wanted now, by an older wish': 'stopped',
    'unwanted, by an older wish': 'stopped',
    'unwanted, by the same wish': 'stopped',
    'unwanted, by a newer wish': 'stopped',
    'observed connected': REFUSED,
    'observed connected, of another attempt': REFUSED,
    'observed failed': REFUSED,
    'observed failed, of another attempt': REFUSED,
    'input down': REFUSED,
    'input up': REFUSED,
    lost: REFUSED,
  },
  connecting: {
    'wanted, by an older wish': 'connecting',
    'wanted, by the same wish': 'connecting',
    'wanted, by a newer wish': 'connecting',
    'wanted now': 'connecting',
    'wanted now, by an older wish': 'connecting',
    'unwanted, by an older wish': 'connecting',
    'unwanted, by the same wish': 'stopped',
    'unwanted, by a newer wish': 'stopped',
    'observed connected': 'connected',
    'observed connected, of another attempt': REFUSED,
    'observed failed': 'retrying',
    'observed failed, of another attempt': REFUSED,
    'input down': REFUSED,
    'input up': REFUSED,
    lost: 'connecting',
  },
  connected: {
    'wanted, by an older wish': 'connected',
    'wanted, by the same wish': 'connected',
    'wanted, by a newer wish': 'connected',
    'wanted now': 'connected',
    'wanted now, by an older wish': 'connected',
    'unwanted, by an older wish': 'connected',
    'unwanted, by the same wish': 'stopped',
    'unwanted, by a newer wish': 'stopped',
    'observed connected': REFUSED,
    'observed connected, of another attempt': REFUSED,
    'observed failed': 'retrying',
    'observed failed, of another attempt': REFUSED,
    'input down': 'connecting',
    'input up': REFUSED,
    lost: 'connecting',
  },
  retrying: {
    'wanted, by an older wish': 'retrying',
    'wanted, by the same wish': 'retrying',
    'wanted, by a newer wish': 'retrying',
    'wanted now': 'connecting',
    'wanted now, by an older wish': 'retrying',
    'unwanted, by an older wish': 'retrying',
    'unwanted, by the same wish': 'stopped',
    'unwanted, by a newer wish': 'stopped',
    'observed connected': REFUSED,
    'observed connected, of another attempt': REFUSED,
    'observed failed': REFUSED,
    'observed failed, of another attempt': REFUSED,
    'input down': REFUSED,
    'input up': 'connecting',
    lost: REFUSED,
  },
}

const destinationIn = (phase: Phase) => new LoneActor('destination').all(...phases[phase])
const all = Object.entries(table).flatMap(([phase, row]) =>
  Object.entries(row).map(([name, expected]) => [phase as Phase, name as Named, expected] as const),
)

describe('[issue 5.1] a destination, state by state', () => {
  it.each(all)('%s: %s -> %s', (phase, name, expected) => {
    const destination = destinationIn(phase)
    const outcome = destination.ask(commands[name])
    expect(outcome === REFUSED ? REFUSED : destination.value).toBe(expected)
    expect(destination.context.phase).toBe(destination.value)
    const { replayed, snapshot } = destination.stored
    expect(replayed).toEqual(snapshot)
  })
})

describe('[issue 5.1] wishes', () => {
  it('a destination that was never wanted is told so without a try', () => {
    const destination = new LoneActor('destination').all(unwant(2))
    expect(destination.context).toMatchObject({ phase: 'stopped', wish: 2, attempt: 0 })
  })

  it('a wish that comes again changes nothing', () => {
    const destination = destinationIn('connected')
    expect(destination.ask(want(5))).toEqual([])
    expect(destination.ask(want(5, true))).toEqual([])
    expect(destinationIn('retrying').ask(want(5))).toEqual([])
  })

  it('an older wish that comes late changes nothing, also when the newer one changed nothing', () => {
    const destination = destinationIn('stopped').all(unwant(8))
    expect(destination.ask(want(7))).toEqual([])
    expect(destination.context).toMatchObject({ phase: 'stopped', wish: 8 })
  })

  it('a stop forgets what went wrong, but no attempt is counted twice', () => {
    const destination = destinationIn('retrying').all(unwant(6))
    expect(destination.context).toMatchObject({ phase: 'stopped', attempt: 1, failures: 0, error: null })
    expect(destination.timers.size).toBe(0)
    destination.all(want(7))
    expect(destination.context).toMatchObject({ phase: 'connecting', attempt: 2 })
    expect(destination.ask(connected(1))).toBe('refused')
  })
})

describe('[issue 5.5] retries', () => {
  it('the next try comes when it is due, counted as a try of its own', () => {
    const destination = destinationIn('retrying')
    expect(destination.context).toMatchObject({ failures: 1, error: 'refused', nextRetryDate: iso(BEGIN + 4_000) })
    destination.pass(3_999)
    expect(destination.value).toBe('retrying')
    destination.pass(1)
    expect(destination.context).toMatchObject({ phase: 'connecting', attempt: 2, failures: 1, nextRetryDate: null })
    expect(destination.context.error).toBe('refused')
  })

  it('failures add up until it is connected', () => {
    const destination = destinationIn('retrying').pass(4_000).all(failed(2, 8_000))
    expect(destination.context).toMatchObject({ failures: 2, retryInMs: 8_000 })
    destination.pass(8_000).all(connected(3))
    expect(destination.context).toMatchObject({ failures: 0, error: null, connectedAt: at })
  })

  it.each([
    ['input that comes up', { type: 'inputUp' }],
    ['somebody who asks', want(6, true)],
  ] satisfies [string, Ask][])('do not wait for their time with %s, and are not made twice', (_title, command) => {
    const destination = destinationIn('retrying').all(command)
    expect(destination.context).toMatchObject({ phase: 'connecting', attempt: 2 })
    expect(destination.pass(60_000).context.attempt).toBe(2)
  })

  it('a try that was due while nobody was there comes at once', () => {
    const destination = destinationIn('retrying').away(3_600_000)
    expect(destination.context).toMatchObject({ phase: 'connecting', attempt: 2 })
  })

  it('a wish that comes while one waits does not make it wait longer', () => {
    const destination = destinationIn('retrying').pass(3_000).all(want(6)).pass(1_000)
    expect(destination.value).toBe('connecting')
  })
})

describe('[issue 5.4] what is no fault of the far end', () => {
  it('a gap of the input: the same connection is connected again when it flows again', () => {
    const destination = destinationIn('connected').all({ type: 'inputDown' })
    expect(destination.context).toMatchObject({ phase: 'connecting', attempt: 1, failures: 0, connectedAt: null })
    expect(destination.all(connected(1)).value).toBe('connected')
  })

  it('whoever watched it is gone: nothing is known of the earlier connection', () => {
    const destination = destinationIn('connected').all({ type: 'lost' })
    expect(destination.context).toMatchObject({ phase: 'connecting', attempt: 2, failures: 0, error: null })
    expect(destination.ask(failed(1))).toBe('refused')
  })
})
