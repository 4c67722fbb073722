import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { until } from '../../../bench/clock.ts'
import type { Cuttable } from '../../support/proxy.ts'
import type { Random } from '../../support/random.ts'
import type { Attempt, Operators } from './operators.ts'
import type { NodesRig, RigNode } from './rig.ts'
import type { Watcher } from './watcher.ts'

/** A time of the promises table. */
export type Figure = { readonly what: string; readonly ms: number; readonly withinMs: number }

type Way = keyof RigNode['ways']

type Range = readonly [least: number, most: number]

/** How long faults last. */
export type Durations = {
  /** Of a node that is frozen or cut off; undefined: until others have taken its overlays over. */
  readonly aloneMs: Range | undefined
  /** Of Redis and PostgreSQL. */
  readonly outMs: Range
}

const GIVE_UP_MS = 30_000

/** What can happen to nodes and to what they stand on, one at a time; each measures its promise, and leaves everything whole. */
export class Faults {
  readonly figures: Figure[] = []
  readonly #rig: NodesRig
  readonly #operators: Operators
  readonly #random: Random
  readonly #durations: Durations

  constructor(rig: NodesRig, operators: Operators, random: Random, durations: Durations) {
    this.#rig = rig
    this.#operators = operators
    this.#random = random
    this.#durations = durations
  }

  /** Every kind of fault, by its name. */
  readonly kinds: Readonly<Record<string, () => Promise<void>>> = {
    'kill -9': () => this.kill(),
    SIGTERM: () => this.terminate(),
    SIGSTOP: () => this.freeze(),
    'cut off from PostgreSQL': () => this.cutFromPostgres(),
    'cut off from Redis': () => this.cutFromRedis(),
    'cut off from the others': () => this.cutFromOthers(),
    'Redis killed': () => this.killRedis(),
    'PostgreSQL killed': () => this.killPostgres(),
  }

  async kill(): Promise<void> {
    const { node, owned, others } = await this.#victim()
    await node.kill()
    const killedAt = performance.now()
    await this.#takenOver('kill -9: its overlays take commands again', owned, others, 4_000)
    const mine = new Set(owned)
    const ofOthers = (await this.#operators.since(killedAt)).filter(({ overlayId }) => !mine.has(overlayId))
    expect(failed(ofOthers), 'commands to overlays of other nodes that failed').toEqual([])
    await this.#join(node)
  }

  async terminate(): Promise<void> {
    const { node } = await this.#victim()
    const toldAt = performance.now()
    await node.stop()
    expect(node.server?.ended(), 'how a node ends that is told to').toBe(0)
    const meanwhile = await this.#operators.since(toldAt)
    expect(failed(meanwhile), 'commands that failed while a node stopped').toEqual([])
    this.#measured('SIGTERM: the slowest command meanwhile', slowest(meanwhile), 1_000)
    await this.#join(node)
  }

  async freeze(): Promise<void> {
    const { node, owned, others } = await this.#victim()
    node.signal('SIGSTOP')
    await this.#lasting(
      () => this.#takenOver('SIGSTOP: its overlays take commands again', owned, others, 5_000),
      () => node.signal('SIGCONT'),
    )
    await this.#rig.shared()
  }

  async cutFromPostgres(): Promise<void> {
    const { node, owned, others } = await this.#victim()
    await this.#cut(node, 'postgres', () =>
      this.#takenOver('cut off from PostgreSQL: its overlays take commands again', owned, others, 5_000),
    )
    await this.#rig.shared()
  }

  async cutFromOthers(): Promise<void> {
    const { node, owned, others } = await this.#victim()
    await this.#cut(node, 'others', () =>
      this.#takenOver('cut off from the others: its overlays take commands again', owned, others, 5_000),
    )
    await this.#rig.shared()
  }

  async cutFromRedis(): Promise<void> {
    const { node } = await this.#victim()
    const from = performance.now()
    await this.#cut(node, 'redis', () => pause(this.#between(this.#durations.outMs)))
    const meanwhile = await this.#operators.since(from)
    expect(failed(meanwhile), 'commands that failed while a node was cut off from Redis').toEqual([])
  }

  async killRedis(): Promise<void> {
    const from = performance.now()
    await this.#rig.redis.die()
    await pause(this.#between(this.#durations.outMs))
    await this.#rig.redis.restart()
    const meanwhile = await this.#operators.since(from)
    expect(failed(meanwhile), 'commands that failed without Redis').toEqual([])
  }

  async killPostgres(): Promise<void> {
    this.#rig.killPostgres()
    await pause(this.#between(this.#durations.outMs))
    await this.#rig.startPostgres()
    const overlays = this.#rig.production.overlays.map(({ id }) => id)
    await this.#takenOver('PostgreSQL killed: commands after it is back', overlays, this.#rig.nodes, 10_000)
    await this.#rig.shared()
  }

  /** Every renderer, wherever it is, soon shows a command of now. */
  async renderersFollow(watchers: readonly Watcher[]): Promise<void> {
    const { sql, balancer, production } = this.#rig
    const overlays = production.overlays.map(({ id }) => id)
    await this.#operators.probe([balancer], overlays, GIVE_UP_MS)
    const rows = await sql<{ ref: string; seq: number }[]>`
      select ref, max(seq)::int as seq from journal
      where ref like 'overlay/%' and command ->> 'action' = 'show' group by ref`
    const newest = new Map(rows.map(({ ref, seq }) => [ref, seq]))
    const from = performance.now()
    await until('all renderers to show a new command', GIVE_UP_MS, 20, () =>
      watchers.every(({ overlayId, seq }) => seq >= (newest.get(`overlay/${overlayId}`) ?? 0)),
    )
    this.#measured('every renderer shows the right picture after a fault', performance.now() - from, 5_000)
  }

  async #join(node: RigNode): Promise<void> {
    const from = performance.now()
    await node.start()
    // it is ready before it has its share
    this.#measured('an added node has its share', await this.#rig.shared(), 5_000)
    expect(failed(await this.#operators.since(from)), 'commands that failed while a node joined').toEqual([])
  }

  async #cut(node: RigNode, way: Way, meanwhile: () => Promise<void>): Promise<void> {
    const cut: Cuttable = node.ways[way]
    if (this.#random.chance(0.5)) cut.freeze()
    else cut.refuse()
    await this.#lasting(meanwhile, () => cut.mend())
  }

  async #lasting(meanwhile: () => Promise<void>, heal: () => void): Promise<void> {
    const { aloneMs } = this.#durations
    if (!aloneMs) return meanwhile().finally(heal)
    const healed = pause(this.#between(aloneMs)).then(heal)
    await meanwhile().finally(() => healed)
  }

  async #takenOver(what: string, overlays: readonly number[], at: readonly RigNode[], withinMs: number): Promise<void> {
    const origins = at.map(({ url }) => url)
    this.#measured(what, await this.#operators.probe(origins, overlays, GIVE_UP_MS), withinMs)
  }

  /** A node with overlays, and the others. */
  async #victim() {
    const owned = await this.#rig.owned()
    const [first, ...more] = [...owned].filter(([, overlays]) => overlays.length > 0)
    if (!first) throw new Error('no node owns an overlay')
    const [node, overlays] = this.#random.pick([first, ...more])
    return { node, owned: overlays, others: this.#rig.nodes.filter((other) => other !== node) }
  }

  #between([least, most]: Range): number {
    return least + this.#random.next() * (most - least)
  }

  #measured(what: string, ms: number, withinMs: number): void {
    this.figures.push({ what, ms: Math.round(ms), withinMs })
  }
}

/** What failed, with the time since the first attempt at which each began. */
function failed(attempts: readonly Attempt[]) {
  const from = Math.min(...attempts.map(({ startedAt }) => startedAt))
  return attempts
    .filter(({ status }) => status === 0 || status >= 500)
    .map(({ overlayId, status, node, startedAt, tookMs }) => {
      return { overlayId, status, node, atMs: Math.round(startedAt - from), tookMs: Math.round(tookMs) }
    })
}

const slowest = (attempts: readonly Attempt[]) => Math.max(0, ...attempts.map(({ tookMs }) => tookMs))
