import type { AnyEventObject, AnyMachineSnapshot } from 'xstate'
import { type ContextOf, type EventOf, type Kind, kinds, type StoredSnapshot } from '../../machines/kinds.ts'
import { type TimerChange, transitionOf } from '../../machines/transition.ts'
import { decodeSnapshot, encodeSnapshot, initialSnapshot } from '../../src/actors/rows.ts'

/** 2027-03-01T12:00:00Z, when every lone actor begins. */
export const BEGIN = Date.UTC(2027, 2, 1, 12)
export const iso = (ms: number) => new Date(ms).toISOString()

type Timer = { dueAt: number; event: AnyEventObject }

/** One machine with what the host does around it: commands, durable timers, a clock that only moves when told, restarts. */
export class LoneActor<K extends Kind> {
  readonly #kind: K
  readonly #transition
  #snapshot: AnyMachineSnapshot
  readonly timers = new Map<string, Timer>()
  readonly facts: EventOf<K>[] = []
  now = BEGIN
  #seq = 0

  constructor(kind: K) {
    this.#kind = kind
    this.#transition = transitionOf(kinds[kind].machine)
    this.#snapshot = initialSnapshot(kind)
  }

  get context(): ContextOf<K> {
    return this.#snapshot.context as ContextOf<K>
  }

  get value(): unknown {
    return this.#snapshot.value
  }

  /** Names of the facts so far. */
  get told(): string[] {
    return this.facts.map((fact) => (fact as { type: string }).type)
  }

  /** What a command came to; `refused` when the state does not accept it. */
  ask(command: AnyEventObject): EventOf<K>[] | 'refused' {
    const event = { seq: ++this.#seq, ...command }
    if (!this.#snapshot.can(event)) return 'refused'
    const { snapshot, events, timers } = this.#transition(this.#snapshot, event)
    if (events.length === 0 && timers.length === 0) return []
    this.#snapshot = snapshot
    return this.#took(events, timers)
  }

  /** Asks one after the other; throws when one is refused. */
  all(...commands: readonly AnyEventObject[]): this {
    for (const command of commands)
      if (this.ask(command) === 'refused') throw new Error(`refused: ${JSON.stringify(command)}`)
    return this
  }

  /** Fires a timer whose time has come, as the host does: its row goes whatever comes of it. */
  fire(name: string): EventOf<K>[] {
    const timer = this.timers.get(name)
    if (!timer || timer.dueAt > this.now) return []
    this.timers.delete(name)
    const event = { ...timer.event, at: iso(this.now), lateMs: this.now - timer.dueAt }
    const { snapshot, events, timers } = this.#transition(this.#snapshot, event)
    if (events.length === 0) return []
    this.#snapshot = snapshot
    return this.#took(
      events,
      timers.filter((change) => change.name !== name || !('cancel' in change)),
    )
  }

  /** Time goes by, and each timer fires when it is due. */
  pass(ms: number): this {
    const until = this.now + ms
    for (let due = this.#next(until); due; due = this.#next(until)) {
      this.now = Math.max(this.now, due.dueAt)
      this.fire(due.name)
    }
    this.now = until
    return this
  }

  /** Nobody is there for so long; then what became due meanwhile fires, the oldest first. */
  away(ms: number): this {
    this.now += ms
    this.restart()
    for (let due = this.#next(this.now); due; due = this.#next(this.now)) this.fire(due.name)
    return this
  }

  /** What is stored is all that is left. */
  restart(): this {
    this.#snapshot = decodeSnapshot(this.#kind, kinds[this.#kind].version, JSON.parse(encodeSnapshot(this.#snapshot)))
    return this
  }

  /** The snapshot as the journal alone makes it, and as it is stored. */
  get stored(): { replayed: StoredSnapshot; snapshot: StoredSnapshot } {
    const replay = kinds[this.#kind].replay as (events: readonly EventOf<K>[]) => StoredSnapshot
    return { replayed: replay(this.facts), snapshot: JSON.parse(encodeSnapshot(this.#snapshot)) }
  }

  #next(until: number): { name: string; dueAt: number } | undefined {
    const due = [...this.timers].map(([name, { dueAt }]) => ({ name, dueAt })).filter(({ dueAt }) => dueAt <= until)
    return due.sort((a, b) => a.dueAt - b.dueAt)[0]
  }

  #took(events: AnyEventObject[], timers: readonly TimerChange[]): EventOf<K>[] {
    const facts = events as EventOf<K>[]
    this.facts.push(...facts)
    for (const change of timers)
      if ('cancel' in change) this.timers.delete(change.name)
      else this.timers.set(change.name, { dueAt: this.now + change.dueInMs, event: change.event as AnyEventObject })
    return facts
  }
}
