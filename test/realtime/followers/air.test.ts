import { describe, expect, it } from 'vitest'
import { airOf, remember } from '../../../src/realtime/followers/air.ts'
import type { LiveGraphic } from '../../../src/realtime/followers/live-protocol.ts'

const AT = Date.parse('2026-11-20T19:00:00.000Z')
const graphic = (renderers: number, of: number, more: Partial<LiveGraphic> = {}, outOfView = 0): LiveGraphic => ({
  graphicId: 'g',
  graphicName: 'Score bug',
  presetId: 1,
  sectionId: 's',
  variableValues: {},
  seq: 7,
  since: new Date(AT).toISOString(),
  until: null,
  painted: { renderers, of, outOfView, at: null },
  ...more,
})

/** How it stands this long after it was shown. */
const airAfter = (ms: number, one: LiveGraphic, delayMs = 0) =>
  airOf(one, remember(undefined, one, AT + ms), delayMs, AT + ms)

describe('how far a committed graphic has come', () => {
  it('[issue 6.1] committed is not painted, and without a renderer that is said', () => {
    expect(airAfter(100, graphic(0, 2))).toEqual({ at: 'committed' })
    expect(airAfter(100, graphic(0, 0))).toEqual({ at: 'unseen' })
    expect(airAfter(100, graphic(1, 2))).toEqual({ at: 'painted', renderers: 1, of: 2 })
  })

  it('what no program shows is not missed, and is named when nothing else renders', () => {
    const graphicOf = (renderers: number, of: number, outOfView: number) => graphic(renderers, of, {}, outOfView)
    expect(airAfter(100, graphicOf(0, 2, 2))).toEqual({ at: 'outOfView' })
    expect(airAfter(100, graphicOf(0, 2, 1))).toEqual({ at: 'committed' })
    expect(airAfter(100, graphicOf(1, 3, 1))).toEqual({ at: 'painted', renderers: 1, of: 2 })
    expect(airAfter(100, graphicOf(2, 3, 1))).toEqual({ at: 'painted', renderers: 2, of: 2 })
    expect(airAfter(3_000, graphicOf(0, 1, 1), 12_000)).toEqual({ at: 'due', inMs: 9_000 })
  })

  it('[live-path 22] a delayed overlay says when it will be on air', () => {
    expect(airAfter(3_000, graphic(0, 1), 12_000)).toEqual({ at: 'due', inMs: 9_000 })
    expect(airAfter(3_000, graphic(0, 0), 12_000)).toEqual({ at: 'due', inMs: 9_000 })
    expect(airAfter(12_001, graphic(0, 1), 12_000)).toEqual({ at: 'committed' })
  })

  it('[issue 6.1] an update of what is on screen does not make it dark while it is on its way, and does when it stays away', () => {
    const shown = graphic(1, 1)
    const updated = { ...graphic(0, 1), seq: 8 }
    const memory = remember(remember(undefined, shown, AT + 5_000), updated, AT + 6_000)
    expect(airOf(updated, memory, 0, AT + 6_100)).toEqual({ at: 'updating', inMs: 0 })
    expect(airOf(updated, memory, 4_000, AT + 6_000)).toEqual({ at: 'updating', inMs: 4_000 })
    expect(airOf(updated, memory, 0, AT + 8_000)).toEqual({ at: 'committed' })
  })

  it('[issue 6.1] shown anew, it has been seen by nobody', () => {
    const memory = remember(undefined, graphic(1, 1), AT)
    const again = graphic(0, 1, { seq: 9, since: new Date(AT + 60_000).toISOString() })
    expect(airOf(again, remember(memory, again, AT + 60_000), 0, AT + 60_100)).toEqual({ at: 'committed' })
  })
})
