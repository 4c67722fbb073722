import { describe, expect, test } from 'vitest'
import {
  type Line,
  lanesOf,
  matchTime,
  neverShown,
  onAirAt,
  reasonWords,
  spanOf,
  ticksOf,
  valuesAt,
} from '../../../src/pages/dashboard/game-plan/lanes.ts'

const line = (matchMs: number, ruleId: string, more: Partial<Line>): Line => ({
  ...{ matchMs, at: '', ruleId, name: ruleId, outcome: null, reason: null, graphicName: 'Third', action: null },
  ...more,
})
const shows = { outcome: 'fired', action: 'show' } as const
const rules = [{ id: 'goal', layer: 'Names' }, { id: 'card', layer: 'Names' }, { id: 'bug' }]

describe('[issue 18.6] the time line of a plan', () => {
  const lines = [
    line(0, 'bug', { ...shows, graphicName: 'Bug' }),
    line(1_000, 'card', { ...shows, variableValues: { player: 1 } }),
    line(2_000, 'card', { action: 'update', variableValues: { player: 2 } }),
    line(3_000, 'goal', shows),
    line(4_000, 'card', { outcome: 'suppressed', reason: 'priority' }),
    line(9_000, 'goal', { action: 'hide' }),
  ]
  const lanes = lanesOf(lines, rules)

  test('a lane is a layer of the rules, else a graphic; what comes later ends what was on', () => {
    expect(lanes.map(({ name }) => name)).toEqual(['Bug', 'Names'])
    expect(lanes[1]?.bars.map(({ ruleId, fromMs, toMs }) => [ruleId, fromMs, toMs])).toEqual([
      ['card', 1_000, 3_000],
      ['goal', 3_000, 9_000],
    ])
    expect(lanes[1]?.marks).toEqual([
      { ruleId: 'card', name: 'card', atMs: 4_000, outcome: 'suppressed', why: reasonWords('priority') },
    ])
    // nothing takes it off
    expect(lanes[0]?.bars[0]?.toMs).toBe(spanOf(lines).toMs)
  })

  test('a hide of another rule than the one that is on ends nothing', () => {
    const [lane] = lanesOf([line(0, 'goal', shows), line(1_000, 'card', { action: 'hide' })], rules)
    expect(lane?.bars).toMatchObject([{ ruleId: 'goal', toMs: 31_000 }])
  })

  test('a rule that was never shown is told with what spoke against it most, one that was shown now and then is not', () => {
    const held = { outcome: 'suppressed', reason: 'noBrand' } as const
    const never = neverShown(
      [
        ...lines,
        line(5_000, 'ad', { ...held, reason: 'priority' }),
        ...[6_000, 7_000].map((at) => line(at, 'ad', held)),
      ],
      rules,
    )
    expect([...never]).toEqual([
      ['ad', { name: 'ad', why: expect.stringContaining(`${reasonWords('noBrand')}. Choose a brand`) }],
    ])
  })

  test('[issue 18.6] what did not hold of a condition is said in its words', () => {
    const condition = 'lineups.home.players.size() > 0'
    const never = neverShown(
      [line(0, 'card', { outcome: 'suppressed', reason: 'condition' })],
      [{ id: 'card', condition }],
    )
    expect(never.get('card')?.why).toBe('the home line-up has no players.')
    expect(reasonWords('condition', 'score.home > score.away')).toBe('it comes only if home leads')
    expect(reasonWords('condition', `${condition} && score.home > 1`)).toBe('its condition did not hold')
  })

  test('what is on air at a moment, with the values that it has then', () => {
    expect(onAirAt(lanes, 2_500).map(({ ruleId }) => ruleId)).toEqual(['bug', 'card'])
    expect(onAirAt(lanes, 9_000).map(({ ruleId }) => ruleId)).toEqual(['bug'])
    const card = onAirAt(lanes, 1_500)[1]
    expect([card && valuesAt(card, 1_500), card && valuesAt(card, 2_000)]).toEqual([{ player: 1 }, { player: 2 }])
  })

  test('times count from the beginning of the match; an axis has round ones', () => {
    expect([-900_000, -100, 8_000, 3_723_000].map(matchTime)).toEqual(['−15:00', '0:00', '0:08', '1:02:03'])
    expect(ticksOf({ fromMs: -65_000, toMs: 130_000 }, 8)).toEqual([
      -60_000, -30_000, 0, 30_000, 60_000, 90_000, 120_000,
    ])
    expect(ticksOf({ fromMs: 0, toMs: 7_200_000 }, 4)).toHaveLength(5)
    expect([reasonWords('once'), reasonWords('new')]).toEqual(['it was shown once already', 'new'])
  })
})
