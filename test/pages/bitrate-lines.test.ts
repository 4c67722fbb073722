import { expect, test } from 'vitest'
import { chartOf } from '../../src/pages/ui/bitrate-lines.ts'

const NOW = Date.parse('2026-05-01T18:00:00Z')
/** A point each five seconds, the last one now. */
const points = (...rates: number[]) =>
  rates.map((bitrateKb, index) => ({
    at: new Date(NOW - (rates.length - 1 - index) * 5_000).toISOString(),
    bitrateKb,
  }))

test('[issue 6.3] the chart ends now and began ten minutes ago, its top a round number above all that was measured', () => {
  const { lines, areas, top, lowest, highest } = chartOf(points(4_000, 4_200, 3_900), NOW)
  expect({ top, lowest, highest }).toEqual({ top: 5_000, lowest: 3_900, highest: 4_200 })
  expect(lines).toEqual(['M590 20L595 16L600 22'])
  expect(areas).toEqual(['M590 20L595 16L600 22V100H590Z'])
})

test('[issue 6.3] where nothing was measured there is no line', () => {
  const [first, second, , , , last, latest] = points(900, 900, 900, 900, 900, 900, 900)
  const history = [first, second, last, latest].flatMap((point) => point ?? [])
  expect(chartOf(history, NOW).lines).toEqual(['M570 10L575 10', 'M595 10L600 10'])
})

test('[issue 6.3] a lone point, none, and what is older than ten minutes make no line', () => {
  expect(chartOf([], NOW)).toMatchObject({ lines: [], areas: [], lowest: 0, highest: 0 })
  expect(chartOf(points(800), NOW).lines).toEqual([])
  expect(chartOf(points(800, 900), NOW + 600_001).lines).toEqual([])
})

test('[issue 6.3] no video at all is a line at the bottom', () => {
  expect(chartOf(points(0, 0), NOW)).toMatchObject({ lines: ['M595 100L600 100'], top: 100 })
})
