import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Texts } from '../../src/actors/encode.ts'

describe('texts of a state', () => {
  it('are those of JSON.stringify, at every depth, the first time and again', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(4), (value, levels) => {
        const texts = new Texts()
        const text = JSON.stringify(value)
        expect(texts.encode(value, levels)).toBe(text)
        expect(texts.encodeWhole(value, levels)).toBe(text)
        expect(texts.encodeWhole(value, levels)).toBe(text)
      }),
    )
  })

  it('leave undefined members out', () => {
    const value = { a: undefined, b: { c: undefined, d: 1 }, e: undefined }
    for (const levels of [0, 1, 2, 3]) expect(new Texts().encode(value, levels)).toBe('{"b":{"d":1}}')
  })

  it('are made once for a part that stays', () => {
    let reads = 0
    const part = {
      get n() {
        reads += 1
        return 1
      },
    }
    const texts = new Texts()
    texts.encode([{ part }], 2)
    texts.encodeWhole({ parts: { part } }, 2)
    texts.encodeWhole({ parts: { part, other: {} } }, 2)
    expect(reads).toBe(1)
    texts.encodeWhole({ parts: {} }, 2)
    texts.encodeWhole({ parts: { part } }, 2)
    expect(reads).toBe(2)
  })
})
