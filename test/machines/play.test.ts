import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decideMatch, foldMatch, judgeMatch } from '../../machines/match.ts'
import type { Fact, Match, MatchCommand, MatchConfig, Play } from '../../machines/match-model.ts'
import { isRefusal } from '../../machines/play/refusal.ts'
import { inMatchOrder, play } from '../../machines/play.ts'
import { SPORTS, type SportName } from '../../machines/sports.ts'
import { same } from '../support/same.ts'
import { someAsks } from './fact-asks.ts'
import { type Ask, type Brief, commanded, matchOf, minutes, played, stamped } from './match-support.ts'

const clockOf = (sport: SportName, config: Partial<MatchConfig>, ...facts: readonly Brief[]) =>
  played(matchOf(sport, config), ...facts).play.clock
const at = (type: string, minute: number, more: Partial<Brief> = {}): Brief => ({
  type,
  timestamp: minutes(minute),
  ...more,
})
const half = [at('periodStart', 0), at('periodEnd', 47)]

describe('the clock of a match (issue 3.4: {running, valueMs, asOf, direction})', () => {
  it.each<[string, SportName, Partial<MatchConfig>, Brief[], [boolean, number, number]]>([
    ['stands at nothing before the start', 'football', {}, [], [false, 0, -60]],
    ['counts down from the length', 'basketball', {}, [], [false, 10, -60]],
    ['runs from the first period', 'football', {}, [at('periodStart', 0)], [true, 0, 0]],
    ['runs from matchStart too', 'football', {}, [at('matchStart', 0)], [true, 0, 0]],
    [
      'starts again when the period is said to begin',
      'football',
      {},
      [at('matchStart', 0), at('periodStart', 2)],
      [true, 0, 2],
    ],
    ['runs past the length of a half', 'football', {}, half, [false, 47, 47]],
    ['stops at the length when it is told to', 'football', { endBehaviour: 'stopAtLength' }, half, [false, 45, 47]],
    ['goes on at 45:00', 'football', {}, [...half, at('periodStart', 62)], [true, 45, 62]],
    [
      'is reset when it does not count on',
      'football',
      { cumulative: false },
      [...half, at('periodStart', 62)],
      [true, 0, 62],
    ],
    [
      'is reset and stops at the length',
      'football',
      { cumulative: false, endBehaviour: 'stopAtLength' },
      [...half, at('periodStart', 62), at('periodEnd', 120)],
      [false, 45, 120],
    ],
    [
      'counts a period down to nothing and no further',
      'basketball',
      {},
      [at('periodStart', 0), at('periodEnd', 14)],
      [false, 0, 14],
    ],
    [
      'stands while it is stopped',
      'basketball',
      {},
      [at('periodStart', 0), at('clockStop', 3), at('clockStart', 5), at('clockStop', 6)],
      [false, 6, 6],
    ],
    [
      'is stopped by a time-out where the sport stops it',
      'basketball',
      {},
      [at('periodStart', 0), at('timeout', 4)],
      [false, 6, 4],
    ],
    [
      'runs on in a time-out where it does not',
      'touchFootball',
      {},
      [at('periodStart', 0), at('timeout', 4)],
      [true, 20, 0],
    ],
    [
      'is set while it runs',
      'football',
      {},
      [at('periodStart', 0), at('clockSet', 5, { clockMs: 360_000 })],
      [true, 6, 5],
    ],
    [
      'is set by the value too',
      'football',
      {},
      [at('periodStart', 0), at('clockSet', 5, { value: 360_000 })],
      [true, 6, 5],
    ],
    [
      'takes what a fact says it shows',
      'football',
      {},
      [at('periodStart', 0), at('clockStop', 5, { clockMs: 240_000 })],
      [false, 4, 5],
    ],
    [
      'never runs when it is not used',
      'tennis',
      {},
      [at('matchStart', 0), at('clockStart', 1), at('clockSet', 2, { clockMs: 5 })],
      [false, 0, -60],
    ],
    [
      'stands in a break that only breakStart tells of',
      'football',
      {},
      [at('periodStart', 0), at('breakStart', 20)],
      [false, 20, 20],
    ],
    [
      'counts extra time down from its own length',
      'basketball',
      { periodCount: 1 },
      [at('periodStart', 0), at('periodEnd', 10), at('periodStart', 12)],
      [true, 5, 12],
    ],
    ['stands when the match is over', 'football', {}, [at('periodStart', 0), at('matchEnd', 30)], [false, 30, 30]],
  ])('%s', (_name, sport, config, facts, [running, valueMinutes, asOf]) => {
    expect(clockOf(sport, config, ...facts)).toEqual({
      running,
      valueMs: valueMinutes * 60_000,
      asOf: minutes(asOf),
      direction: SPORTS[sport].defaults.clockDirection,
    })
  })

  it.each<[string, SportName, Partial<MatchConfig>, Brief[], [number | null, number | null]]>([
    ['the first minute is 1', 'football', {}, [at('periodStart', 0), at('corner', 0.5)], [1, null]],
    ['45:00 is added time', 'football', {}, [at('periodStart', 0), at('corner', 45)], [45, 1]],
    [
      'the second half begins with 46',
      'football',
      {},
      [...half, at('periodStart', 60), at('corner', 60.1)],
      [46, null],
    ],
    ['added time of the second half', 'football', {}, [...half, at('periodStart', 60), at('corner', 107.5)], [90, 3]],
    [
      'a clock that is reset',
      'football',
      { cumulative: false },
      [...half, at('periodStart', 60), at('corner', 61)],
      [47, null],
    ],
    [
      'a clock that counts down',
      'basketball',
      {},
      [at('periodStart', 0), at('periodEnd', 10), at('periodStart', 12), at('foul', 13.5)],
      [12, null],
    ],
    ['no clock', 'tennis', {}, [at('matchStart', 0), at('ace', 1)], [null, null]],
    ['before the match', 'football', {}, [at('yellowCard', -5)], [null, null]],
  ])('minute: %s', (_name, sport, config, facts, [minute, addedMinute]) => {
    expect(played(matchOf(sport, config), ...facts).facts.at(-1)).toMatchObject({ minute, addedMinute })
  })

  it('a late goal of an earlier period counts there and does not guess what the clock showed', () => {
    const match = played(
      matchOf('football'),
      ...half,
      at('periodStart', 60),
      at('goal', 61, { side: 'home', period: 1 }),
    )
    expect(match.facts.at(-1)).toMatchObject({ period: 1, clockMs: null, minute: null })
    expect(match.play.score.periods.map(({ home }) => home)).toEqual([1, 0])
  })
})

const SPORTS_PLAYED = Object.keys(SPORTS) as SportName[]

/** The command that was asked for, about a fact that is there when there is one. */
function aimed(match: Match, ask: Ask, index: number): MatchCommand {
  if (ask.type === 'record') return stamped({ ...ask, id: index + 1, at: minutes(index) })
  const factId = 'factId' in ask ? (match.facts[ask.factId % Math.max(1, match.facts.length)]?.id ?? ask.factId) : 0
  return stamped({ ...ask, factId, at: minutes(index) } as Ask)
}

describe('the fold of facts (issue 3.5: any change refolds all facts)', () => {
  it.each(SPORTS_PLAYED)(
    '%s: whatever was recorded, corrected and erased, the play is that of the facts that are left',
    (sport) => {
      const taken = { record: 0, correct: 0, erase: 0, update: 0 }
      const refused = { ...taken }
      fc.assert(
        fc.property(someAsks(sport), (asks) => {
          let match: Match = matchOf(sport, { extraTime: true, shootout: true })
          for (const [index, ask] of asks.entries()) {
            const command = aimed(match, ask, index)
            const before = JSON.stringify(match)
            const refusal = judgeMatch(match, command)
            const events = decideMatch(match, command)
            same(events.length, refusal ? 0 : 1)
            const next = events.reduce(foldMatch, match)
            same(JSON.stringify(match), before)
            match = next
            const count = refusal ? refused : taken
            count[command.type] += 1
            const fresh = { ...match, facts: [...match.facts].reverse().sort(inMatchOrder) }
            same(match.facts, fresh.facts)
            same(match.play, play(fresh))
          }
        }),
        { numRuns: 60, seed: 20_261_120 },
      )
      // the commands are of both sorts, else the property would say little
      for (const type of ['record', 'correct', 'erase'] as const) {
        expect(taken[type]).toBeGreaterThan(20)
        expect(refused[type]).toBeGreaterThan(5)
      }
    },
  )

  it('a score is what its periods add up to, and its points by the table', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('freeThrow', 'twoPointer', 'threePointer'), { maxLength: 60 }),
        fc.infiniteStream(fc.boolean()),
        (types, sides) => {
          const facts = types.map((type): Brief => ({ type, side: sides.next().value ? 'home' : 'away' }))
          const match = played(matchOf('basketball'), { type: 'periodStart' }, ...facts)
          const points = { freeThrow: 1, twoPointer: 2, threePointer: 3 }
          const sum = (side: string) =>
            facts.reduce(
              (total, fact, index) => total + (fact.side === side ? (points[types[index] ?? 'freeThrow'] ?? 0) : 0),
              0,
            )
          expect(match.play.score).toMatchObject({ home: sum('home'), away: sum('away') })
        },
      ),
      { numRuns: 50, seed: 20_261_120 },
    )
  })

  it('a side is credited with the own goals of the other, whoever is at home', () => {
    const match = played(
      matchOf('football'),
      at('periodStart', 0),
      at('ownGoal', 1, { side: 'home' }),
      at('ownGoal', 2, { side: 'away' }),
      at('ownGoal', 3, { side: 'away' }),
    )
    expect(match.play).toMatchObject({
      score: { home: 2, away: 1 },
      statistics: { home: { ownGoals: 1 }, away: { ownGoals: 2 } },
    })
    expect(commanded(match, { type: 'erase', factId: 3 }).play.score).toMatchObject({ home: 1, away: 1 })
  })

  it('a refusal names the field of the fact asked about, and the other fact otherwise', () => {
    const match = played(matchOf('football'), at('periodStart', 0), at('goal', 1, { side: 'home' }))
    const [start, goal] = match.facts
    const without = play({ ...match, facts: [goal as Fact] })
    expect(isRefusal(without) && without).toEqual({
      path: '',
      message: 'fact 2 (goal) would be impossible: the match has not started',
    })
    expect(isRefusal(play({ ...match, facts: [start as Fact] }))).toBe(false)
  })

  it('600 facts of a basketball match are refolded in less than 3 ms', () => {
    const quarter = (start: number): Brief[] => [
      at('periodStart', start),
      ...Array.from({ length: 148 }, (_, index) =>
        at(['twoPointer', 'miss', 'rebound', 'foul'][index % 4] ?? 'foul', start + index / 15, {
          side: index % 3 ? 'home' : 'away',
        }),
      ),
      at('periodEnd', start + 10),
    ]
    const facts = [0, 12, 24, 36].flatMap(quarter)
    const match = played(matchOf('basketball'), ...facts)
    expect(match.facts).toHaveLength(600)
    const runs = Array.from({ length: 50 }, () => {
      const startedMs = performance.now()
      const refolded = play(match) as Play
      const ms = performance.now() - startedMs
      expect(refolded.score).toEqual(match.play.score)
      return ms
    })
    expect(Math.min(...runs)).toBeLessThan(3)
  })
})
