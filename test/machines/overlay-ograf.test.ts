import { describe, expect, it } from 'vitest'
import { initialTransition, type SnapshotFrom } from 'xstate'
import type { OverlayCommand, OverlayTimer } from '../../machines/overlay/decide.ts'
import { fold, type OverlayFact } from '../../machines/overlay/events.ts'
import type { Ograf, Overlay } from '../../machines/overlay/model.ts'
import { undoable } from '../../machines/overlay/undo.ts'
import { overlayMachine } from '../../machines/overlay.ts'
import { transitionOf } from '../../machines/transition.ts'
import { decodeSnapshot, encodeSnapshot } from '../../src/actors/rows.ts'
import { graphic } from './shown-graphic.ts'

type Snapshot = SnapshotFrom<typeof overlayMachine>
const transition = transitionOf(overlayMachine)
const [empty] = initialTransition(overlayMachine)
const after = (...commands: OverlayCommand[]) =>
  commands.reduce((snapshot, command) => transition(snapshot, command).snapshot as Snapshot, empty)

const ograf = (id: string, stepCount: number, more: Partial<Ograf> = {}) =>
  graphic(id, { ograf: { stepCount, step: 0, ...more }, values: { lines: [{ text: 'a' }] } })
const shown = after(
  { type: 'show', seq: 1, graphic: ograf('a', 3) },
  { type: 'show', seq: 2, graphic: ograf('open', -1) },
  { type: 'show', seq: 3, graphic: ograf('once', 0, { playsForMs: 700 }) },
  { type: 'show', seq: 4, graphic: graphic('code') },
)
const by = (graphicId: string, delta: number): OverlayCommand => ({ type: 'step', seq: 9, graphicId, delta })
const to = (graphicId: string, goto: number): OverlayCommand => ({ type: 'step', seq: 9, graphicId, goto })
const out = (graphicId: string): OverlayTimer => ({ type: 'autoHide', graphicId })

/** command: the step after it, undefined when it is off air. */
const table: [string, OverlayCommand | OverlayTimer, string[], string, number | undefined][] = [
  ['one on', by('a', 1), ['graphic.updated'], 'a', 1],
  ['two on', by('a', 2), ['graphic.updated'], 'a', 2],
  ['beyond the last one', by('a', 3), ['graphic.hidden'], 'a', undefined],
  ['to the last one', to('a', 2), ['graphic.updated'], 'a', 2],
  ['to one that is not there', to('a', 7), ['graphic.hidden'], 'a', undefined],
  ['before the first one', by('a', -4), [], 'a', 0],
  ['to where it is', to('a', 0), [], 'a', 0],
  ['far on where no end is known', by('open', 40), ['graphic.updated'], 'open', 40],
  ['of one without steps', by('once', 1), ['graphic.hidden'], 'once', undefined],
  ['of one that is none', by('code', 1), [], 'code', undefined],
  ['the time of one without steps', out('once'), ['graphic.hidden'], 'once', undefined],
  ['the time of one with steps', out('a'), [], 'a', 0],
  [
    'an update leaves the step',
    { type: 'update', seq: 9, graphicId: 'a', presetId: 6, sectionId: 'left', values: {} },
    ['graphic.updated'],
    'a',
    0,
  ],
]

describe('[issue 20.1] steps of an OGraf graphic', () => {
  it.each(table)('%s', (_, command, facts, graphicId, step) => {
    const taken = transition(shown, command)
    expect(taken.events.map(({ type }) => type)).toEqual(facts)
    expect((taken.snapshot.context as Overlay).graphics[graphicId]?.ograf?.step).toBe(step)
    const folded = (taken.events as OverlayFact[]).reduce(fold, shown.context)
    expect(folded.graphics).toEqual((taken.snapshot.context as Overlay).graphics)
  })

  it('is refused while the graphic is off air', () => {
    for (const type of ['step', 'custom'] as const)
      expect(
        shown.can({ type, seq: 9, graphicId: 'nobody', delta: 1, customAction: { id: 'a' } } as OverlayCommand),
      ).toBe(false)
  })

  it('has its time set with its show and cancelled when it goes beyond its end', () => {
    const show = transition(empty, { type: 'show', seq: 1, graphic: ograf('once', 0, { playsForMs: 700 }) })
    expect(show.timers).toEqual([{ name: 'out:once', dueInMs: 700, event: out('once') }])
    expect(transition(shown, by('once', 1)).timers).toEqual([{ name: 'out:once', cancel: true }])
  })

  it('stands in a stored state, with lists and objects as they are', () => {
    const stepped = transition(shown, by('a', 1)).snapshot as Snapshot
    const back = decodeSnapshot('overlay', 1, JSON.parse(encodeSnapshot(stepped)))
    expect((back.context as Overlay).graphics.a).toMatchObject({
      ograf: { stepCount: 3, step: 1 },
      values: { lines: [{ text: 'a' }] },
    })
  })

  it('a custom action is told once, changes nothing that stands, and is no step to take back', () => {
    const done = transition(shown, {
      type: 'custom',
      seq: 9,
      graphicId: 'a',
      customAction: { id: 'x', payload: { b: 1 } },
    })
    expect(done.events).toMatchObject([{ type: 'graphic.updated', customAction: { id: 'x', payload: { b: 1 } } }])
    const { seq: _, ...now } = (done.snapshot.context as Overlay).graphics.a ?? {}
    const { seq: __, ...before } = shown.context.graphics.a ?? {}
    expect(now).toEqual(before)
    const principal = { type: 'key' }
    const recent = (events: typeof done.events) => [{ action: 'custom', principal, events: events as never }]
    expect(undoable(recent(done.events))).toBeUndefined()
    expect(undoable(recent(transition(shown, by('a', 1)).events))).toBeDefined()
  })

  it('in rehearsal is none of the air', () => {
    const rehearsing = after({ type: 'rehearse', seq: 1, on: true }, { type: 'show', seq: 2, graphic: ograf('a', 3) })
    const { events, snapshot } = transition(rehearsing, by('a', 1))
    expect(events).toMatchObject([
      { type: 'rehearsed', fact: { type: 'graphic.updated', graphic: { ograf: { step: 1 } } } },
    ])
    expect((snapshot.context as Overlay).graphics).toEqual({})
  })
})
