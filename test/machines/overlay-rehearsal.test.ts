import { describe, expect, it } from 'vitest'
import { initialTransition, type SnapshotFrom } from 'xstate'
import { kinds } from '../../machines/kinds.ts'
import type { OverlayCommand, OverlayTimer } from '../../machines/overlay/decide.ts'
import { fold, isAside, type OverlayFact } from '../../machines/overlay/events.ts'
import { overlayMachine } from '../../machines/overlay.ts'
import { transitionOf } from '../../machines/transition.ts'
import { decodeSnapshot, encodeSnapshot } from '../../src/actors/rows.ts'
import { keepers } from '../../workers/retention/keepers.ts'
import { apart } from '../support/apart.ts'
import { graphic } from './shown-graphic.ts'

type Snapshot = SnapshotFrom<typeof overlayMachine>
const step = transitionOf(overlayMachine)
const [empty] = initialTransition(overlayMachine)
const take = (snapshot: Snapshot, command: OverlayCommand | OverlayTimer) => {
  const { snapshot: next, events, timers } = step(snapshot, command)
  return { next: next as Snapshot, facts: events as OverlayFact[], timers }
}
const reach = (...commands: (OverlayCommand | OverlayTimer)[]) =>
  commands.reduce((snapshot, command) => take(snapshot, command).next, empty)

const begin = (seq: number): OverlayCommand => ({ type: 'rehearse', seq, on: true })
const end = (seq: number): OverlayCommand => ({ type: 'rehearse', seq, on: false })
const show = (id: string, seq: number, more = {}): OverlayCommand => ({ type: 'show', seq, graphic: graphic(id, more) })
const cue = (id: string, seq: number, more = {}): OverlayCommand => ({ type: 'cue', seq, graphic: graphic(id, more) })
const schedule = (seq: number): OverlayCommand => ({
  type: 'schedule',
  seq,
  inMs: 9_000,
  scheduled: { at: '2027-03-01T18:00:00.000Z', action: 'show', presetId: 5, values: {}, by: { type: 'key', id: 1 } },
})

const rehearsing = reach(begin(1))
const shown = reach(begin(1), show('a', 2))

describe('[show-control: rehearsal] an overlay that rehearses', () => {
  it('begins with nothing on air, and only then', () => {
    expect([rehearsing.value, rehearsing.context.rehearsal]).toEqual(['rehearsal', { since: 1, graphics: {} }])
    expect(reach(show('a', 1)).can(begin(2))).toBe(false)
    expect(take(rehearsing, begin(2)).facts).toEqual([])
    expect([empty, reach(show('a', 1))].map((before) => take(before, end(2)).facts)).toEqual([[], []])
  })

  it('knows every command that is known on air', () => {
    const { rehearsal, onAir } = overlayMachine.states
    expect(rehearsal?.ownEvents.toSorted()).toEqual(onAir?.ownEvents.toSorted())
  })

  it('takes every command as on air, and none of it is on air', () => {
    const commands: (OverlayCommand | OverlayTimer)[] = [
      show('a', 2),
      { type: 'update', seq: 3, graphicId: 'a', presetId: 6, sectionId: 'left', values: { n: 1 } },
      cue('b', 4),
      { type: 'take', seq: 5 },
      { type: 'batch', seq: 6, commands: [{ type: 'show', graphic: graphic('c', { durationSeconds: 5 }) }] },
      { type: 'refresh', seq: 7, revisions: { 'match/1': 3 } },
      { type: 'hide', seq: 8, graphicId: 'b' },
      { type: 'autoHide', graphicId: 'c' },
      { type: 'undo', seq: 10, off: [], back: [{ graphic: graphic('b'), loadSeq: 5 }] },
      { type: 'hideAll', seq: 11 },
    ]
    const seen = [['a'], ['a'], ['a'], ['a', 'b'], ['a', 'b', 'c'], ['a', 'b', 'c'], ['a', 'c'], ['a'], ['a', 'b'], []]
    let now = rehearsing
    for (const [index, command] of commands.entries()) {
      expect([command, now.can(command)]).toEqual([command, true])
      const { next, facts } = take(now, command)
      expect(facts.every(isAside)).toBe(true)
      expect(facts.reduce(fold, now.context)).toEqual(next.context)
      expect([next.value, next.context.graphics]).toEqual(['rehearsal', {}])
      expect(Object.keys(next.context.rehearsal?.graphics ?? {}).sort()).toEqual(seen[index])
      now = decodeSnapshot('overlay', 1, JSON.parse(encodeSnapshot(next))) as Snapshot
      expect(now.context).toEqual(JSON.parse(JSON.stringify(next.context)))
    }
    expect(now.context.revisions).toEqual({ 'match/1': 3 })
  })

  it('refuses what is refused on air', () => {
    const update = { type: 'update', seq: 3, graphicId: 'z', presetId: 6, sectionId: 'left', values: {} } as const
    expect([update, { type: 'take', seq: 3 } as const].map((command) => shown.can(command))).toEqual([false, false])
  })

  it('a timed graphic of it has its timer, and the end of the rehearsal takes it away', () => {
    const timed = take(rehearsing, show('a', 2, { durationSeconds: 8 }))
    const out = { name: 'out:a', dueInMs: 8_000, event: { type: 'autoHide', graphicId: 'a' } }
    expect(timed.timers).toEqual([out])
    expect(take(timed.next, end(3)).timers).toEqual([{ name: 'out:a', cancel: true }])
  })

  it('its end clears what it left, and leaves what was there before it', () => {
    const before = reach(cue('b', 1), schedule(2), begin(3), show('a', 4), cue('c', 5), schedule(6))
    const { next, facts, timers } = take(before, end(7))
    expect(next.value).toBe('offAir')
    expect(next.context.rehearsal).toBeUndefined()
    expect(next.context.graphics).toEqual({})
    expect(Object.keys(next.context.preview ?? {})).toEqual(['b'])
    expect(Object.keys(next.context.schedule ?? {})).toEqual(['2'])
    expect(timers).toEqual([{ name: 'at:6', cancel: true }])
    expect(facts.map(({ type }) => type)).toEqual([
      'rehearsal.ended',
      'rehearsed',
      'graphic.uncued',
      'command.unscheduled',
    ])
    expect(encodeSnapshot(next)).not.toContain('rehearsal')
  })

  it('its journal makes its state, also of the rows that retention keeps', () => {
    const commands = [
      cue('p', 1),
      begin(2),
      show('a', 3),
      { type: 'refresh', seq: 4, revisions: { 'match/1': 1 } } as const,
      end(5),
      begin(6),
      show('b', 7),
      show('c', 8),
      { type: 'hide', seq: 9, graphicId: 'b' } as const,
      { type: 'refresh', seq: 10, revisions: { 'match/2': 1 } } as const,
    ]
    for (let count = 1; count <= commands.length; count++) {
      let now = empty
      const rows = commands.slice(0, count).map((command, index) => {
        const { next, facts } = take(now, command)
        now = next
        return { seq: index + 1, ...apart(facts) }
      })
      const all = rows.flatMap(({ events, asides = [] }) => [...events, ...asides])
      const replayed = kinds.overlay.replay(all)
      expect(replayed).toEqual({ value: now.value, context: now.context })
      const kept = keepers(rows)
      const some = rows.filter(({ seq }) => kept.has(seq)).flatMap(({ events, asides = [] }) => [...events, ...asides])
      expect(kinds.overlay.replay(some)).toEqual(replayed)
    }
  })
})
