import { describe, expect, it } from 'vitest'
import type { Values } from '../../machines/overlay.ts'
import { GraphicExpressions } from '../../src/resources/matches/graphic-expressions.ts'
import { wantsIn } from '../../src/resources/matches/graphic-wants.ts'
import { findScenario } from '../../src/resources/scenarios/queries.ts'

const NOTHING = { schemas: undefined, variables: [], records: [], expressions: [] }

describe('what a state machine wants of the data', () => {
  it.each([
    [{}],
    [{ selectedSchemas: null, controlVariables: null, userExpressions: null }],
    [{ selectedSchemas: 'match', controlVariables: 'x', userExpressions: { id: '1' } }],
    [{ controlVariables: [null, 1, {}, { name: 'a' }, { type: 'team' }], userExpressions: [null, { name: 'a' }] }],
  ])('members of another kind are left out: %j', (machine) => expect(wantsIn(machine)).toEqual(NOTHING))

  it('no schema at all is another wish than all of them', () => {
    expect(wantsIn({ selectedSchemas: [] }).schemas).toEqual([])
    expect(wantsIn({ selectedSchemas: ['match', 5, 'teams'] }).schemas).toEqual(['match', 'teams'])
  })

  it('variables that name records, and the default of each', () => {
    const controlVariables = [
      { id: '1', name: 'title', type: 'string', defaultValue: 'x' },
      { id: '2', name: 'scorer', type: 'player', defaultValue: { id: 1 } },
      { id: '3', name: 'half', type: 'period', defaultValue: 2 },
    ]
    const { records, variables } = wantsIn({ controlVariables })
    expect(records.map(({ name, defaultValue }) => [name, defaultValue])).toEqual([
      ['scorer', null],
      ['half', 2],
    ])
    expect(variables).toHaveLength(3)
  })
})

describe('expressions are computed once per data, values and theme', () => {
  const data = findScenario('football-full-time')?.data
  if (!data) throw new Error('no such scenario')
  const wants = wantsIn({
    controlVariables: [{ id: '1', name: 'title', type: 'string', defaultValue: 'Result' }],
    userExpressions: [{ id: '1', name: 'line', expression: 'variables.title + theme.mark + match.score.home' }],
  })

  it('the same objects give the same object, another of any gives another', () => {
    const expressions = new GraphicExpressions(wants)
    const values: Values = {}
    const theme = { mark: ': ' }
    const first = expressions.values(values, data, theme)
    expect(first).toEqual({ line: `Result: ${data.match.score.home}` })
    expect(expressions.values(values, data, theme)).toBe(first)
    expect(expressions.values({ title: 'Final' }, data, theme)).toEqual({ line: `Final: ${data.match.score.home}` })
    expect(expressions.values(values, data, { mark: ' ' })).toEqual({ line: `Result ${data.match.score.home}` })
    const score = { ...data.match.score, home: 41 }
    const later = { ...data, match: { ...data.match, score } }
    expect(expressions.values(values, later, theme)).toEqual({ line: 'Result: 41' })
  })
})
