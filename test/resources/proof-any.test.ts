import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FirstReports, prove } from '../../src/resources/proof-of-play/painted.ts'
import { lengthOf, union, within, without } from '../../src/resources/proof-of-play/spans.ts'

const moment = fc.integer({ min: 0, max: 200 })
const span = fc.tuple(moment, moment).map(([a, b]) => ({ from: Math.min(a, b), until: Math.max(a, b) }))
const spans = fc.array(span, { maxLength: 6 })
/** Each millisecond that is in any of the spans. */
const cover = (all: readonly { from: number; until: number }[]) =>
  Array.from({ length: 400 }, (_, at) => at).filter((at) => all.some(({ from, until }) => from <= at && at < until))

test('[issue 6.5] unions, cuts and differences of spans hold every millisecond once, whatever they are', () => {
  fc.assert(
    fc.property(spans, spans, span, (some, others, window) => {
      expect(cover(union(some))).toEqual(cover(some))
      expect(lengthOf(some)).toBe(cover(some).length)
      const inside = new Set(cover([window]))
      expect(cover(within(some, window))).toEqual(cover(some).filter((at) => inside.has(at)))
      const taken = new Set(cover(others))
      expect(cover(without(some, others))).toEqual(cover(some).filter((at) => !taken.has(at)))
    }),
  )
})

const connection = fc.record({
  span,
  renderer: fc.constantFrom('a', 'b', 'c'),
  reports: fc.array(fc.record({ seq: fc.integer({ min: 1, max: 9 }), at: moment }), { maxLength: 6 }),
  showing: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
  outOfView: fc.array(span, { maxLength: 3 }),
})

test('[issue 6.5] every second on air is explained exactly once, whatever renderers report', () => {
  fc.assert(
    fc.property(
      fc.array(connection, { maxLength: 5 }),
      span,
      fc.integer({ min: 0, max: 50 }),
      fc.integer({ min: 1, max: 6 }),
      fc.option(fc.integer({ min: 1, max: 3 }), { nil: null }),
      moment,
      (given, committed, delay, seq, length, keptFrom) => {
        const connections = given.map(({ span: connected, renderer, showing, outOfView }, index) => ({
          ...connected,
          id: String(index),
          renderer,
          inView: without([connected], outOfView),
          showing: showing === undefined ? [] : [{ graphicId: 'g', seq: showing }],
        }))
        const reports = new Map(given.map((one, index) => [String(index), new FirstReports(one.reports)]))
        const due = {
          from: Math.min(committed.from + delay, 200),
          until: Math.max(Math.min(committed.from + delay, 200), Math.min(committed.until + delay, 200)),
        }
        const endSeq = length === null ? null : seq + length
        const proof = prove({ graphicId: 'g', committed, due, seq, endSeq }, connections, reports, keptFrom)
        const { paintedMs, delayMs, noRendererMs, lateMs, unreportedMs, outOfViewMs, forgottenMs, overrunMs } = proof
        const parts = [paintedMs, noRendererMs, lateMs, unreportedMs, outOfViewMs, forgottenMs, overrunMs]
        for (const part of parts) expect(part).toBeGreaterThanOrEqual(0)
        const explained = [delayMs, paintedMs, noRendererMs, lateMs, unreportedMs, outOfViewMs, forgottenMs]
        expect(explained.reduce((sum, ms) => sum + ms)).toBe(proof.committedMs)
        for (const one of proof.renderers) expect(one.paintedMs).toBeLessThanOrEqual(paintedMs)
      },
    ),
    { numRuns: 500 },
  )
})
