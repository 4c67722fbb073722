import fc from 'fast-check'
import { type SportName, sportOf } from '../../machines/sports.ts'
import { type Ask, AWAY, HOME, minutes } from './match-support.ts'

/** Present once in so many times. */
const rarely = <T>(arbitrary: fc.Arbitrary<T>, times: number) =>
  fc.oneof({ weight: 1, arbitrary }, { weight: times - 1, arbitrary: fc.constant(undefined) })

/** Any facts of a sport: mostly such as may follow one another, some at the same time, some that cannot be. */
export const someAsks = (sport: SportName): fc.Arbitrary<Ask[]> => {
  const { factTypes } = sportOf(sport)
  const names = Object.keys(factTypes)
  const ordinary = names.filter((name) => !factTypes[name]?.structural)
  const fact = fc
    .record({
      type: fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom(...ordinary) },
        { weight: 2, arbitrary: fc.constantFrom('periodStart', 'periodEnd', 'clockStart', 'clockStop') },
        { weight: 1, arbitrary: fc.constantFrom(...names) },
      ),
      teamId: fc.oneof(
        { weight: 19, arbitrary: fc.constantFrom(HOME, AWAY) },
        { weight: 1, arbitrary: fc.constant(99) },
      ),
      timestamp: rarely(fc.integer({ min: 0, max: 40 }).map(minutes), 4),
      clockMs: rarely(fc.integer({ min: 0, max: 3_000_000 }), 3),
      period: rarely(fc.integer({ min: 0, max: 4 }), 10),
      points: rarely(fc.integer({ min: 1, max: 6 }), 10),
    })
    .map((asked) => {
      const { min } = Object.assign({ min: undefined }, factTypes[asked.type]?.points)
      const given = Object.entries({ ...(min === 0 && { points: 4 }), ...asked }).filter(
        ([, value]) => value !== undefined,
      )
      return { type: asked.type, ...Object.fromEntries(given) }
    })
  const factId = fc.nat({ max: 1_000 })
  const ask: fc.Arbitrary<Ask> = fc.oneof(
    { weight: 6, arbitrary: fact.map((asked): Ask => ({ type: 'record', id: 0, fact: asked })) },
    {
      weight: 2,
      arbitrary: fc.tuple(factId, fact).map(([id, asked]): Ask => ({ type: 'correct', factId: id, fact: asked })),
    },
    { weight: 1, arbitrary: factId.map((id): Ask => ({ type: 'erase', factId: id })) },
  )
  const start: Ask = { type: 'record', id: 0, fact: { type: 'matchStart', timestamp: minutes(0) } }
  return fc.array(ask, { minLength: 20, maxLength: 50 }).map((asks) => [start, ...asks])
}
