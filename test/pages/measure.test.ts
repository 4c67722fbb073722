import { describe, expect, test } from 'vitest'
import { measureOf } from '../../src/pages/ui/measure.ts'

describe('[GDD: percentage, duration-ms] a number is written as people read it', () => {
  test.each([
    ['percentage', 0.25, '25 %'],
    ['percentage', 0.29, '29 %'],
    ['percentage', 1, '100 %'],
    ['percentage', -0.005, '-0.5 %'],
    ['duration-ms', 0, '0:00'],
    ['duration-ms', 500, '0:00.5'],
    ['duration-ms', 83_000, '1:23'],
    ['duration-ms', 3_723_045, '1:02:03.045'],
    ['duration-ms', -1_500, '-0:01.5'],
    [undefined, 0.25, '0.25'],
  ])('%s: %d is %s, and back', (gddType, value, text) => {
    expect(measureOf(gddType).write(value)).toBe(text)
    expect(measureOf(gddType).read(text)).toBe(value)
  })

  test.each([
    ['percentage', ' 7,5%', 0.075],
    ['percentage', '7', 0.07],
    ['percentage', '%', null],
    ['percentage', 'much', undefined],
    ['duration-ms', '90', 90_000],
    ['duration-ms', '1:90', 150_000],
    ['duration-ms', '2.', 2_000],
    ['duration-ms', '', null],
    ['duration-ms', '1:', undefined],
    ['duration-ms', '1m23s', undefined],
    [undefined, '1,5', 1.5],
    [undefined, '-', undefined],
  ])('%s: %j is read as %s', (gddType, text, value) => {
    expect(measureOf(gddType).read(text)).toBe(value)
  })
})
