import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeShared } from '../../src/actors/encode.ts'

describe('shared JSON text', () => {
  it('is the text of JSON.stringify, at every depth, the first time and again', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(4), (value, levels) => {
        const text = encodeShared(value, levels)
        expect(text).toBe(JSON.stringify(value))
        expect(encodeShared(value, levels)).toBe(text)
      }),
    )
  })

  it('leaves undefined members out', () => {
    const value = { a: undefined, b: { c: undefined, d: 1 }, e: undefined }
    for (const levels of [0, 1, 2, 3]) expect(encodeShared(value, levels)).toBe('{"b":{"d":1}}')
  })
})
