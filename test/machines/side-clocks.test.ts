import { describe, expect, it } from 'vitest'
import { decideMatch, foldMatch, judgeMatch, newMatch, UNSAID } from '../../machines/match.ts'
import type { Fact } from '../../machines/match-model.ts'
import { sideClocks } from '../../machines/statistics/clocks.ts'

const [HOME, AWAY] = [1, 2]
const START = Date.parse('2026-11-01T15:00:00Z')
const iso = (second: number) => new Date(START + second * 1_000).toISOString()

function clocksAfter(sport: string, facts: readonly [second: number, fact: Partial<Fact> & { type: string }][]) {
  const side = (teamId: number, isHome: boolean) => ({ entityType: 'team', teamId, playerId: null, isHome }) as const
  let match = newMatch({
    sport,
    settings: { ...UNSAID, date: iso(0) },
    config: {},
    competitors: [side(HOME, true), side(AWAY, false)],
    at: iso(0),
  })
  for (const [index, [second, fact]] of facts.entries()) {
    const asked = { ...fact, timestamp: iso(second) }
    const command = { type: 'record', seq: index + 1, at: iso(second), id: index + 1, fact: asked } as const
    expect(judgeMatch(match, command), JSON.stringify(fact)).toBeUndefined()
    match = decideMatch(match, command).reduce(foldMatch, match)
  }
  return sideClocks(match)
}

describe('[show-control] clocks beside the match clock', () => {
  it('a penalty runs and stops with the match clock, over a break too, and is gone when served', () => {
    const penalty = [60, { type: 'penalty', teamId: AWAY, playerId: 7 }] as const
    const running = clocksAfter('iceHockey', [[0, { type: 'matchStart' }], [...penalty]])
    expect(running?.penalties).toEqual([
      { side: 'away', playerId: 7, factId: 2, type: 'penalty', minutes: 2, running: true, endsAt: iso(180) },
    ])
    expect(running?.powerPlay).toEqual({ side: 'home', advantage: 1, running: true, endsAt: iso(180) })
    const stopped = clocksAfter('iceHockey', [[0, { type: 'matchStart' }], [...penalty], [90, { type: 'clockStop' }]])
    expect(stopped?.penalties).toMatchObject([{ running: false, remainingMs: 90_000 }])
    const again = clocksAfter('iceHockey', [
      [0, { type: 'matchStart' }],
      [...penalty],
      [90, { type: 'clockStop' }],
      [300, { type: 'clockStart' }],
    ])
    expect(again?.penalties).toMatchObject([{ running: true, endsAt: iso(390) }])
    const carried = clocksAfter('iceHockey', [
      [0, { type: 'matchStart' }],
      [1_170, { type: 'penalty', teamId: AWAY, value: 5 }],
      [1_210, { type: 'periodEnd' }],
      [2_000, { type: 'periodStart' }],
    ])
    // the clock stood at nothing after 1200 s: 30 s of five minutes are served
    expect(carried?.penalties).toMatchObject([{ minutes: 5, running: true, endsAt: iso(2_270) }])
    const served = clocksAfter('iceHockey', [[0, { type: 'matchStart' }], [...penalty], [200, { type: 'clockStop' }]])
    expect(served).toMatchObject({ penalties: [], powerPlay: null })
  })

  it('a goal against the side that is short ends its first minor, and no major', () => {
    const facts: [number, Partial<Fact> & { type: string }][] = [
      [0, { type: 'matchStart' }],
      [60, { type: 'penalty', teamId: AWAY }],
      [90, { type: 'goal', teamId: HOME }],
    ]
    expect(clocksAfter('iceHockey', facts)).toMatchObject({ penalties: [], powerPlay: null })
    facts[1] = [60, { type: 'penalty', teamId: AWAY, details: { minutes: 5 } }]
    expect(clocksAfter('iceHockey', facts)?.penalties).toMatchObject([{ endsAt: iso(360) }])
    facts[1] = [60, { type: 'penalty', teamId: HOME }]
    expect(clocksAfter('iceHockey', facts)?.penalties).toMatchObject([{ side: 'home', endsAt: iso(180) }])
  })

  it('sin bins last as long as their code says', () => {
    const bin = (sport: string, type: string) =>
      clocksAfter(sport, [
        [0, { type: 'matchStart' }],
        [30, { type, teamId: HOME, playerId: 4 }],
      ])?.penalties?.[0]
    expect(bin('rugbyUnion', 'yellowCard')).toMatchObject({ minutes: 10, endsAt: iso(630) })
    expect(bin('rugbySevens', 'yellowCard')).toMatchObject({ minutes: 2 })
    expect(bin('handBall', 'twoMinuteSuspension')).toMatchObject({ minutes: 2 })
    expect(bin('waterPolo', 'exclusion')).toMatchObject({ minutes: 0.3, endsAt: iso(48) })
  })

  it('shot clocks run with the match clock, the play clock by itself; time-outs are counted down', () => {
    const polo = [
      [0, { type: 'matchStart' }],
      [10, { type: 'shotClock', teamId: HOME }],
    ] as const
    expect(clocksAfter('waterPolo', [...polo.map((one) => [...one] as [number, { type: string }])])?.shotClock).toEqual(
      {
        running: true,
        endsAt: iso(38),
      },
    )
    const reset = clocksAfter('basketball', [
      [0, { type: 'matchStart' }],
      [10, { type: 'shotClock', value: 14 }],
      [15, { type: 'clockStop' }],
    ])
    expect(reset?.shotClock).toEqual({ running: false, remainingMs: 9_000 })
    const gridiron = clocksAfter('gridiron', [
      [0, { type: 'matchStart' }],
      [10, { type: 'timeout', teamId: AWAY }],
      [20, { type: 'playClock', value: 25 }],
    ])
    expect(gridiron).toEqual({ playClock: { running: true, endsAt: iso(45) }, timeoutsLeft: { home: 3, away: 2 } })
  })

  it('basketball has two time-outs in the first half, three in the second, and one in each overtime', () => {
    const quarter = (at: number) =>
      [
        [at, { type: 'periodEnd' }],
        [at + 1, { type: 'periodStart' }],
      ] as const
    const facts: [number, { type: string; teamId?: number }][] = [
      [0, { type: 'matchStart' }],
      [10, { type: 'timeout', teamId: AWAY }],
    ]
    const left = () => clocksAfter('basketball', facts)?.timeoutsLeft
    expect(left()).toEqual({ home: 2, away: 1 })
    for (const at of [20, 30])
      facts.push(...quarter(at).map(([time, fact]) => [time, { ...fact }] as (typeof facts)[0]))
    expect(left()).toEqual({ home: 3, away: 3 })
  })

  it('football, tennis and a match that has not begun have none', () => {
    expect(clocksAfter('football', [[0, { type: 'matchStart' }]])).toBeNull()
    expect(clocksAfter('iceHockey', [])).toBeNull()
  })
})
