import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Overlay } from '../../machines/overlay/model.ts'
import type { OverlayCard } from '../../src/catalog/cards.ts'
import type { Context } from '../../src/context.ts'
import { timeOfDay } from '../../src/pages/ui/elapsed.ts'
import { decideSchedule } from '../../src/resources/overlays/schedule.ts'
import { Moment } from '../../src/schema/fields.ts'

const state: Overlay = { graphics: {}, revisions: {} }

/** A take that is scheduled at `now`, for a time as somebody writes it. */
const scheduled = (now: string, at: string) => {
  const sql = async () => [{ now: Date.parse(now) }]
  const ctx = { db: { sql }, actor: { type: 'key', id: 1, name: 'key' } } as unknown as Context
  return decideSchedule({ ctx, overlay: {} as OverlayCard, state }, { action: 'take', at: Moment.parse(at) })
}

describe('[issue 19.2] scheduled commands at the change of daylight time', () => {
  beforeAll(() => void vi.stubEnv('TZ', 'Europe/Berlin'))
  afterAll(() => void vi.unstubAllEnvs())

  test.each([
    // clocks go from 2:00 to 3:00
    ['2026-03-28T23:30:00Z', '2026-03-29T01:30:00+01:00', 60, '01:30:00'],
    ['2026-03-28T23:30:00Z', '2026-03-29T03:30:00+02:00', 120, '03:30:00'],
    ['2026-03-28T23:30:00Z', '2026-03-29T01:30:00Z', 120, '03:30:00'],
    // clocks go from 3:00 to 2:00: the hour that is there twice is told apart by its offset
    ['2026-10-24T23:30:00Z', '2026-10-25T02:30:00+02:00', 60, '02:30:00'],
    ['2026-10-24T23:30:00Z', '2026-10-25T02:30:00+01:00', 120, '02:30:00'],
    // a day of 25 hours: at most 24 of them ahead
    ['2026-10-24T12:00:00Z', '2026-10-25T13:00:00+01:00', 24 * 60, '13:00:00'],
  ])('at %s for %s is in %i minutes, and pages show %s', async (now, at, minutes, shown) => {
    expect(await scheduled(now, at)).toMatchObject({ type: 'schedule', inMs: minutes * 60_000 })
    expect(timeOfDay(Date.parse(at))).toBe(shown)
  })

  test('the same time of the next day is more than 24 hours ahead when the day has 25', async () => {
    await expect(scheduled('2026-10-24T12:00:00Z', '2026-10-25T14:00:00+01:00')).rejects.toMatchObject({ status: 400 })
  })
})
