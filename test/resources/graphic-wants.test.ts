import { describe, expect, it } from 'vitest'
import type { Values } from '../../machines/overlay/model.ts'
import { GraphicExpressions } from '../../src/resources/matches/graphic-expressions.ts'
import { wantsIn } from '../../src/resources/matches/wants.ts'
import { findScenario } from '../../src/resources/scenarios/queries.ts'

const NOTHING = { schemas: undefined, variables: [], records: [], expressions: [], bound: [] }

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

describe('[issue 4] what a motion graphic binds to expressions', () => {
  const data = findScenario('football-full-time')?.data
  if (!data) throw new Error('no such scenario')

  it('is computed by id after the user expressions, null where it fails; what has no expression is left out', () => {
    const wants = wantsIn({
      userExpressions: [{ id: '1', name: 'line', expression: '"so far " + match.score.home' }],
      dataBindings: [
        { id: 'b1', name: 'Headline', expression: 'expressions.line + "!"' },
        { id: 'b2', name: 'Broken', expression: 'match.nothing.at.all' },
        { id: 'b3', name: 'Fixed', expression: '', value: 'as it is' },
        { id: 'b4', name: 'Neighbour', expression: 'expressions.Headline' },
      ],
      stateMachineInputs: [
        { id: 'i1', name: 'goals', type: 'number', value: 0, expression: 'match.score.home' },
        { id: 'i2', name: 'still', type: 'boolean', value: true },
      ],
      assets: [
        { id: 'a1', name: 'badge', uniqueFileName: 'badge-1.png', type: 'image', exposed: { expression: '"/x.png"' } },
      ],
    })
    const { home } = data.match.score
    expect(new GraphicExpressions(wants).values({}, data, {})).toEqual({
      expressions: { line: `so far ${home}` },
      bindings: { b1: `so far ${home}!`, b2: null, b4: null },
      inputs: { i1: home },
      assets: { a1: '/x.png' },
    })
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
    expect(first).toEqual({ expressions: { line: `Result: ${data.match.score.home}` } })
    expect(expressions.values(values, data, theme)).toBe(first)
    expect(expressions.values({ title: 'Final' }, data, theme)).toEqual({
      expressions: { line: `Final: ${data.match.score.home}` },
    })
    expect(expressions.values(values, data, { mark: ' ' })).toEqual({
      expressions: { line: `Result ${data.match.score.home}` },
    })
    const score = { ...data.match.score, home: 41 }
    const later = { ...data, match: { ...data.match, score } }
    expect(expressions.values(values, later, theme)).toEqual({ expressions: { line: 'Result: 41' } })
  })
})
