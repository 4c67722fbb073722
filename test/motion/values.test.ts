import { describe, expect, it } from 'vitest'
import {
  argbOf,
  booleanOf,
  isEnterName,
  isExitName,
  isOnAirName,
  numberOf,
  textOf,
} from '../../src/pages/motion/values.ts'

describe('[issue 4] what a property of a motion graphic makes of a value', () => {
  it.each([
    ['#ff0000', 0xffff0000],
    ['#0f0', 0xff00ff00],
    ['#11223380', 0x80112233],
    [4294901760, 0xffff0000],
    [-65536, 0xffff0000],
  ])('[spec: Versioning 7] %s is a colour', (value, argb) => expect((argbOf(value) ?? 0) >>> 0).toBe(argb))

  it.each([['4294901760'], ['red'], [null], [undefined], [true], [Number.NaN], [{}]])(
    '[spec: Versioning 7] %s is none, and ignored',
    (value) => expect(argbOf(value)).toBeUndefined(),
  )

  it.each([
    [true, true],
    ['true', true],
    ['Harbour', true],
    [2, true],
    [false, false],
    ['false', false],
    [' No ', false],
    ['', false],
    [0, false],
    [null, false],
  ])('%j as a boolean is %s', (value, expected) => expect(booleanOf(value)).toBe(expected))

  it.each([
    ['7', 7],
    [7.5, 7.5],
    [true, 1],
    ['', undefined],
    ['seven', undefined],
    [null, undefined],
    [{}, undefined],
  ])('%j as a number is %s', (value, expected) => expect(numberOf(value)).toBe(expected))

  it('a clock as text runs with the server, a stopped one does not', () => {
    const now = Date.parse('2026-05-02T15:10:00.250Z')
    const clock = { running: true, valueMs: 65_000, asOf: '2026-05-02T15:09:00.000Z', direction: 'up' }
    expect(textOf(clock, now)).toEqual({ text: '02:05', againMs: 750 })
    expect(textOf({ ...clock, running: false }, now)).toEqual({ text: '01:05' })
    expect(textOf({ ...clock, direction: 'down' }, now)).toEqual({ text: '00:05', againMs: 750 })
    expect(textOf(21, now)).toEqual({ text: '21' })
    expect(textOf(['a'], now)).toEqual({ text: '["a"]' })
  })

  it('names by which a file hears of on and off air', () => {
    expect(['onAir', 'On Air', 'isOnAir', 'is_visible', 'shown'].every(isOnAirName)).toBe(true)
    expect(['onAirTime', 'visibility', 'live'].some(isOnAirName)).toBe(false)
    expect(['in', 'Show', 'animate in', 'animateIn'].every(isEnterName)).toBe(true)
    expect(['out', 'Hide', 'animate_out'].every(isExitName)).toBe(true)
    expect(['inside', 'hidden', 'output'].some((name) => isEnterName(name) || isExitName(name))).toBe(false)
  })
})
