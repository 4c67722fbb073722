import { describe, expect, test } from 'vitest'
import { happeningsOf, rehearsingAfter, type Told } from '../../src/webhooks/told.ts'
import { checkBody } from '../support/webhook-receiver.ts'

const AT = '2026-11-26T20:00:00.000000Z'
const principal = { type: 'system', name: 'media' } as const

/** What rows of a journal are told as, each held against the served schema of its type. */
function told(ref: string, rows: readonly (readonly object[])[], more: Partial<Told> = {}) {
  const happenings = happeningsOf({
    ...{ ref, id: Number(ref.split('/')[1]), before: undefined },
    rows: rows.map((events, index) => ({ seq: index + 1, at: AT, events: events as { type: string }[], principal })),
    ...more,
  })
  for (const { type, data } of happenings)
    checkBody({ type, ...{ timestamp: '2026-11-26T20:00:00.000Z', data: { ...data, sequence: 1 } } })
  return happenings
}
const typesOf = (happenings: ReturnType<typeof told>) => happenings.map(({ type }) => type)
const stream = { streamSettingsId: 4, matchId: 3 }

describe('[issue 20.3] what is told of', () => {
  test('a stream: its states, with why it stopped, for its match', () => {
    const happenings = told(
      'stream/4',
      [
        [{ type: 'stream.starting', run: 1, auto: false, overlayHidden: false }],
        [{ type: 'stream.running', run: 1, at: AT }],
        [{ type: 'stream.published', destinationIds: [1] }],
        [{ type: 'stream.stopping', run: 1, auto: false }],
        [{ type: 'stream.stopped', run: 1, error: 'no video' }],
      ],
      { stream },
    )
    expect(happenings.map(({ data }) => data.state)).toEqual(['starting', 'running', 'stopping', 'stopped'])
    expect(happenings.at(-1)).toMatchObject({ subject: 'match/3', data: { ...stream, error: 'no video' } })
  })

  test('a destination: each try, and nothing of wishes', () => {
    const happenings = told(
      'destination/7',
      [
        [{ type: 'destination.started', wish: 1, attempt: 1 }],
        [{ type: 'destination.failed', error: 'refused', retryInMs: 1_000, nextRetryDate: AT }],
        [
          { type: 'destination.wished', wish: 2 },
          { type: 'destination.connecting', attempt: 2 },
        ],
        [{ type: 'destination.connected', at: AT }],
        [{ type: 'destination.stopped', wish: 3 }],
      ],
      { stream },
    )
    expect(happenings.map(({ data }) => [data.status, data.error])).toEqual([
      ['connecting', null],
      ['retrying', 'refused'],
      ['connecting', null],
      ['connected', null],
      ['stopped', null],
    ])
  })

  test('a stream that is gone: nothing', () => {
    expect(told('stream/4', [[{ type: 'stream.running', run: 1, at: AT }]])).toEqual([])
  })

  test('an input: connected and lost, once each, and not when it is closed by hand', () => {
    const connected = { type: 'input.connected', session: 'a', protocol: 'rtmp', at: AT }
    const rows = [
      [connected],
      [{ type: 'input.dropped', session: 'a', graceMs: 10 }],
      [{ type: 'input.disconnected' }],
      [connected],
      [{ type: 'input.closed' }],
    ]
    expect(typesOf(told('input/2', rows))).toEqual(['input.connected', 'input.lost', 'input.connected'])
    const orderly = told('input/2', [[{ type: 'input.disconnected' }]], { before: [connected] })
    expect(typesOf(orderly)).toEqual(['input.lost'])
  })

  test('a game plan: what fired and what did not, and nothing of a rehearsal', () => {
    const fired = { type: 'rule.fired', ruleId: 'goal', name: 'Goal', factId: 9, at: 1 }
    const rows = [
      [fired, { type: 'rule.suppressed', ruleId: 'ad', name: 'Ad', factId: null, at: 1, reason: 'noBrands' }],
      [{ type: 'plan.rehearsing', on: true, at: 1 }, fired],
      [fired, { type: 'plan.rehearsing', on: false, at: 1 }],
      [fired, { type: 'rule.withdrawn', ruleId: 'goal', name: 'Goal', factId: 9, at: 1, reason: null }],
    ]
    const happenings = told('game-plan/5', rows)
    expect(happenings.map(({ type, seq, nth }) => [type, seq, nth])).toEqual([
      ['gameplan.fired', 1, 0],
      ['gameplan.suppressed', 1, 1],
      ['gameplan.fired', 4, 0],
    ])
    expect(happenings[0]).toMatchObject({ subject: 'overlay/5', data: { overlayId: 5, factId: 9 } })
    expect(typesOf(told('game-plan/5', rows.slice(2), { rehearsing: true }))).toEqual(['gameplan.fired'])
    const events = rows.map((one) => ({ events: one as { type: string }[] }))
    expect([rehearsingAfter(events, true), rehearsingAfter(events.slice(0, 2), false)]).toEqual([false, true])
  })
})
