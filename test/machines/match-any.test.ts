import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { kinds } from '../../machines/kinds.ts'
import { judgeMatch, matchMachine } from '../../machines/match.ts'
import type { Match, MatchCommand, MatchState } from '../../machines/match-model.ts'
import { SPORTS, type SportName, sportOf, statisticsOf } from '../../machines/sports.ts'
import { transitionOf } from '../../machines/transition.ts'
import { decodeSnapshot, encodeSnapshot } from '../../src/actors/rows.ts'
import { situationSchema } from '../../src/resources/matches/sport-situation.schema.ts'
import { SportKey } from '../../src/schema/sport.ts'
import { same } from '../support/same.ts'
import { someAsks } from './fact-asks.ts'
import { type Ask, matchOf, minutes, snapshotOf, stamped } from './match-support.ts'

const transition = transitionOf(matchMachine)
const STATES = Object.keys(matchMachine.states) as MatchState[]
const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 1 }),
  fc.constantFrom('__proto__', 'constructor', 'bowled', 1e308, -1, true),
)

/** Facts with anything in the fields that are free, and words by hand in between. */
const anyAsks = (sport: SportName): fc.Arbitrary<Ask[]> => {
  const free = fc.record(
    {
      value: fc.oneof(
        fc.string(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constant(null),
      ),
      details: fc.dictionary(fc.constantFrom('kind', 'bases', 'overs', 'runs', 'down', 'distance', '__proto__'), odd),
      minute: fc.nat(),
      addedMinute: fc.option(fc.nat()),
      secondaryPlayerId: fc.option(fc.nat()),
    },
    { requiredKeys: [] },
  )
  const word = fc
    .record(
      {
        state: fc.constantFrom(...STATES),
        score: fc.option(fc.record({ home: fc.nat(), away: fc.nat() })),
        config: fc.record(
          {
            periodCount: fc.integer({ min: 1, max: 99 }),
            periodLength: fc.integer({ min: 0, max: 600 }),
            extraTime: fc.boolean(),
            goldenGoal: fc.boolean(),
            shootout: fc.boolean(),
            useClock: fc.boolean(),
            cumulative: fc.boolean(),
            clockDirection: fc.constantFrom('up', 'down'),
            endBehaviour: fc.constantFrom('stopAtLength', 'tickUntilEnd'),
            startingSize: fc.integer({ min: 1, max: 99 }),
          },
          { requiredKeys: [] },
        ),
      },
      { requiredKeys: [] },
    )
    .map((said): Ask => ({ type: 'update', ...said }))
  const facts = fc.tuple(someAsks(sport), fc.array(free, { minLength: 4, maxLength: 8 })).map(([asks, frees]) =>
    asks.map((ask, index): Ask => {
      const more = frees[index % frees.length]
      return 'fact' in ask ? ({ ...ask, fact: { ...more, ...ask.fact } } as Ask) : ask
    }),
  )
  return fc
    .tuple(facts, fc.array(fc.tuple(fc.nat({ max: 50 }), word), { maxLength: 8 }))
    .map(([asks, words]) =>
      words.reduce((all, [place, said]) => all.toSpliced(place % (all.length + 1), 0, said), asks),
    )
}

/** What is looked at after each word, for every fact there is: an `expect` for each costs more than the match itself. */
function sound({ play, facts, sport, competitors }: Match, situation: ReturnType<typeof situationSchema>): void {
  const { score, clock, period } = play
  const statistics = statisticsOf(sport)
  const counts = [score.home, score.away, ...play.competitorScores]
  const wrong = {
    counts: counts.filter((count) => !(Number.isInteger(count) && count >= 0)),
    types: facts.map(({ type }) => type).filter((type) => !(type in sportOf(sport).factTypes)),
    statistics: [play.statistics.home, play.statistics.away]
      .flatMap((side) => Object.keys(side))
      .filter((statistic) => !statistics.includes(statistic)),
    periods: score.periods.filter(({ number }, index) => number !== index + 1),
    competitorScores: play.competitorScores.length - competitors.length,
    clock: Number.isFinite(clock.valueMs) && clock.valueMs >= 0 ? [] : [clock.valueMs],
    runs: clock.running && play.state !== 'live' && play.state !== 'break',
    begun: (period !== null) !== facts.some(({ type }) => type === 'matchStart' || type === 'periodStart'),
  }
  same(wrong, NOTHING_WRONG)
  same(JSON.parse(JSON.stringify(play)), play)
  same(situation.parse(play.situation), play.situation)
}

const NOTHING_WRONG = {
  counts: [],
  types: [],
  statistics: [],
  periods: [],
  competitorScores: 0,
  clock: [],
  runs: false,
  begun: false,
}

describe('a match told anything (issue 3.5: what is impossible is refused and changes nothing)', () => {
  it.each(Object.keys(SPORTS) as SportName[])('%s: is never broken, and its state is that of its play', (sport) => {
    const situation = situationSchema(SportKey.parse(sport))
    fc.assert(
      fc.property(anyAsks(sport), (asks) => {
        let snapshot: ReturnType<typeof transition>['snapshot'] = snapshotOf(matchOf(sport))
        for (const [index, ask] of asks.entries()) {
          const told: MatchCommand = stamped({
            ...ask,
            at: minutes(index),
            ...(ask.type === 'record' && { id: index + 1 }),
          })
          const before = snapshot.context as Match
          const possible = judgeMatch(before, told) === undefined
          same(snapshot.can(told), possible)
          const next = transition(snapshot, told)
          if (!possible) expect(next.snapshot.context).toBe(before)
          const match = next.snapshot.context as Match
          same(next.snapshot.value, match.play.state)
          sound(match, situation)
          snapshot = next.snapshot
        }
        const stored: unknown = JSON.parse(encodeSnapshot(snapshot))
        expect(decodeSnapshot('match', kinds.match.version, stored).context).toEqual(snapshot.context)
      }),
      { numRuns: 12, seed: 20_261_120 },
    )
  })
})
