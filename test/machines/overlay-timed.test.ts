import { describe, expect, it } from 'vitest'
import { initialTransition, type SnapshotFrom } from 'xstate'
import type { OverlayCommand, OverlayTimer } from '../../machines/overlay/decide.ts'
import { overlayMachine } from '../../machines/overlay.ts'
import { transitionOf } from '../../machines/transition.ts'
import { decodeSnapshot, encodeSnapshot } from '../../src/actors/rows.ts'
import { graphic } from './shown-graphic.ts'

type Snapshot = SnapshotFrom<typeof overlayMachine>
const step = transitionOf(overlayMachine)
const [empty] = initialTransition(overlayMachine)
const after = (...commands: OverlayCommand[]) =>
  commands.reduce((snapshot, command) => step(snapshot, command).snapshot as Snapshot, empty)
const timed = (id: string, durationSeconds: number, more = {}) => graphic(id, { durationSeconds, ...more })

const both = after(
  { type: 'show', seq: 1, graphic: timed('a', 8) },
  { type: 'show', seq: 2, graphic: graphic('b', { sectionId: 'right' }) },
)
const update = (graphicId: string, more = {}): OverlayCommand => ({
  type: 'update',
  seq: 3,
  graphicId,
  presetId: 6,
  sectionId: 'left',
  values: { n: 1 },
  ...more,
})
const out = (graphicId: string): OverlayTimer => ({ type: 'autoHide', graphicId })
const set = (id: string, seconds: number) => ({ name: `out:${id}`, dueInMs: seconds * 1000, event: out(id) })
const cancelled = (id: string) => ({ name: `out:${id}`, cancel: true })

const batch: OverlayCommand = {
  type: 'batch',
  seq: 3,
  commands: [
    { type: 'hide', graphicId: 'a' },
    { type: 'show', graphic: graphic('b') },
  ],
}

/** command: the facts, and what becomes of the timers. */
const table: [string, Snapshot, OverlayCommand | OverlayTimer, string[], object[]][] = [
  ['a show for 8 s', empty, { type: 'show', seq: 1, graphic: timed('a', 8) }, ['graphic.shown'], [set('a', 8)]],
  ['a show that stays', empty, { type: 'show', seq: 1, graphic: graphic('a') }, ['graphic.shown'], []],
  ['again, for 5 s', both, { type: 'show', seq: 3, graphic: timed('a', 5) }, ['graphic.shown'], [set('a', 5)]],
  ['again, to stay', both, { type: 'show', seq: 3, graphic: graphic('a') }, ['graphic.shown'], [cancelled('a')]],
  [
    'a namesake that stays',
    both,
    { type: 'show', seq: 3, graphic: graphic('z', { graphicName: 'Graphic a' }) },
    ['graphic.hidden', 'graphic.shown'],
    [cancelled('a')],
  ],
  ['a show of another', both, { type: 'show', seq: 3, graphic: graphic('b') }, ['graphic.shown'], []],
  ['a hide of another', both, { type: 'hide', seq: 3, graphicId: 'b' }, ['graphic.hidden'], []],
  ['several at once', both, batch, ['graphic.hidden', 'graphic.shown'], [cancelled('a')]],
  ['an update leaves the time', both, update('a'), ['graphic.updated'], []],
  ['an update takes the time away', both, update('a', { stays: true }), ['graphic.updated'], [cancelled('a')]],
  ['an update of one that stays', both, update('b', { stays: true }), ['graphic.updated'], []],
  ['a hide', both, { type: 'hide', seq: 3, graphicId: 'a' }, ['graphic.hidden'], [cancelled('a')]],
  ['a refresh leaves the time', both, { type: 'refresh', seq: 3, revisions: { match: 2 } }, ['data.refreshed'], []],
  ['the time is up', both, out('a'), ['graphic.hidden'], []],
  ['the time of one that stays', both, out('b'), [], []],
  ['the time of one that is off air', both, out('z'), [], []],
  ['the time when nothing is on air', empty, out('a'), [], []],
]

describe('graphics that go off air by themselves', () => {
  it.each(table)('%s', (_, before, command, facts, timers) => {
    const taken = step(before, command)
    expect(taken.events.map(({ type }) => type)).toEqual(facts)
    expect(taken.timers).toEqual(timers)
  })

  it('the last one takes the overlay off air', () => {
    const alone = after({ type: 'show', seq: 1, graphic: timed('a', 8) })
    expect(step(alone, out('a')).snapshot).toMatchObject({ value: 'offAir', context: { graphics: {} } })
  })

  it('hideAll cancels the time of each, and of a section only of its own', () => {
    const cancels = (command: OverlayCommand) => step(both, command).timers
    expect(cancels({ type: 'hideAll', seq: 3 })).toEqual([cancelled('a')])
    expect(cancels({ type: 'hideAll', seq: 3, sectionId: 'right' })).toEqual([])
  })

  it('an update that makes it stay leaves nothing of its time in the state', () => {
    expect(step(both, update('a')).snapshot).toMatchObject({ context: { graphics: { a: { durationSeconds: 8 } } } })
    const stays = step(both, update('a', { stays: true })).snapshot as Snapshot
    expect(stays.context.graphics.a).not.toHaveProperty('durationSeconds')
  })

  it('a stored state comes back with the time, and one that was written without knows none', () => {
    const restored = decodeSnapshot('overlay', 1, JSON.parse(encodeSnapshot(both)))
    expect(restored.context).toEqual(both.context)
    const wrong = JSON.parse(encodeSnapshot(both).replace('"durationSeconds":8', '"durationSeconds":"8"'))
    expect(() => decodeSnapshot('overlay', 1, wrong)).toThrow('durationSeconds')
  })
})
