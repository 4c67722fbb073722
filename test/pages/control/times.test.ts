import { expect, test } from 'vitest'
import { atTime, inSeconds, timeText } from '../../../src/pages/control/times.ts'

const at = (hours: number, minutes: number, seconds = 0, day = 26) =>
  new Date(2026, 10, day, hours, minutes, seconds).getTime()

test('[issue 19.4] a time of day is the next one', () => {
  expect(atTime('18:45', at(18, 44, 59))).toBe(at(18, 45))
  expect(atTime('18:45:30', at(18, 45))).toBe(at(18, 45, 30))
  expect(atTime('00:00:05', at(23, 59))).toBe(at(0, 0, 5, 27))
  expect(atTime('18:45', at(18, 45))).toBe(at(18, 45, 0, 27))
  for (const text of ['', '1845', '18:4']) expect(atTime(text, at(12, 0))).toBeUndefined()
  expect(inSeconds(90, at(12, 0))).toBe(at(12, 1, 30))
})

test('[issue 19.4] a time that is not today says so', () => {
  expect(timeText(at(18, 45), at(12, 0))).toBeUndefined()
  expect(timeText(at(0, 1, 0, 27), at(23, 59))).toBe('tomorrow')
})
