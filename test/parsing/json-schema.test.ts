import { describe, expect, it } from 'vitest'
import { convert, convertCell, isNumberText } from '../../src/parsing/convert.ts'
import { compileSchema } from '../../src/parsing/json-schema.ts'
import { Unreadable } from '../../src/parsing/problem.ts'

const wrong = (schema: object, value: unknown) =>
  compileSchema(JSON.stringify(schema))(value).map(({ pointer, message }) => `${pointer} ${message}`)

const refused = (schema: unknown) => {
  try {
    compileSchema(JSON.stringify(schema))
  } catch (error) {
    if (error instanceof Unreadable) return error.problems[0]?.at
    throw error
  }
  return undefined
}

describe('[data source template] nullable', () => {
  it('allows null beside a type, an enum, a const and a reference, and nowhere else', () => {
    const $defs = { name: { type: 'string', minLength: 2 } }
    expect(wrong({ type: 'number', nullable: true }, null)).toEqual([])
    expect(wrong({ type: ['number', 'string'], nullable: true }, null)).toEqual([])
    expect(wrong({ type: 'number', nullable: false }, null)).toEqual([' expected number'])
    expect(wrong({ type: 'string', enum: ['a'], nullable: true }, null)).toEqual([])
    expect(wrong({ enum: ['a'], nullable: true }, null)).toEqual([])
    expect(wrong({ const: 'a', nullable: true }, null)).toEqual([])
    expect(wrong({ $ref: '#/$defs/name', nullable: true, $defs }, null)).toEqual([])
    expect(wrong({ $ref: '#/$defs/name', nullable: true, $defs }, 'x')).not.toEqual([])
    expect(wrong({ items: { type: 'string', nullable: true } }, [null, 1])).toEqual(['/1 expected string or null'])
    expect(wrong({ nullable: true }, 5)).toEqual([])
  })

  it('a column of that name is a column', () => {
    const schema = { type: 'object', properties: { nullable: { type: 'boolean' } } }
    expect(wrong(schema, { nullable: null })).toEqual(['/nullable expected boolean'])
    expect(wrong(schema, { nullable: true })).toEqual([])
  })
})

describe('[data source template] schemas that are sent', () => {
  it('2020-12 unless draft-07 is named; others, strange keywords’ values and references to elsewhere are refused', () => {
    const tuple = { items: [{ type: 'string' }], additionalItems: false }
    expect(wrong({ $schema: 'http://json-schema.org/draft-07/schema#', ...tuple }, [1])).toEqual(['/0 expected string'])
    expect(refused(tuple)).toBe('schema.items')
    expect(refused({ $schema: 'https://json-schema.org/draft/2020-12/schema' })).toBeUndefined()
    expect(refused({ $schema: 'http://json-schema.org/draft-04/schema#' })).toBe('schema')
    expect(refused({ properties: { a: { minimum: '1' } } })).toBe('schema.properties.a.minimum')
    expect(refused({ items: { $ref: 'file:///etc/passwd' } })).toBe('schema')
    expect(refused({ $ref: '#/$defs/missing' })).toBe('schema')
    expect(refused({ type: 'string', pattern: '(?=a)b' })).toBe('schema')
    expect(refused([])).toBe('schema')
  })

  it('a schema may refer to itself, but not without end', () => {
    const schema = { type: 'object', properties: { next: { $ref: '#' } }, required: ['name'] }
    expect(wrong(schema, { name: 1, next: { name: 2, next: {} } })).toEqual(['/next/next/name is missing'])
    expect(() => wrong({ allOf: [{ $ref: '#' }] }, 1)).toThrow('without end')
  })
})

describe('[data source template] cells', () => {
  it('text is a number only when everybody reads it as that one number', () => {
    for (const text of ['0', '7', '-7', '12.50', '0.5', '-0.5', '123456789012345', '0.000001'])
      expect([text, isNumberText(text)]).toEqual([text, true])
    for (const text of [
      '',
      '07',
      '00',
      '+5',
      '1e3',
      '.5',
      '5.',
      '1,000',
      '3,5',
      '1 000',
      '0x1F',
      '٣',
      'NaN',
      'Infinity',
      '--1',
      '1234567890123456',
      '50%',
    ])
      expect([text, isNumberText(text)]).toEqual([text, false])
    expect(Object.is(convert('-0', undefined), 0)).toBe(true)
  })

  it('a cell becomes what its column allows', () => {
    const types = (...names: string[]) => new Set(names)
    expect(convert('12', types('string'))).toBe('12')
    expect(convert('12', types('string', 'number'))).toBe(12)
    expect(convert('  ', types('string'))).toBeNull()
    expect(convert(' a ', undefined)).toBe('a')
    expect(convert('TRUE', types('boolean', 'null'))).toBe(true)
    expect(convert('true', types('boolean', 'string'))).toBe('true')
    expect(convert(12, types('string'))).toBe(12)
    expect(convertCell(12, types('string', 'null'))).toBe('12')
    expect(convertCell(false, types('string'))).toBe('false')
    expect(convertCell(null, types('string'))).toBeNull()
  })
})
