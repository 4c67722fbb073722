import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { until } from '../../../bench/clock.ts'
import type { Cuttable } from '../../support/proxy.ts'
import type { Random } from '../../support/random.ts'
import type { Audience } from './audience.ts'
import { type Figure, failed } from './figures.ts'
import type { Attempt, Operators } from './operators.ts'
import { type Push, Pushes, percentile } from './pushes.ts'
import { Returns } from './returns.ts'
import type { NodesRig, RigNode } from './rig.ts'

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
/** What an operator calls at once. */
const AT_ONCE_MS = 25
const RIGHT_MS = 5_000
const PUSHED_MS = 50
/** Of each operator, so that a machine of two cores has room for all of them while pushes are measured. */
const EASED_PAUSE_MS = 350
/** What two measurements of the same may differ by. */
const SLOWER_BY = 1.5
/** Pushes of so long are looked at together. */
const WINDOW_MS = 500
/** How long what pushes take is measured before a fault. */
const CALM_MS = 2_000
const WITHOUT_REDIS_MS = 1_500

/** What can happen to nodes and to what they stand on, one at a time; each measures its promise, and leaves everything whole. */
export class Faults {
  readonly figures: Figure[] = []
  /** Where commands failed that must not. */
  readonly broken: object[] = []
  readonly #rig: NodesRig
  readonly #operators: Operators
  readonly #random: Random
  readonly #durations: Durations
  readonly #looksClosely: boolean
  readonly #audience: Audience
  readonly #pushes: Pushes
  readonly #returns: Returns

  constructor(parts: {
    rig: NodesRig
    operators: Operators
    audience: Audience
    random: Random
    durations: Durations
    /** Whether times of few milliseconds say anything. */
    looksClosely: boolean
  }) {
    const { rig, operators, audience } = parts
    this.#rig = rig
    this.#operators = operators
    this.#audience = audience
    this.#random = parts.random
    this.#durations = parts.durations
    this.#looksClosely = parts.looksClosely
    this.#pushes = new Pushes(rig, operators, audience.watchers)
    this.#returns = new Returns(rig, audience.watchers)
  }

  /** Makes the fault, and sees every renderer and follower right afterwards. */
  async run(name: string): Promise<void> {
    const from = performance.now()
    await this.kinds[name]?.()
    await this.#allFollow()
    // those that came back before are of the fault before
    const returns = (await this.#returns.taken()).filter(({ openedAt }) => openedAt >= from)
    if (returns.length === 0 || name === 'PostgreSQL killed') return
    const longest = Math.max(...returns.map(({ openedAt, rightAt }) => rightAt - openedAt))
    this.#measured(`${name}: renderers are right after they connected again`, longest, RIGHT_MS)
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
    const mine = new Set(owned)
    const pushes = async (from: number) =>
      percentile((await this.#pushesOfOthers(from, mine, node)).map(sinceAsked), 99)
    let killedAt = 0
    await this.#withRoom(async () => {
      const calmAt = performance.now()
      if (this.#looksClosely) await pause(CALM_MS)
      const before = this.#looksClosely ? await pushes(calmAt) : 0
      await node.kill()
      killedAt = performance.now()
      await this.#takenOver('kill -9: its overlays take commands again', owned, others, 4_000)
      if (!this.#looksClosely) return
      const ms = await pushes(killedAt)
      this.#measured('kill -9: push to overlays of other nodes, p99', ms, PUSHED_MS, before > PUSHED_MS / SLOWER_BY)
      this.#measured('kill -9: the same in the seconds before', before, undefined)
    })
    const ofOthers = (await this.#operators.since(killedAt)).filter(({ overlayId }) => !mine.has(overlayId))
    this.#served('kill -9: commands to overlays of other nodes', ofOthers)
    await this.#join(node)
  }

  async terminate(): Promise<void> {
    const { node } = await this.#victim()
    await this.#withRoom(async () => {
      const toldAt = performance.now()
      await node.stop()
      expect(node.server?.ended(), 'how a node ends that is told to').toBe(0)
      const meanwhile = await this.#operators.since(toldAt)
      this.#served('SIGTERM: commands while a node stops', meanwhile)
      this.#measured('SIGTERM: the slowest command meanwhile', slowest(meanwhile), 1_000)
    })
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
    await this.#withRoom(async () => {
      const before = await this.#beforeRedisGoes()
      const from = performance.now()
      await this.#cut(node, 'redis', () => pause(this.#between(this.#durations.outMs)))
      await this.#withoutRedis('cut off from Redis', from, before)
    })
  }

  async killRedis(): Promise<void> {
    await this.#withRoom(async () => {
      const before = await this.#beforeRedisGoes()
      const from = performance.now()
      await this.#rig.redis.die()
      await pause(this.#between(this.#durations.outMs))
      await this.#rig.redis.restart()
      await this.#withoutRedis('Redis killed', from, before)
    })
  }

  /** Where times of few milliseconds are measured, operators leave the machine room for that. */
  async #withRoom(measure: () => Promise<void>): Promise<void> {
    if (!this.#looksClosely) return measure()
    await this.#operators.eased(EASED_PAUSE_MS, async () => {
      await pause(EASED_PAUSE_MS)
      await measure()
    })
  }

  /** What renderers of other nodes were told of overlays of other nodes, from then to now. */
  async #pushesOfOthers(from: number, mine: ReadonlySet<number>, node: RigNode): Promise<Push[]> {
    const pushes = await this.#pushes.between(from, performance.now())
    return pushes.filter(({ watcher, overlayId }) => !mine.has(overlayId) && watcher.where !== node.url)
  }

  /** The median of pushes to other nodes, ms. */
  async #beforeRedisGoes(): Promise<number> {
    if (!this.#looksClosely) return 0
    const from = performance.now()
    await pause(CALM_MS)
    return (await this.#medianElsewhere(from, performance.now())) ?? 0
  }

  /** Redis is back. `before`: the median of pushes to other nodes before it went. */
  async #withoutRedis(fault: string, from: number, before: number): Promise<void> {
    const backAt = performance.now()
    const meanwhile = await this.#operators.since(from)
    this.#served(`${fault}: commands`, meanwhile)
    const pushes = await this.#pushes.between(from, backAt)
    const longest = pushes.reduce((most, { sinceAnsweredMs }) => Math.max(most, sinceAnsweredMs), 0)
    this.#measured(`${fault}: renderers of all nodes are right after each change`, longest, WITHOUT_REDIS_MS)
    if (!this.#looksClosely) return
    this.#measured(
      `${fault}: pushes to other nodes have a median below ${AT_ONCE_MS} ms after its return`,
      await this.#untilAtOnce(backAt),
      10_000,
      before > AT_ONCE_MS / SLOWER_BY,
    )
    this.#measured(`${fault}: the median of pushes to other nodes in the seconds before`, before, undefined)
  }

  /** How long after this time the pushes to other nodes are what they were. What is asked of the watchers meanwhile takes nothing of it. */
  async #untilAtOnce(from: number): Promise<number> {
    for (let begin = from; begin - from < GIVE_UP_MS; begin += WINDOW_MS) {
      const end = begin + WINDOW_MS
      await pause(Math.max(0, end - performance.now()))
      const median = await this.#medianElsewhere(begin, end)
      if (median !== undefined && median < AT_ONCE_MS) return begin - from
    }
    return GIVE_UP_MS
  }

  /** Of pushes that were asked for between these times, to renderers of other nodes than the one that made the change; undefined: there was none. */
  async #medianElsewhere(from: number, to: number): Promise<number | undefined> {
    const nodes = await this.#rig.byId()
    const isElsewhere = ({ watcher, node }: Push) =>
      nodes.has(node ?? '') &&
      this.#rig.nodes.some(({ url }) => url === watcher.where && url !== nodes.get(node ?? '')?.url)
    const times = (await this.#pushes.between(from, to)).filter(isElsewhere).map(sinceAsked)
    return times.length > 0 ? percentile(times, 50) : undefined
  }

  async killPostgres(): Promise<void> {
    this.#rig.database.kill()
    await pause(this.#between(this.#durations.outMs))
    await this.#rig.database.start()
    const overlays = this.#rig.production.overlays.map(({ id }) => id)
    await this.#takenOver('PostgreSQL killed: commands after it is back', overlays, this.#rig.nodes, 10_000)
    await this.#rig.shared()
  }

  /** Every renderer and follower, wherever it is, is soon told of a command of now. */
  async #allFollow(): Promise<void> {
    const { sql, balancer, production } = this.#rig
    const overlays = production.overlays.map(({ id }) => id)
    await this.#operators.probe([balancer], overlays, GIVE_UP_MS)
    const newest = new Map<number, number>()
    for (const id of overlays) {
      const [row] = await sql<{ seq: number }[]>`
        select seq::float8 as seq from journal
        where ref = ${`overlay/${id}`} and command ->> 'action' = 'show' order by journal.seq desc limit 1`
      newest.set(id, row?.seq ?? 0)
    }
    const { watchers, followers } = this.#audience
    await until('all renderers and followers to be told of a new command', GIVE_UP_MS, 20, () =>
      [...watchers, ...followers].every(({ overlayId, seq }) => seq >= (newest.get(overlayId) ?? 0)),
    )
  }

  /** A process that has just started is slow at first: on a full machine that is all one would see. */
  async #join(node: RigNode): Promise<void> {
    await this.#withRoom(async () => {
      const from = performance.now()
      await node.start()
      // it is ready before it has its share
      this.#measured('an added node has its share', await this.#rig.shared(), 5_000)
      this.#served('commands while a node joins', await this.#operators.since(from))
    })
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

  /** None may fail; what did is judged at the end, so that one does not hide what comes after it. */
  #served(what: string, attempts: readonly Attempt[]): void {
    const wrong = failed(attempts)
    if (wrong.length > 0)
      this.broken.push({ what, of: attempts.length, failed: wrong.length, first: wrong.slice(0, 3) })
  }

  #between([least, most]: Range): number {
    // short ones are what is common; each tenth is longer than half of the most
    return least + this.#random.next() ** 6 * (most - least)
  }

  #measured(what: string, ms: number, withinMs: number | undefined, tooSlow = false): void {
    this.figures.push({ what, ms: Math.round(ms), withinMs, ...(tooSlow && { tooSlow }) })
  }
}

const slowest = (attempts: readonly Attempt[]) => attempts.reduce((most, { tookMs }) => Math.max(most, tookMs), 0)
const sinceAsked = ({ sinceAskedMs }: Push) => sinceAskedMs
