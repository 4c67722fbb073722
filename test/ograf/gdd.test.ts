import { describe, expect, test } from 'vitest'
import { gddFault, gddTypeOf } from '../../src/ograf/gdd.ts'
import { variablesOf } from '../../src/ograf/variables.ts'

describe('[issue 20.1] values of an OGraf graphic', () => {
  test.each([
    [{ type: 'string' }, 'a', undefined],
    [{ type: 'string' }, 1, 'expected a string'],
    [{ type: 'integer' }, 1.5, 'expected an integer'],
    [{ type: 'number', exclusiveMinimum: 0 }, 0, 'more than 0'],
    [{ type: 'number', maximum: 3 }, Number.NaN, 'expected a number'],
    [{ type: 'string', enum: ['a', 'b'] }, 'c', 'expected one of a, b'],
    [{ type: 'integer', enum: [1, 2] }, 3, 'expected one of 1, 2'],
    [{ type: 'string', maxLength: 2 }, '🏆🏆', undefined],
    [{ type: 'string', minLength: 2 }, 'a', 'at least 2 characters'],
    [{ type: 'string', gddType: 'color-rrggbb' }, '#FF0000', 'expected a colour as #rrggbb'],
    [{ type: 'string', gddType: 'color-rrggbbaa' }, '#ff0000', 'expected a colour as #rrggbbaa'],
    [{ type: 'string', gddType: 'color-rrggbb/of-our-house' }, '#ff0000', undefined],
    [{ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }, {}, 'a: is missing'],
    [
      { type: 'object', properties: { a: { type: 'array', items: { type: 'number' } } } },
      { a: [1, 'b'] },
      'a[1]: expected a number',
    ],
    [{ type: 'array', minItems: 1 }, [], 'at least 1 items'],
    [{ type: 'object' }, { toString: { a: 1 } }, undefined],
  ])('%j takes %j: %s', (schema, value, fault) => {
    expect(gddFault(schema, value)).toBe(fault)
  })

  test('cost as much as they are large, whatever the schema says', () => {
    const deep = { type: 'array', items: { type: 'array' } }
    const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)])
    expect(gddFault(deep, nested(9))).toContain('nested more than 8 deep')
    expect(
      gddFault(
        { type: 'array' },
        Array.from({ length: 2_000 }, () => 1),
      ),
    ).toContain('more than 2000 parts')
    const slow = { type: 'string', pattern: '^(a+)+$' }
    const begun = performance.now()
    expect(gddFault(slow, `${'a'.repeat(10_000)}b`)).toBeUndefined()
    expect(performance.now() - begun).toBeLessThan(500)
  })

  test('a long list of choices is not told whole', () => {
    const choices = Array.from({ length: 500 }, (_, index) => `choice ${index}`)
    expect(gddFault({ type: 'string', enum: choices }, 'x')).toMatch(/^expected one of choice 0, .*choice 19, …$/)
  })

  test.each([
    ['select', 'select'],
    ['file-path/image-path', 'file-path/image-path'],
    ['file-path/image-path/jpeg', 'file-path/image-path'],
    ['file-path/video', 'file-path'],
    ['own/thing', undefined],
    ['', undefined],
  ])('the editor of %s is that of %s', (gddType, editor) => {
    expect(gddTypeOf({ gddType })).toBe(editor)
  })

  test('come in their order, those without one behind as they stand, with the default of the whole', () => {
    const schema = {
      type: 'object',
      default: { c: 3 },
      properties: {
        a: { type: 'string' },
        b: { type: 'number', order: 2 },
        c: { type: 'integer', order: 1 },
        d: { type: 'string', enum: ['x'] },
        e: { type: 'integer', enum: [1, 2], gddType: 'select' },
      },
    }
    expect(variablesOf(schema).map(({ name, type, defaultValue }) => [name, type, defaultValue])).toEqual([
      ['c', 'number', 3],
      ['b', 'number', undefined],
      ['a', 'string', undefined],
      ['d', 'enum', undefined],
      ['e', 'number', undefined],
    ])
    expect(variablesOf(undefined)).toEqual([])
  })
})
