import { expect, test } from 'vitest'
import { limitedClock } from '../../machines/play/clock.ts'
import { effectiveConfig, sportOf } from '../../machines/sports.ts'
import { clockText, clockValue } from '../../src/pages/shared/clock.ts'

const AT = Date.parse('2026-11-20T19:00:00.000Z')
const period = { number: 2 }

/** What it shows this many minutes after it was seen running with `minutes`. */
function shownAfter(later: number, minutes: number, change: Parameters<typeof effectiveConfig>[1]) {
  const config = effectiveConfig('football', change)
  const asOf = new Date(AT).toISOString()
  const clock = { running: true, valueMs: minutes * 60_000, asOf, direction: config.clockDirection }
  const limited = limitedClock(sportOf('football'), { config, clock, period })
  return clockText(clockValue(limited, AT + later * 60_000), clock.direction)
}

test('[issue 6.1] a clock that stops at the length of the period stops by itself on every page', () => {
  const stops = { endBehaviour: 'stopAtLength' } as const
  expect(shownAfter(3, 88, stops)).toBe('90:00')
  expect(shownAfter(3, 43, { ...stops, cumulative: false })).toBe('45:00')
  // one that was set beyond stays there
  expect(shownAfter(3, 91, stops)).toBe('91:00')
  expect(shownAfter(3, 88, { endBehaviour: 'tickUntilEnd' })).toBe('91:00')
  expect(shownAfter(3, 2, { ...stops, clockDirection: 'down' })).toBe('00:00')
})
