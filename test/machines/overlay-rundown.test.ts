import { describe, expect, it } from 'vitest'
import { initialTransition, type SnapshotFrom } from 'xstate'
import type { OverlayCommand } from '../../machines/overlay/decide.ts'
import { fold, type OverlayFact } from '../../machines/overlay/events.ts'
import type { Overlay } from '../../machines/overlay/model.ts'
import { overlayMachine } from '../../machines/overlay.ts'
import { transitionOf } from '../../machines/transition.ts'
import { decodeSnapshot, encodeSnapshot } from '../../src/actors/rows.ts'
import { graphic } from './shown-graphic.ts'

type Snapshot = SnapshotFrom<typeof overlayMachine>
const step = transitionOf(overlayMachine)
const [empty] = initialTransition(overlayMachine)

const item = (id: string, presetId: number, untilNext = false) => ({ id, presetId, untilNext })
/** The item is shown by the graphic of its name. */
const toCue = (id: string, presetId: number, more: { untilNext?: boolean; on?: string } = {}) => ({
  graphic: graphic(more.on ?? id, { presetId }),
  item: item(id, presetId, more.untilNext),
})
const move = (seq: number, cue: ReturnType<typeof toCue> | null, takes?: number): OverlayCommand => ({
  type: 'moveRundown',
  seq,
  take: takes === undefined ? null : { type: 'take', presetId: takes },
  cue,
  index: seq,
})

function run(...commands: OverlayCommand[]) {
  let snapshot: Snapshot = empty
  const facts: OverlayFact[][] = []
  for (const command of commands) {
    const done = step(snapshot, command)
    snapshot = done.snapshot as Snapshot
    facts.push(done.events as OverlayFact[])
  }
  return { snapshot, context: snapshot.context, facts, last: facts.at(-1)?.map(({ type }) => type) }
}

describe('[issue 19.6] the rundown in the machine of an overlay', () => {
  it('takes what it has on preview and cues the next by one command; the state is the fold of the facts', () => {
    const { snapshot, context, facts, last } = run(
      move(1, toCue('a', 1, { untilNext: true })),
      move(2, toCue('b', 2), 1),
      move(3, toCue('c', 3, { on: 'b' }), 2),
    )
    expect(last).toEqual(['graphic.hidden', 'graphic.shown', 'graphic.uncued', 'graphic.cued', 'rundown.moved'])
    expect(Object.keys(context.graphics)).toEqual(['b'])
    expect(context.preview).toMatchObject({ b: { presetId: 3, seq: 3 } })
    expect(context.rundown).toEqual({ cued: item('c', 3), taken: { ...item('b', 2), graphicId: 'b' }, index: 3 })
    const start: Overlay = { graphics: {}, revisions: {} }
    expect(facts.flat().reduce(fold, start)).toEqual(context)
    expect(decodeSnapshot('overlay', 1, JSON.parse(encodeSnapshot(snapshot))).context).toEqual(context)
  })

  it('goes on when its item is taken by hand, and not by a take of another', () => {
    const cued = [move(1, toCue('a', 1)), { type: 'cue', seq: 2, graphic: graphic('x', { presetId: 9 }) }] as const
    const other = run(...cued, { type: 'take', seq: 3, presetId: 9 })
    expect(other.context.rundown?.cued).toEqual(item('a', 1))
    const own = run(...cued, { type: 'take', seq: 3 })
    expect(own.context.rundown).toEqual({ cued: null, taken: { ...item('a', 1), graphicId: 'a' }, index: 2 })
    expect(Object.keys(own.context.graphics).sort()).toEqual(['a', 'x'])
  })

  it('takes off preview what it had there, and leaves what is there by hand', () => {
    const { context, last } = run(
      { type: 'cue', seq: 1, graphic: graphic('x', { presetId: 9 }) },
      move(2, toCue('a', 1)),
      move(3, toCue('b', 2)),
    )
    expect(last).toEqual(['graphic.uncued', 'graphic.cued', 'rundown.moved'])
    expect(Object.keys(context.preview ?? {}).sort()).toEqual(['b', 'x'])
  })

  it('leaves on air what somebody has shown again by another preset', () => {
    const { context } = run(
      move(1, toCue('a', 1, { untilNext: true })),
      move(2, toCue('b', 2), 1),
      { type: 'show', seq: 3, graphic: graphic('a', { presetId: 5 }) },
      move(4, null, 2),
    )
    expect(Object.keys(context.graphics).sort()).toEqual(['a', 'b'])
    expect(context.rundown).toMatchObject({ cued: null, taken: { id: 'b' }, index: 4 })
  })

  it('is rehearsed, and is where it was when the rehearsal ends', () => {
    const rehearse = (seq: number, on: boolean): OverlayCommand => ({ type: 'rehearse', seq, on })
    const { context } = run(
      move(1, toCue('a', 1)),
      rehearse(2, true),
      move(3, toCue('b', 2), 1),
      move(4, toCue('c', 3), 2),
    )
    expect(Object.keys(context.graphics)).toEqual([])
    expect(context.rundown).toMatchObject({ cued: { id: 'c' }, taken: { id: 'b' } })
    const ended = run(move(1, toCue('a', 1)), rehearse(2, true), move(3, toCue('b', 2), 1), rehearse(4, false))
    expect(ended.context.rundown).toEqual({ cued: item('a', 1), taken: null, index: 1 })
    expect(ended.facts.flat().reduce(fold, { graphics: {}, revisions: {} } as Overlay)).toMatchObject({
      rundown: ended.context.rundown,
    })
    const fresh = run(rehearse(1, true), move(2, toCue('a', 1)), move(3, toCue('b', 2), 1), rehearse(4, false))
    expect(fresh.context.rundown).toEqual({ cued: null, taken: null, index: 0 })
  })
})
