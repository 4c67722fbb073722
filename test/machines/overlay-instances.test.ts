import { describe, expect, it } from 'vitest'
import { initialTransition, type SnapshotFrom } from 'xstate'
import type { OverlayCommand } from '../../machines/overlay/decide.ts'
import { fold, isAside, type OverlayFact } from '../../machines/overlay/events.ts'
import { type InstanceCommand, instanceBy, instancesOf } from '../../machines/overlay/instances.ts'
import { type Overlay, overlayShape, type Shown, staged } from '../../machines/overlay/model.ts'
import { overlayMachine } from '../../machines/overlay.ts'
import { transitionOf } from '../../machines/transition.ts'
import { decodeSnapshot, encodeSnapshot } from '../../src/actors/rows.ts'
import { keepers } from '../../workers/retention/keepers.ts'
import { graphic } from './shown-graphic.ts'

type Snapshot = SnapshotFrom<typeof overlayMachine>
const transition = transitionOf(overlayMachine)
const [empty] = initialTransition(overlayMachine)

const ograf = (id: string, stepCount = 2, more: Partial<Shown> = {}) =>
  graphic(id, { ograf: { stepCount, step: 0 }, values: { name: 'Ann', size: 1 }, ...more })
let seq = 0
const ask = (command: InstanceCommand): OverlayCommand => ({ type: 'instance', seq: ++seq, ...command })
const run = (snapshot: Snapshot, ...commands: OverlayCommand[]) =>
  commands.reduce((before, command) => transition(before, command).snapshot as Snapshot, snapshot)

const load = (id: string, shown = ograf('a')) => ask({ act: 'load', id, graphic: shown })
const play = (id: string, more: { goto?: number; delta?: number } = {}) => ask({ act: 'play', id, ...more })
const loaded = run(empty, load('one'))
const playing = run(loaded, play('one'))

/** from, command: the facts, and where the instance stands after it; `loaded`: off air, undefined: gone. */
const table: [string, Snapshot, OverlayCommand, string[], number | 'loaded' | undefined][] = [
  ['a load', empty, load('one'), ['instance.loaded'], 'loaded'],
  ['the first play', loaded, play('one'), ['graphic.shown'], 0],
  ['a first play two on', loaded, play('one', { delta: 2 }), ['graphic.shown'], 1],
  ['a first play to a step', loaded, play('one', { goto: 1 }), ['graphic.shown'], 1],
  ['a first play beyond the end', loaded, play('one', { goto: 5 }), [], 'loaded'],
  ['the next play', playing, play('one'), ['graphic.updated'], 1],
  ['a play beyond the end', playing, play('one', { delta: 2 }), ['graphic.hidden'], 'loaded'],
  ['a play back', playing, play('one', { delta: -1 }), [], 0],
  ['a stop', playing, ask({ act: 'stop', id: 'one' }), ['graphic.hidden'], 'loaded'],
  ['a stop of one that is off', loaded, ask({ act: 'stop', id: 'one' }), [], 'loaded'],
  [
    'an update on air',
    playing,
    ask({ act: 'update', id: 'one', values: { name: 'Bea' } }),
    ['graphic.updated', 'instance.loaded'],
    0,
  ],
  [
    'an update off air',
    loaded,
    ask({ act: 'update', id: 'one', values: { name: 'Bea' } }),
    ['instance.loaded'],
    'loaded',
  ],
  ['an action on air', playing, ask({ act: 'custom', id: 'one', customAction: { id: 'x' } }), ['graphic.updated'], 0],
  [
    'an action off air',
    loaded,
    ask({ act: 'custom', id: 'one', customAction: { id: 'x' } }),
    ['instance.loaded'],
    'loaded',
  ],
  ['a clear on air', playing, ask({ act: 'clear', ids: ['one'] }), ['graphic.hidden', 'instance.cleared'], undefined],
  ['a clear of others', playing, ask({ act: 'clear', ids: ['two'] }), [], 0],
  ['a play of one that is not there', loaded, play('two'), [], 'loaded'],
]

describe('[issue 20.2] instances of the OGraf Server API', () => {
  it.each(table)('%s', (_, from, command, facts, place) => {
    const taken = transition(from, command)
    const context = taken.snapshot.context as Overlay
    expect(taken.events.map(({ type }) => type)).toEqual(facts)
    expect((taken.events as OverlayFact[]).reduce(fold, from.context)).toEqual(context)
    const listed = instanceBy(context, 'one')
    expect(listed && (listed.onAir?.ograf?.step ?? 'loaded')).toBe(place)
    expect(overlayShape(context)).toBeUndefined()
  })

  it('are two of one graphic, of which the one that is played takes the place of the other', () => {
    const both = run(playing, load('two', ograf('a', 2, { values: { name: 'Cid' } })))
    expect(instancesOf(both.context).map(({ id, onAir }) => [id, onAir?.values.name])).toEqual([
      ['one', 'Ann'],
      ['two', undefined],
    ])
    const swapped = run(both, play('two'))
    expect(instancesOf(swapped.context).map(({ id, onAir }) => [id, onAir?.values.name])).toEqual([
      ['one', undefined],
      ['two', 'Cid'],
    ])
  })

  it('keep what they were told when they are played again', () => {
    const again = run(
      playing,
      ask({ act: 'update', id: 'one', values: { name: 'Bea' } }),
      ask({ act: 'stop', id: 'one' }),
      play('one'),
    )
    expect(instanceBy(again.context, 'one')?.onAir).toMatchObject({ values: { name: 'Bea' }, ograf: { step: 0 } })
  })

  it('one without steps plays out, is loaded still, and plays again', () => {
    const once = run(
      empty,
      load('one', ograf('a', 0, { ograf: { stepCount: 0, step: 0, playsForMs: 700 } })),
      play('one'),
    )
    const out = transition(once, { type: 'autoHide', graphicId: 'a' })
    expect(instanceBy(out.snapshot.context as Overlay, 'one')).toMatchObject({ id: 'one' })
    const again = transition(out.snapshot as Snapshot, play('one'))
    expect(again.events).toMatchObject([{ type: 'graphic.shown' }])
    expect(again.timers).toMatchObject([{ name: 'out:a', dueInMs: 700 }])
    // also while it plays
    expect(transition(again.snapshot as Snapshot, play('one')).events).toMatchObject([{ type: 'graphic.shown' }])
  })

  it('OGraf graphics that others showed are instances, too, and code graphics are none', () => {
    const shown = run(
      empty,
      { type: 'show', seq: 70, graphic: ograf('a') },
      { type: 'show', seq: 71, graphic: graphic('code') },
    )
    expect(instancesOf(shown.context).map(({ id }) => id)).toEqual(['air-a-70'])
    const stepped = run(shown, play('air-a-70'))
    expect(stepped.context.graphics.a?.ograf?.step).toBe(1)
    expect(run(stepped, ask({ act: 'clear', ids: ['air-a-70'] })).context.graphics).toEqual({
      code: expect.anything(),
    })
    // one that the control room shows anew is no longer the one that was loaded
    const taken = run(playing, { type: 'show', seq: 80, graphic: ograf('a') })
    expect(instancesOf(taken.context).map(({ id, onAir }) => [id, onAir !== undefined])).toEqual([
      ['one', false],
      ['air-a-80', true],
    ])
  })

  it('in a rehearsal they play there, and stay loaded after it', () => {
    const rehearsing = run(empty, { type: 'rehearse', seq: 90, on: true }, load('one'))
    const taken = transition(rehearsing, play('one'))
    expect(taken.events).toMatchObject([{ type: 'rehearsed', fact: { type: 'graphic.shown' } }])
    expect((taken.snapshot.context as Overlay).graphics).toEqual({})
    expect(instanceBy(staged(taken.snapshot.context as Overlay), 'one')?.onAir).toBeDefined()
    const ended = run(taken.snapshot as Snapshot, { type: 'rehearse', seq: 91, on: false })
    expect(instancesOf(ended.context).map(({ id, onAir }) => [id, onAir])).toEqual([['one', undefined]])
  })

  it('a call is told with what the graphic itself is asked', () => {
    const call = { id: 'c', skipAnimation: true } as const
    const taken = transition(
      run(loaded, { type: 'show', seq: 95, graphic: ograf('b', 2, { graphicName: 'Graphic a' }) }),
      {
        ...{ type: 'instance', seq: 96, act: 'play', id: 'one', call },
      },
    )
    expect(taken.events).toEqual([
      expect.not.objectContaining({ call }),
      expect.objectContaining({ type: 'graphic.shown', call }),
    ])
  })

  it('[OGraf Server API: customActions] hideAll tells each graphic how, and without a word of it nothing', () => {
    const both = run(playing, { type: 'show', seq: 97, graphic: graphic('code') })
    const gone = [{ graphicId: 'a' }, { graphicId: 'code' }]
    expect(transition(both, { type: 'hideAll', seq: 98, skipAnimation: true }).events).toMatchObject(
      gone.map((one) => ({ type: 'graphic.hidden', ...one, skipAnimation: true })),
    )
    for (const fact of transition(both, { type: 'hideAll', seq: 98 }).events)
      expect(fact).not.toHaveProperty('skipAnimation')
  })

  it('come back from their row, and from what retention leaves of the journal', () => {
    const { snapshot } = transition(playing, play('one'))
    expect(decodeSnapshot('overlay', 1, JSON.parse(encodeSnapshot(snapshot))).context).toEqual(snapshot.context)
    let state = empty
    const rows = [load('x', ograf('x')), load('one'), play('one'), play('one'), ask({ act: 'clear', ids: ['x'] })].map(
      (command, index) => {
        const { snapshot: next, events } = transition(state, { ...command, seq: index + 1 })
        state = next as Snapshot
        const facts = events as OverlayFact[]
        return { seq: index + 1, events: facts.filter((one) => !isAside(one)), asides: facts.filter(isAside) }
      },
    )
    const kept = keepers(rows as never)
    const left = rows
      .filter(({ seq: at }) => kept.has(at))
      .flatMap(({ events, asides }) => [...events, ...asides])
      .reduce(fold, empty.context as Overlay)
    expect(left).toEqual(state.context)
  })
})
