import { describe, expect, it } from 'vitest'
import { placed } from '../../src/pages/motion/placement.ts'

const wide = { width: 400, height: 200 }

describe('[spec: imageTransform] where a picture goes', () => {
  it('without a transform it is drawn as it is, or into the size that there is room for', () => {
    expect(placed(wide)).toMatchObject({ out: wide, picture: { x: 0, y: 0, ...wide } })
    expect(placed(wide, {}, { width: 100, height: 100 })).toMatchObject({
      out: { width: 100, height: 100 },
      picture: { x: 0, y: 25, width: 100, height: 50 },
    })
  })

  it.each([
    ['contain', { x: 0, y: 50, width: 200, height: 100 }],
    ['cover', { x: -100, y: 0, width: 400, height: 200 }],
    ['stretch', { x: 0, y: 0, width: 200, height: 200 }],
  ] as const)('%s fills as it says', (fit, picture) =>
    expect(placed(wide, { outWidth: 200, outHeight: 200, fit }).picture).toEqual(picture),
  )

  it.each([
    ['top-left', { x: 0, y: 0 }],
    ['top', { x: 0, y: 0 }],
    ['center', { x: 0, y: 50 }],
    ['bottom-right', { x: 0, y: 100 }],
  ] as const)('a picture that is too flat stands at the %s', (anchor, at) =>
    expect(placed(wide, { outWidth: 200, outHeight: 200, anchor }).picture).toMatchObject(at),
  )

  it.each([
    ['left', 0],
    ['center', -100],
    ['right', -200],
  ] as const)('of one that covers, the %s is seen', (anchor, x) =>
    expect(placed(wide, { outWidth: 200, outHeight: 200, fit: 'cover', anchor }).picture.x).toBe(x),
  )

  it('padding is kept clear', () => {
    const { inner, picture } = placed(wide, {
      outWidth: 300,
      outHeight: 300,
      padding: { top: 100, left: 50, right: 50 },
    })
    expect(inner).toEqual({ x: 50, y: 100, width: 200, height: 200 })
    expect(picture).toEqual({ x: 50, y: 150, width: 200, height: 100 })
  })

  it('a size that nobody can mean is bounded', () => {
    expect(placed(wide, { outWidth: 1e9, outHeight: -5 }).out).toEqual({ width: 4096, height: 1 })
  })
})
