import { describe, expect, it } from 'vitest'
import { initialTransition, type SnapshotFrom } from 'xstate'
import type { Firing, PlanCommand, PlanTimer } from '../../machines/game-plan/commands.ts'
import { foldPlan, type PlanEvent } from '../../machines/game-plan/events.ts'
import type { SeenMatch } from '../../machines/game-plan/model.ts'
import { planMachine } from '../../machines/game-plan.ts'
import { transitionOf } from '../../machines/transition.ts'
import { decodeSnapshot, encodeSnapshot } from '../../src/actors/rows.ts'

type Snapshot = SnapshotFrom<typeof planMachine>
const AT = Date.parse('2026-05-02T15:00:00.000Z')
const step = transitionOf(planMachine)
const [off] = initialTransition(planMachine)

const seen: SeenMatch = { lastFactId: 4, state: 'live', period: 1, inPeriod: true, endedAt: null }
const firing = (
  name: string,
  more: Partial<Firing['rule']> = {},
  picture: Partial<Firing['picture']> = {},
): Firing => ({
  rule: {
    id: name,
    name,
    delaySeconds: 0,
    end: { afterSeconds: 8 },
    priority: 50,
    onInterrupt: 'queue',
    maxAgeSeconds: 30,
    cooldownSeconds: 0,
    every: 1,
    once: false,
    ...more,
  },
  order: 0,
  factId: 4,
  factAt: '2026-05-02T14:59:59.000Z',
  reason: null,
  picture: { presetId: 3, graphicId: `graphic ${name}`, graphicName: name, values: { player: 7 }, ...picture },
})

const advance = (more: Partial<Extract<PlanCommand, { type: 'advance' }>> = {}): PlanCommand => ({
  ...{ type: 'advance', seq: 2, at: AT, on: true, match: seen, overlaySeq: 5 },
  ...{
    hands: [],
    refusals: [],
    corrections: [],
    memories: {},
    firings: [],
    alarmAt: null,
    done: 0,
    shown: [],
    ...more,
  },
})
const after = (...commands: (PlanCommand | PlanTimer)[]): Snapshot =>
  commands.reduce((snapshot, command) => step(snapshot, command).snapshot as Snapshot, off)
const by = { seq: 3, at: AT + 1000, by: 'Ann' }
const timer = (event: PlanTimer): PlanTimer => ({ at: new Date(AT + 8000).toISOString(), ...event })

const on = after(advance())
const running = after(advance({ firings: [firing('a'), firing('b', { layer: 'graphic a' })] }))
const waiting = after(advance({ firings: [firing('a', { delaySeconds: 5 })] }))
const paused = after(advance(), { type: 'pause', ...by })
/** A card with a brand has begun, and waits for the overlay to show it. */
const unsure = after(advance({ firings: [firing('ad', { once: true }, { sponsored: true })] }))
const done = unsure.context.numbered
const resumedUnsure = after(
  advance({ firings: [firing('ad', { onInterrupt: 'resume' }, { sponsored: true })] }),
  advance({ done: 2, shown: [1], firings: [firing('b', { layer: 'graphic ad', priority: 90 })] }),
  timer({ type: 'timeUp', layer: 'graphic ad', id: 3 }),
)
const cleared = after(advance({ firings: [firing('a')] }), { type: 'clear', ...by })
const held = after(advance(), { type: 'hold', layer: 'graphic a', ...by })

const FIRED = ['play.begun', 'rule.fired']
const set = (name: string, ms: number) => `${name} in ${ms}`

/** state x trigger: the state after it, the facts, the timers that are set or cancelled. */
const table: [string, Snapshot, PlanCommand | PlanTimer, string, string[], string[]][] = [
  ['off: switched on', off, advance(), 'playing', ['plan.switched', 'plan.saw'], []],
  ['off: still off', off, advance({ on: false, match: null, overlaySeq: 0 }), 'off', [], []],
  ['off: a timer that is left', off, timer({ type: 'timeUp', layer: 'graphic a', id: 1 }), 'off', [], []],
  ['playing: nothing new', on, advance(), 'playing', [], []],
  ['playing: a rule fires', on, advance({ firings: [firing('a')] }), 'playing', FIRED, [set('layer:graphic a', 8000)]],
  [
    'playing: a rule fires later',
    on,
    advance({ firings: [firing('a', { delaySeconds: 5 })] }),
    'playing',
    ['play.waited'],
    [set('wait:1', 5000)],
  ],
  ['playing: an alarm', on, advance({ alarmAt: AT + 60_000 }), 'playing', ['plan.alarmed'], [set('alarm', 60_000)]],
  ['playing: woken', on, timer({ type: 'woken' }), 'playing', ['plan.alarmed'], ['alarm cancelled']],
  ['playing: pause', on, { type: 'pause', ...by }, 'paused', ['plan.paused'], []],
  ['playing: hide all by hand with nothing on air', on, { type: 'clear', ...by }, 'paused', ['plan.paused'], []],
  [
    'playing: hide all by hand before what runs is on air',
    running,
    { type: 'clear', ...by },
    'paused',
    ['play.ended', 'plan.paused'],
    ['layer:graphic a cancelled'],
  ],
  ['playing: hide all by hand while one waits', waiting, { type: 'clear', ...by }, 'paused', ['plan.paused'], []],
  ['paused: hide all by hand', paused, { type: 'clear', ...by }, 'paused', [], []],
  ['off: hide all by hand', off, { type: 'clear', ...by }, 'off', [], []],
  ['playing: resume', on, { type: 'resume', ...by }, 'playing', [], []],
  ['playing: hold', on, { type: 'hold', layer: 'graphic a', ...by }, 'playing', ['layer.held'], []],
  ['playing: hold again', held, { type: 'hold', layer: 'graphic a', ...by }, 'playing', [], []],
  ['playing: release', held, { type: 'release', ...by }, 'playing', ['layer.released'], []],
  ['playing: release of another', held, { type: 'release', layer: 'x', ...by }, 'playing', [], []],
  ['playing: a held layer', held, advance({ firings: [firing('a')] }), 'playing', ['rule.suppressed'], []],
  [
    'playing: by hand',
    held,
    { type: 'fire', firing: firing('a'), ...by },
    'playing',
    FIRED,
    [set('layer:graphic a', 8000)],
  ],
  [
    'playing: the time of one is up, the next comes',
    running,
    timer({ type: 'timeUp', layer: 'graphic a', id: 1 }),
    'playing',
    ['play.ended', 'play.dropped', 'play.begun', 'rule.fired'],
    [set('layer:graphic a', 8000)],
  ],
  ['playing: the time of another', running, timer({ type: 'timeUp', layer: 'graphic a', id: 9 }), 'playing', [], []],
  [
    'playing: the wait is over',
    waiting,
    timer({ type: 'waited', id: 1 }),
    'playing',
    ['play.dropped', 'play.begun', 'rule.fired'],
    ['wait:1 cancelled', set('layer:graphic a', 8000)],
  ],
  [
    'playing: the wait is over, long ago',
    waiting,
    { type: 'waited', id: 1, at: new Date(AT + 60_000).toISOString() },
    'playing',
    ['play.dropped', 'rule.suppressed'],
    ['wait:1 cancelled'],
  ],
  ['playing: the wait of another', waiting, timer({ type: 'waited', id: 9 }), 'playing', [], []],
  [
    'playing: switched off',
    waiting,
    advance({ on: false }),
    'off',
    ['rule.withdrawn', 'plan.switched'],
    ['alarm cancelled', 'wait:1 cancelled'],
  ],
  [
    'playing: what shows a brand fires when the overlay has shown it',
    on,
    advance({ firings: [firing('ad', {}, { sponsored: true })] }),
    'playing',
    ['play.begun'],
    [set('layer:graphic ad', 8000)],
  ],
  ['playing: it did', unsure, advance({ done, shown: [1] }), 'playing', ['rule.fired', 'plan.done'], []],
  [
    'playing: it could not',
    unsure,
    advance({ done, refusals: [{ playId: 1, reason: 'noBrand' }] }),
    'playing',
    ['rule.suppressed', 'plan.done', 'play.ended'],
    ['layer:graphic ad cancelled'],
  ],
  ['playing: it is not known yet', unsure, advance({ done: 1 }), 'playing', [], []],
  [
    'playing: its turn counts until it is known',
    unsure,
    advance({ firings: [firing('ad', { once: true }, { sponsored: true })] }),
    'playing',
    ['rule.suppressed'],
    [],
  ],
  [
    'playing: it could not be shown again',
    resumedUnsure,
    advance({ done: resumedUnsure.context.numbered, refusals: [{ playId: 1, reason: 'noBrand' }] }),
    'playing',
    ['rule.withdrawn', 'plan.done', 'play.ended'],
    ['layer:graphic ad cancelled'],
  ],
  [
    'off: what was shown before it was switched off has fired',
    after(advance({ firings: [firing('ad', {}, { sponsored: true })] }), advance({ on: false })),
    advance({ on: false, match: null, done, shown: [1] }),
    'off',
    ['rule.fired', 'plan.done'],
    [],
  ],
  [
    'playing: what was over before the overlay could show it',
    after(advance({ firings: [firing('a')] }), timer({ type: 'timeUp', layer: 'graphic a', id: 1 })),
    advance({ done: 2, refusals: [{ playId: 1, reason: 'tooOld' }] }),
    'playing',
    ['rule.withdrawn', 'plan.done'],
    [],
  ],
  [
    'playing: its time was over, and its timer is still to come',
    after(advance({ firings: [firing('a')] })),
    advance({ done: 2, refusals: [{ playId: 1, reason: 'tooOld' }] }),
    'playing',
    ['rule.withdrawn', 'plan.done', 'play.ended'],
    ['layer:graphic a cancelled'],
  ],
  ['paused: a rule fires', paused, advance({ firings: [firing('a')] }), 'paused', ['rule.suppressed'], []],
  ['paused: pause', paused, { type: 'pause', ...by }, 'paused', [], []],
  ['paused: resume', paused, { type: 'resume', ...by }, 'playing', ['plan.resumed'], []],
  [
    'paused: by hand',
    paused,
    { type: 'fire', firing: firing('a'), ...by },
    'paused',
    FIRED,
    [set('layer:graphic a', 8000)],
  ],
  ['paused: hold', paused, { type: 'hold', layer: 'x', ...by }, 'paused', ['layer.held'], []],
  ['paused: switched off', paused, advance({ on: false }), 'off', ['plan.switched'], ['alarm cancelled']],
]

describe('game plan machine', () => {
  it.each(table)('%s', (_, before, command, state, facts, timers) => {
    const taken = step(before, command)
    expect(taken.snapshot.value).toBe(state)
    expect(taken.events.map(({ type }) => type)).toEqual(facts)
    expect(
      taken.timers.map((one) => ('cancel' in one ? `${one.name} cancelled` : `${one.name} in ${one.dueInMs}`)),
    ).toEqual(timers)
    expect((taken.events as PlanEvent[]).reduce(foldPlan, before.context)).toEqual(taken.snapshot.context)
  })

  it.each(['pause', 'resume', 'hold', 'release', 'fire'])(
    '%s is refused while the overlay is not automatic',
    (type) => {
      expect(off.can({ type, ...by, layer: 'x', firing: firing('a') } as PlanCommand)).toBe(false)
    },
  )

  it('of one commit each timer is changed once, whatever ends and begins on its layer', () => {
    const { timers } = step(running, advance({ firings: [firing('c', { layer: 'graphic a', priority: 90 })] }))
    expect(timers).toEqual([expect.objectContaining({ name: 'layer:graphic a', dueInMs: 8000 })])
  })

  it('what the overlay is to do stays until it is done, in order, under numbers that never come again', () => {
    const numbers = running.context.effects.map(({ n }) => n)
    expect(numbers).toEqual([...numbers].sort((one, other) => one - other))
    const upTo = { done: running.context.numbered }
    expect(step(running, advance(upTo)).events, 'no commit for that alone').toEqual([])
    const done = step(running, advance({ ...upTo, alarmAt: AT + 1 })).snapshot as Snapshot
    expect(done.context).toMatchObject({ effects: [], numbered: running.context.numbered })
    const more = step(done, advance({ firings: [firing('d')] })).snapshot as Snapshot
    expect(more.context.effects[0]?.n).toBeGreaterThan(running.context.numbered)
  })

  it.each<[string, Partial<Firing['rule']>, PlanCommand | PlanTimer, string | null | undefined]>([
    ['its time is over', {}, timer({ type: 'timeUp', layer: 'graphic a', id: 1 }), 'tooOld'],
    [
      'another takes its place',
      { onInterrupt: 'drop' },
      advance({ firings: [firing('c', { layer: 'graphic a', priority: 90 })] }),
      'priority',
    ],
    [
      'another takes its place, and it comes again',
      {},
      advance({ firings: [firing('c', { layer: 'graphic a', priority: 90 })] }),
      undefined,
    ],
    [
      'another layer takes its graphic',
      {},
      advance({ firings: [firing('c', { layer: 'other' }, { graphicId: 'graphic a' })] }),
      'priority',
    ],
    ['all is hidden by hand', {}, { type: 'clear', ...by }, 'paused'],
    [
      'somebody shows its graphic by hand',
      {},
      advance({ hands: [{ action: 'show', graphicId: 'graphic a', play: null, layers: [], by: 'Ann' }] }),
      'held',
    ],
    ['the state is over', { end: { until: 'state' } }, advance({ match: { ...seen, state: 'finished' } }), null],
    ['the overlay is automatic no more', {}, advance({ on: false }), 'autoModeOff'],
    ['nothing happens', {}, advance(), undefined],
  ])('why a show is left out if it was not done by then: %s', (_, of, command, reason) => {
    const { snapshot } = step(after(advance({ firings: [firing('a', of)] })), command)
    const [show] = (snapshot as Snapshot).context.effects
    expect([show?.do, show?.play.name, show?.leftOut]).toEqual(['show', 'a', reason])
  })

  it('a stored state comes back as it was', () => {
    for (const one of [running, cleared]) {
      const restored = decodeSnapshot('game-plan', 1, JSON.parse(encodeSnapshot(one)))
      expect([restored.value, restored.context]).toEqual([one.value, one.context])
    }
  })
})
