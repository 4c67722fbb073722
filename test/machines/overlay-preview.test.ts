import { describe, expect, it } from 'vitest'
import { initialTransition, type SnapshotFrom } from 'xstate'
import type { GraphicChange, OverlayCommand, OverlayTimer } from '../../machines/overlay/decide.ts'
import { fold, type OverlayFact } from '../../machines/overlay/events.ts'
import type { Overlay, Scheduled } from '../../machines/overlay/model.ts'
import { overlayMachine } from '../../machines/overlay.ts'
import { transitionOf } from '../../machines/transition.ts'
import { decodeSnapshot, encodeSnapshot } from '../../src/actors/rows.ts'
import { graphic } from './shown-graphic.ts'

type Snapshot = SnapshotFrom<typeof overlayMachine>
const step = transitionOf(overlayMachine)
const [empty] = initialTransition(overlayMachine)
const take = (snapshot: Snapshot, command: OverlayCommand | OverlayTimer) => {
  const { snapshot: next, events, timers } = step(snapshot, command)
  return { next: next as Snapshot, facts: events as OverlayFact[], timers }
}
const reach = (...commands: OverlayCommand[]) =>
  commands.reduce((snapshot, command) => take(snapshot, command).next, empty)

const scheduled = (more: Partial<Scheduled> = {}): Omit<Scheduled, 'id'> => ({
  at: '2027-03-01T18:00:00.000Z',
  action: 'show',
  presetId: 5,
  values: {},
  by: { type: 'key', id: 1, name: 'desk' },
  ...more,
})
const cue = (id: string, seq: number, more = {}): OverlayCommand => ({ type: 'cue', seq, graphic: graphic(id, more) })
const schedule = (seq: number): OverlayCommand => ({ type: 'schedule', seq, scheduled: scheduled(), inMs: 9_000 })
const refresh = (seq: number): OverlayCommand => ({ type: 'refresh', seq, revisions: { match: 1 } })
const show = (id: string, more = {}): GraphicChange => ({ type: 'show', graphic: graphic(id, more) })
const update = (graphicId: string, n: number): GraphicChange => ({
  type: 'update',
  graphicId,
  presetId: 6,
  sectionId: 'left',
  values: { n },
})
const batch = (seq: number, ...commands: GraphicChange[]): OverlayCommand => ({ type: 'batch', seq, commands })

const aOnAir = reach({ seq: 1, ...show('a') })
const cued = reach({ seq: 1, ...show('a') }, cue('b', 2, { presetId: 7 }), cue('c', 3, { presetId: 8 }))
const waiting = reach({ seq: 1, ...show('a') }, schedule(2), schedule(3))
const brief = (facts: readonly OverlayFact[]) =>
  facts.map((fact) => {
    const of =
      'graphic' in fact
        ? fact.graphic.graphicId
        : 'scheduled' in fact
          ? fact.scheduled.id
          : fact.type === 'command.unscheduled'
            ? `${fact.id} ${fact.outcome}`
            : 'graphicId' in fact
              ? fact.graphicId
              : ''
    return `${fact.type.split('.')[1]} ${of}`
  })

/** state x command: accepted or not, the state after, the facts. */
const table: [string, Snapshot, OverlayCommand | OverlayTimer, boolean, string, string[]][] = [
  ['a cue when nothing is on air', empty, cue('a', 1), true, 'offAir', ['cued a']],
  ['a cue of what is on air', aOnAir, cue('a', 2), true, 'onAir', ['cued a']],
  ['a cue of what is on preview', cued, cue('b', 4, { presetId: 9 }), true, 'onAir', ['cued b']],
  ['a cue of a namesake', cued, cue('z', 4, { graphicName: 'Graphic b' }), true, 'onAir', ['uncued b', 'cued z']],
  ['live data while something is on preview alone', reach(cue('a', 1)), refresh(2), true, 'offAir', ['refreshed ']],
  ['an uncue of one', cued, { type: 'uncue', seq: 4, presetId: 8 }, true, 'onAir', ['uncued c']],
  ['an uncue of all', cued, { type: 'uncue', seq: 4 }, true, 'onAir', ['uncued b', 'uncued c']],
  ['an uncue of what is not on preview', cued, { type: 'uncue', seq: 4, presetId: 1 }, true, 'onAir', []],
  ['a take of nothing', aOnAir, { type: 'take', seq: 2 }, false, 'onAir', []],
  ['a take of nothing, off air', empty, { type: 'take', seq: 2 }, false, 'offAir', []],
  ['a take of what is not cued', cued, { type: 'take', seq: 4, presetId: 1 }, false, 'onAir', []],
  ['a take of one', cued, { type: 'take', seq: 4, presetId: 8 }, true, 'onAir', ['shown c', 'uncued c']],
  ['a take of all', cued, { type: 'take', seq: 4 }, true, 'onAir', ['shown b', 'shown c', 'uncued b', 'uncued c']],
  ['a take off air', reach(cue('a', 1)), { type: 'take', seq: 2 }, true, 'onAir', ['shown a', 'uncued a']],
  [
    'a take of a namesake of what is on air',
    reach({ seq: 1, ...show('a') }, cue('z', 2, { graphicName: 'Graphic a' })),
    { type: 'take', seq: 3 },
    true,
    'onAir',
    ['hidden a', 'shown z', 'uncued z'],
  ],
  ['hideAll leaves preview', cued, { type: 'hideAll', seq: 4 }, true, 'offAir', ['hidden a']],
  [
    'hideAll of what is scheduled, too',
    reach({ seq: 1, ...show('a') }, cue('b', 2), schedule(3)),
    { type: 'hideAll', seq: 4, scheduled: true },
    true,
    'offAir',
    ['hidden a', 'uncued b', 'unscheduled 3 removed'],
  ],
  [
    'the same with nothing on air',
    reach(cue('b', 1)),
    { type: 'hideAll', seq: 2, scheduled: true },
    true,
    'offAir',
    ['uncued b'],
  ],
  ['a batch', aOnAir, batch(2, show('b'), update('a', 1)), true, 'onAir', ['updated a', 'shown b']],
  ['a batch off air', empty, batch(1, show('b'), show('a')), true, 'onAir', ['shown b', 'shown a']],
  ['a batch that leaves nothing', aOnAir, batch(2, { type: 'hide', graphicId: 'a' }), true, 'offAir', ['hidden a']],
  ['a batch that does nothing', empty, batch(1, { type: 'hide', graphicId: 'a' }), true, 'offAir', []],
  ['a hide and a show', aOnAir, batch(2, { type: 'hide', graphicId: 'a' }, show('a')), true, 'onAir', ['shown a']],
  ['a show and a hide', empty, batch(1, show('a'), { type: 'hide', graphicId: 'a' }), true, 'offAir', []],
  ['a show and an update', empty, batch(1, show('a'), update('a', 2)), true, 'onAir', ['shown a']],
  ['two updates', aOnAir, batch(2, update('a', 1), update('a', 2)), true, 'onAir', ['updated a']],
  [
    'a batch with preview',
    cued,
    batch(4, { type: 'uncue', presetId: 7 }, { type: 'cue', graphic: graphic('d') }, show('e')),
    true,
    'onAir',
    ['shown e', 'uncued b', 'cued d'],
  ],
  ['a schedule', empty, schedule(1), true, 'offAir', ['scheduled 1']],
  ['an unschedule', waiting, { type: 'unschedule', seq: 4, id: 2 }, true, 'onAir', ['unscheduled 2 removed']],
  ['an unschedule of none', waiting, { type: 'unschedule', seq: 4, id: 9 }, false, 'onAir', []],
  [
    'a time that has come',
    waiting,
    { type: 'perform', seq: 4, id: 2, command: show('b') },
    true,
    'onAir',
    ['shown b', 'unscheduled 2 done'],
  ],
  [
    'a time that has come for what is off air',
    waiting,
    { type: 'perform', seq: 4, id: 2, command: { type: 'hide', graphicId: 'z' } },
    true,
    'onAir',
    ['unscheduled 2 done'],
  ],
  [
    'a time of one that was removed',
    waiting,
    { type: 'perform', seq: 4, id: 9, command: show('b') },
    true,
    'onAir',
    [],
  ],
  [
    'a time that was missed',
    waiting,
    { type: 'drop', seq: 4, id: 2, outcome: 'missed', reason: 'late' },
    true,
    'onAir',
    ['unscheduled 2 missed'],
  ],
  ['the event of a timer by itself', waiting, { type: 'due', id: 2 }, false, 'onAir', []],
  ['an undo of a show', aOnAir, { type: 'undo', seq: 2, off: ['a'], back: [] }, true, 'offAir', ['hidden a']],
  [
    'an undo of hideAll',
    empty,
    { type: 'undo', seq: 3, off: [], back: [{ graphic: graphic('a'), loadSeq: 1 }] },
    true,
    'onAir',
    ['shown a'],
  ],
  [
    'an undo of an update',
    aOnAir,
    { type: 'undo', seq: 3, off: [], back: [{ graphic: graphic('a'), loadSeq: 1 }] },
    true,
    'onAir',
    ['updated a'],
  ],
  [
    'an undo of a show in the place of a namesake',
    aOnAir,
    {
      type: 'undo',
      seq: 3,
      off: ['a'],
      back: [{ graphic: graphic('z', { graphicName: 'Graphic a' }), loadSeq: 0 }],
    },
    true,
    'onAir',
    ['hidden a', 'shown z'],
  ],
]

describe('preview, schedule and undo', () => {
  it.each(table)('%s', (_, before, command, accepted, state, facts) => {
    expect(before.can(command)).toBe(accepted)
    const taken = take(before, command)
    expect(taken.next.value).toBe(state)
    expect(brief(taken.facts)).toEqual(facts)
    const folded: Overlay = taken.facts.reduce(fold, before.context)
    expect(folded).toEqual(taken.next.context)
  })

  it('[show-control: Commands] a take of five is one seq, and preview is empty after it', () => {
    const ids = ['a', 'b', 'c', 'd', 'e']
    const { next, facts } = take(reach(...ids.map((id, index) => cue(id, index + 1))), { type: 'take', seq: 9 })
    expect(Object.values(next.context.graphics).map(({ loadSeq, seq }) => [loadSeq, seq])).toEqual(
      ids.map(() => [9, 9]),
    )
    expect(next.context.preview).toBeUndefined()
    expect(encodeSnapshot(next)).not.toContain('preview')
    expect(facts.filter(({ type }) => type === 'graphic.shown')).toHaveLength(5)
  })

  it('a take puts on air what was cued, with the time that the take gives it', () => {
    const { next, timers } = take(reach(cue('a', 1, { values: { n: 1 } })), {
      type: 'take',
      seq: 2,
      durationSeconds: 10,
    })
    expect(next.context.graphics.a).toMatchObject({ values: { n: 1 }, durationSeconds: 10 })
    expect(timers).toEqual([{ name: 'out:a', dueInMs: 10_000, event: { type: 'autoHide', graphicId: 'a' } }])
  })

  it('the timer of a scheduled command is set with it, and goes with it', () => {
    expect(take(empty, schedule(1)).timers).toEqual([{ name: 'at:1', dueInMs: 9_000, event: { type: 'due', id: 1 } }])
    for (const command of [
      { type: 'unschedule', seq: 4, id: 2 },
      { type: 'perform', seq: 4, id: 2, command: show('b') },
      { type: 'drop', seq: 4, id: 2, outcome: 'missed', reason: 'late' },
      { type: 'hideAll', seq: 4, scheduled: true },
    ] satisfies OverlayCommand[])
      expect(take(waiting, command).timers).toContainEqual({ name: 'at:2', cancel: true })
  })

  it('what comes back has what is left of its time', () => {
    const back = { graphic: graphic('a', { durationSeconds: 4 }), loadSeq: 1, leftMs: 4_000 }
    const event = { type: 'autoHide', graphicId: 'a' }
    const set = [{ name: 'out:a', dueInMs: 4_000, event }]
    expect(take(empty, { type: 'undo', seq: 3, off: [], back: [back] }).timers).toEqual(set)
    expect(take(aOnAir, { type: 'undo', seq: 3, off: [], back: [back] }).timers).toEqual(set)
  })

  it('each fact says where the graphic as it was before stands, also after live data', () => {
    const refreshed = take(aOnAir, { type: 'refresh', seq: 2, revisions: { match: 1 } }).next
    const wasOf = (snapshot: Snapshot, command: OverlayCommand) =>
      take(snapshot, command).facts.map((fact) => ('was' in fact ? fact.was : undefined))
    expect(wasOf(empty, { seq: 1, ...show('a') })).toEqual([undefined])
    for (const snapshot of [aOnAir, refreshed]) {
      expect(wasOf(snapshot, { seq: 5, ...show('a') })).toEqual([1])
      expect(wasOf(snapshot, { seq: 5, ...update('a', 1) })).toEqual([1])
      expect(wasOf(snapshot, { type: 'hideAll', seq: 5 })).toEqual([1])
      expect(wasOf(snapshot, batch(5, update('a', 1)))).toEqual([1])
    }
    const updated = take(refreshed, { seq: 3, ...update('a', 1) }).next
    expect(wasOf(updated, { type: 'hide', seq: 4, graphicId: 'a' })).toEqual([3])
  })

  it('live data leave preview and schedule', () => {
    const both = reach({ seq: 1, ...show('a') }, cue('b', 2), schedule(3))
    const { context } = take(both, { type: 'refresh', seq: 4, revisions: { match: 1 } }).next
    expect([Object.keys(context.preview ?? {}), Object.keys(context.schedule ?? {})]).toEqual([['b'], ['3']])
  })

  it('a stored state comes back with preview and schedule, and what is not of their shape is not loaded', () => {
    const both = reach({ seq: 1, ...show('a') }, cue('b', 2), schedule(3))
    const text = encodeSnapshot(both)
    expect(decodeSnapshot('overlay', 1, JSON.parse(text)).context).toEqual(both.context)
    for (const [right, wrong] of [
      ['"action":"show"', '"action":"play"'],
      ['"by":{', '"by":7,"x":{'],
      ['"preview":{', '"preview":7,"x":{'],
    ] as const)
      expect(() => decodeSnapshot('overlay', 1, JSON.parse(text.replace(right, wrong)))).toThrow('not of its kind')
  })
})
