import { expect, test } from 'vitest'
import {
  BENCH,
  benchOf,
  byPlayer,
  draftOf,
  faultsOf,
  fitted,
  moved,
  OUT,
  outOf,
  sentOf,
  sentTo,
  startersOf,
  usual,
} from '../../../src/pages/ui/lineup/draft.ts'

const SIZES = { startingSize: 2, benchSize: 1 }
const squad = [1, 2, 3, 4, 5].map((id) => ({
  id,
  firstName: 'Ana',
  lastName: `Silva ${id}`,
  number: String(10 - id),
  position: id === 1 ? 'Goalkeeper' : null,
  starter: id === 4,
  bench: false,
  captain: id === 4,
}))
const fielded = (id: number, starting: boolean, more = {}) => ({
  ...{ id, number: String(10 - id), position: null, starting, captain: false },
  ...more,
})

test('[issue 21.2] the usual line-up has who usually starts, and is filled up by number to the sizes of the sport', () => {
  const draft = usual(squad, SIZES)
  expect([startersOf(draft), benchOf(draft), outOf(draft)]).toEqual([['4', '5'], ['3'], ['2', '1']])
  expect(draft.captain).toBe('4')
})

test('[issue 21.2] a line-up of before comes over the squad of today, without those who left it', () => {
  const players = [fielded(2, true, { captain: true, number: '99' }), fielded(77, true), fielded(1, false)]
  const draft = draftOf(squad, { formation: '1-1', players })
  expect(draft.order).toEqual(['2', BENCH, '1', OUT, '5', '4', '3'])
  expect([draft.captain, draft.formation, draft.entries[2]?.number]).toEqual(['2', '1-1', '99'])
})

test('[issue 21.2] who leaves the squad while somebody works is gone, and who comes to it can be put in', () => {
  const players = [fielded(2, true, { captain: true }), fielded(1, false)]
  const draft = draftOf(squad, { formation: '1-1', players })
  expect(fitted(draft, squad)).toBe(draft)
  const came = { ...squad[0], id: 9, number: '33' } as (typeof squad)[number]
  const today = [...squad.filter(({ id }) => id !== 2), came]
  const now = fitted(draft, today)
  expect(now.order).toEqual([BENCH, '1', OUT, '5', '4', '3', '9'])
  expect([now.captain, now.formation, now.entries[9]]).toEqual([
    undefined,
    '1-1',
    { number: '33', position: 'Goalkeeper' },
  ])
  expect([...faultsOf(sentOf(7, today, now), today, SIZES).keys()]).toEqual([])
})

test('[issue 21.2] what is the squad’s own is left to the squad, what was changed is sent', () => {
  const draft = draftOf(squad, { formation: ' ', players: [fielded(2, true, { number: '99' }), fielded(1, false)] })
  expect(sentOf(7, squad, draft)).toEqual({
    teamId: 7,
    formation: null,
    players: [
      { playerId: 2, number: '99', position: null, starting: true, captain: false },
      { playerId: 1, number: null, position: null, starting: false, captain: false },
    ],
  })
})

test('[issue 21.2] players go from part to part by drag, keys and buttons, and the parts keep their order', () => {
  const draft = draftOf(squad, { formation: null, players: [fielded(1, true), fielded(2, false)] })
  expect(draft.order).toEqual(['1', BENCH, '2', OUT, '5', '4', '3'])
  // one place down is behind the mark: on the bench
  expect(benchOf(moved(draft, '1', 1))).toEqual(['1', '2'])
  expect(startersOf(moved(draft, '3', 0))).toEqual(['3', '1'])
  expect(startersOf(sentTo(draft, '5', 'starters'))).toEqual(['1', '5'])
  expect(outOf(sentTo({ ...draft, captain: '1' }, '1', 'out')).at(-1)).toBe('1')
  expect(sentTo({ ...draft, captain: '1' }, '1', 'out').captain).toBeUndefined()
  expect(moved(draft, OUT, 0)).toBe(draft)
})

test('[issue 21.2] what is wrong stands at the player, in the words of the server', () => {
  const players = [fielded(1, true), fielded(2, true, { number: '9' }), fielded(3, true), fielded(4, false)]
  const sent = sentOf(7, squad, draftOf(squad, { formation: null, players }))
  expect(Object.fromEntries(faultsOf(sent, squad, SIZES))).toEqual({
    '2': ['worn by another player'],
    '3': ['more than 2 starters'],
  })
  const told = { 'body.teams[0].players[1].playerId': { message: 'not on the roster of the team' } }
  expect(Object.fromEntries(byPlayer(sent, told))).toEqual({ '2': ['not on the roster of the team'] })
})
