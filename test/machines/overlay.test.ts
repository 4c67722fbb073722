import { describe, expect, it } from 'vitest'
import { initialTransition, type SnapshotFrom, transition } from 'xstate'
import type { Decided } from '../../machines/decided.ts'
import type { OverlayCommand } from '../../machines/overlay/decide.ts'
import { fold, type OverlayEvent } from '../../machines/overlay/events.ts'
import type { Overlay } from '../../machines/overlay/model.ts'
import { overlayMachine } from '../../machines/overlay.ts'
import { transitionOf } from '../../machines/transition.ts'
import { decodeSnapshot, encodeSnapshot } from '../../src/actors/rows.ts'
import { graphic } from './shown-graphic.ts'

type Snapshot = SnapshotFrom<typeof overlayMachine>

const step = (snapshot: Snapshot, command: OverlayCommand): [Snapshot, OverlayEvent[]] => {
  const [next, taken] = transition(overlayMachine, snapshot, command)
  // the type of an executable action leaves out emits
  const actions = taken as readonly { type: string; params: { event: Decided<OverlayEvent> } }[]
  return [next, actions.flatMap(({ type, params }) => (type === 'xstate.emit' ? params.event.facts : []))]
}
const after = (...commands: OverlayCommand[]): Snapshot =>
  commands.reduce((snapshot, command) => step(snapshot, command)[0], initialTransition(overlayMachine)[0])

const offAir = after()
const onAir = after(
  { type: 'show', seq: 1, graphic: graphic('a') },
  { type: 'show', seq: 2, graphic: graphic('b', { sectionId: 'right' }) },
)

/** state x command: accepted or not, the state after, the events. */
const table: [string, Snapshot, OverlayCommand, boolean, string, string[]][] = [
  ['show when off air', offAir, { type: 'show', seq: 1, graphic: graphic('a') }, true, 'onAir', ['graphic.shown']],
  [
    'update when off air',
    offAir,
    { type: 'update', seq: 1, graphicId: 'a', presetId: 5, sectionId: 'left', values: {} },
    false,
    'offAir',
    [],
  ],
  ['hide when off air', offAir, { type: 'hide', seq: 1, graphicId: 'a' }, true, 'offAir', []],
  ['hideAll when off air', offAir, { type: 'hideAll', seq: 1 }, true, 'offAir', []],
  ['refresh when off air', offAir, { type: 'refresh', seq: 1, revisions: { match: 2 } }, true, 'offAir', []],
  ['show of another graphic', onAir, { type: 'show', seq: 3, graphic: graphic('c') }, true, 'onAir', ['graphic.shown']],
  ['show of what is on air', onAir, { type: 'show', seq: 3, graphic: graphic('a') }, true, 'onAir', ['graphic.shown']],
  [
    'update of what is on air',
    onAir,
    { type: 'update', seq: 3, graphicId: 'a', presetId: 6, sectionId: 'left', values: { n: 1 } },
    true,
    'onAir',
    ['graphic.updated'],
  ],
  [
    'update of a graphic off air',
    onAir,
    { type: 'update', seq: 3, graphicId: 'z', presetId: 6, sectionId: 'left', values: {} },
    false,
    'onAir',
    [],
  ],
  ['hide of one of two', onAir, { type: 'hide', seq: 3, graphicId: 'a' }, true, 'onAir', ['graphic.hidden']],
  ['hide of a graphic off air', onAir, { type: 'hide', seq: 3, graphicId: 'z' }, true, 'onAir', []],
  ['hideAll', onAir, { type: 'hideAll', seq: 3 }, true, 'offAir', ['graphic.hidden', 'graphic.hidden']],
  ['hideAll of a section', onAir, { type: 'hideAll', seq: 3, sectionId: 'left' }, true, 'onAir', ['graphic.hidden']],
  ['hideAll of an empty section', onAir, { type: 'hideAll', seq: 3, sectionId: 'none' }, true, 'onAir', []],
  [
    'refresh of what is on air',
    onAir,
    { type: 'refresh', seq: 3, revisions: { match: 2 } },
    true,
    'onAir',
    ['data.refreshed'],
  ],
]

describe('overlay machine', () => {
  it.each(table)('%s', (_, before, command, accepted, state, events) => {
    expect(before.can(command)).toBe(accepted)
    const [next, emitted] = step(before, command)
    expect(next.value).toBe(state)
    expect(emitted.map(({ type }) => type)).toEqual(events)
    expect(emitted.reduce(fold, before.context)).toEqual(next.context)
  })

  it('hiding the last graphic takes the overlay off air', () => {
    const [next] = step(step(onAir, { type: 'hide', seq: 3, graphicId: 'a' })[0], {
      type: 'hide',
      seq: 4,
      graphicId: 'b',
    })
    expect(next.value).toBe('offAir')
    expect(next.context.graphics).toEqual({})
  })

  it('[op.12] show replaces preset and values and loads anew; update keeps what was loaded', () => {
    const shown = step(onAir, { type: 'show', seq: 3, graphic: graphic('a', { presetId: 9, values: { n: 1 } }) })[0]
    expect(shown.context.graphics.a).toMatchObject({ presetId: 9, values: { n: 1 }, loadSeq: 3, seq: 3 })
    const updated = step(shown, {
      type: 'update',
      seq: 4,
      graphicId: 'a',
      presetId: 10,
      sectionId: 'right',
      values: { m: 2 },
    })[0]
    expect(updated.context.graphics.a).toMatchObject({
      presetId: 10,
      sectionId: 'right',
      values: { m: 2 },
      loadSeq: 3,
      seq: 4,
    })
  })

  it('a graphic of another theme takes the place of its namesake', () => {
    const namesake = graphic('z', { graphicName: 'Graphic a' })
    const [next, events] = step(onAir, { type: 'show', seq: 3, graphic: namesake })
    expect(events.map(({ type }) => type)).toEqual(['graphic.hidden', 'graphic.shown'])
    expect(Object.keys(next.context.graphics).sort()).toEqual(['b', 'z'])
  })

  it('a command never touches the snapshot it was given', () => {
    const before = JSON.stringify(onAir.context)
    step(onAir, { type: 'hideAll', seq: 3 })
    step(onAir, { type: 'refresh', seq: 3, revisions: { match: 1 } })
    expect(JSON.stringify(onAir.context)).toBe(before)
  })

  it('a refresh moves the seq of every graphic on air and remembers the revisions', () => {
    const next = step(onAir, { type: 'refresh', seq: 3, revisions: { match: 7 } })[0]
    expect(Object.values(next.context.graphics).map(({ seq }) => seq)).toEqual([3, 3])
    expect(next.context.revisions).toEqual({ match: 7 })
  })

  it('a stored snapshot comes back as it was, and goes on the same way', () => {
    const restored = decodeSnapshot('overlay', 1, JSON.parse(encodeSnapshot(onAir)))
    expect(restored.value).toBe('onAir')
    expect(restored.context).toEqual(onAir.context)
    const command: OverlayCommand = { type: 'hide', seq: 3, graphicId: 'a' }
    const { snapshot, events } = transitionOf(overlayMachine)(restored, command)
    expect([snapshot.context as Overlay, events]).toEqual([step(onAir, command)[0].context, step(onAir, command)[1]])
  })

  it('the snapshot of version 1 loads for ever', () => {
    const version1 = {
      value: 'onAir',
      context: {
        graphics: { a: { ...graphic('a'), loadSeq: 1, seq: 1 } },
        revisions: {},
      },
    }
    expect(decodeSnapshot('overlay', 1, version1).value).toBe('onAir')
  })

  it.each([
    ['a state that is gone', 1, { value: 'paused', context: { graphics: {}, revisions: {} } }],
    ['no context', 1, { value: 'onAir' }],
    ['a newer version', 2, { value: 'onAir', context: { graphics: {}, revisions: {} } }],
  ])('a snapshot with %s is refused', (_, version, stored) => {
    expect(() => decodeSnapshot('overlay', version, stored)).toThrow()
  })
})
