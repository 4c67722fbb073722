import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import { until } from '../../../bench/clock.ts'
import { fold, type OverlayEvent } from '../../../machines/overlay/events.ts'
import type { Overlay } from '../../../machines/overlay/model.ts'
import type { Audience } from './audience.ts'
import type { FollowerWatcher } from './follower.ts'
import { type Attempt, numberIn, requestIdOf } from './operators.ts'
import type { NodesRig } from './rig.ts'
import type { Watcher } from './watcher.ts'

type Row = { seq: number; requestId: string; presetId: number | null; values: Record<string, unknown> | null }

const empty: Overlay = { graphics: {}, revisions: {} }

async function rowsOf({ sql }: NodesRig, overlayId: number): Promise<Row[]> {
  return sql<Row[]>`
    select seq::float8 as seq, request_id as "requestId", (command ->> 'presetId')::int as "presetId",
      command -> 'variableValues' as values
    from journal where ref = ${`overlay/${overlayId}`} order by seq`
}

/** Judges by the journal what the operators were answered and what renderers and followers were told. */
export async function check(rig: NodesRig, attempts: readonly Attempt[], audience: Audience): Promise<void> {
  const { watchers, followers } = audience
  /** How often each command is in the journal, by its request id. */
  const times = new Map<string, number>()
  const gaps: { overlayId: number; behind: number; requestId: string }[] = []
  // a long run has a million rows: those of one overlay at a time
  for (const { id } of rig.production.overlays) {
    const rows = await rowsOf(rig, id)
    for (const { requestId } of rows) times.set(requestId, (times.get(requestId) ?? 0) + 1)
    const gap = rows.find(({ seq }, index) => seq !== index + 1)
    if (gap) gaps.push({ overlayId: id, behind: gap.seq, requestId: gap.requestId })
    for (const one of [...watchers, ...followers]) if (one.overlayId === id) subsequence(one, rows)
  }
  // first what was lost: a gap may be of a command that nobody was promised
  eachOnce(times, attempts)
  expect(gaps, 'gaps in journals').toEqual([])
  await statesAreFolds(rig)
  const faults = [...watchers, ...followers].flatMap((one) => one.faults)
  expect(faults.slice(0, 5), 'frames that fell, changes that fell or were left out').toEqual([])
  expect(
    watchers.flatMap(({ renderer }) => renderer.fault ?? []).slice(0, 5),
    'frames that broke the protocol',
  ).toEqual([])
  await converge(rig, audience)
}

const QUIET_MS = 5_000

/** Resolves when no overlay has moved for a while: reactions to the last facts and graphics that go off by themselves come later. */
export async function quiet({ sql }: NodesRig): Promise<void> {
  let seen = ''
  let since = 0
  await until('overlays that stand still', 120_000, 250, async () => {
    const [row] = await sql<{ total: string }[]>`select sum(seq)::text as total from actor where ref like 'overlay/%'`
    if (row?.total !== seen) since = performance.now()
    seen = row?.total ?? ''
    return performance.now() - since > QUIET_MS
  })
}

/** Every acknowledged command once, refused ones never, and those of unknown outcome at most once. */
function eachOnce(times: ReadonlyMap<string, number>, attempts: readonly Attempt[]): void {
  /** Of a command that was repeated the best answer counts. */
  const outcomes = new Map<number, { acknowledged: boolean; refused: boolean; changes: boolean }>()
  for (const { number, status, changes } of attempts) {
    const before = outcomes.get(number)
    const acknowledged = (before?.acknowledged ?? false) || status === 200
    const refused = (before?.refused ?? true) && status >= 400 && status < 500
    outcomes.set(number, { acknowledged, refused, changes })
  }
  const wrong = { refused: [] as number[], lost: [] as number[], twice: [] as number[], refusedAndDone: [] as number[] }
  for (const { number, status, isBad } of attempts)
    if (status >= 400 && status < 500 && !(isBad && status === 400)) wrong.refused.push(number)
  for (const [number, { acknowledged, refused, changes }] of outcomes) {
    const found = times.get(requestIdOf(number)) ?? 0
    if (acknowledged && changes && found === 0) wrong.lost.push(number)
    if (found > 1) wrong.twice.push(number)
    if (refused && found > 0) wrong.refusedAndDone.push(number)
  }
  expect(wrong, 'commands by their numbers').toEqual({ refused: [], lost: [], twice: [], refusedAndDone: [] })
}

async function statesAreFolds({ sql, production }: NodesRig): Promise<void> {
  for (const { id } of production.overlays) {
    const ref = `overlay/${id}`
    const [actor] = await sql<{ seq: string; context: Overlay }[]>`
      select seq, snapshot -> 'context' as context from actor where ref = ${ref}`
    let state = empty
    let seq = 0
    for await (const rows of sql<{ seq: string; events: OverlayEvent[] }[]>`
      select seq, events from journal where ref = ${ref} order by seq`.cursor(1_000))
      for (const row of rows) {
        seq = Number(row.seq)
        state = row.events.reduce(fold, state)
      }
    expect({ seq: Number(actor?.seq), context: actor?.context }, `state of ${ref}`).toEqual({ seq, context: state })
  }
}

/** Each frame or change tells a row of the journal; that none fell was seen as they came. */
function subsequence({ where, overlayId, history }: Watcher | FollowerWatcher, rows: readonly Row[]): void {
  const wrong = history.seqs.flatMap((seq, index) => {
    const number = history.numbers[index] ?? 0
    const row = rows[seq - 1]
    const isRight = row && (number === 0 || !row.values || Object.values(row.values).map(numberIn).includes(number))
    return isRight ? [] : [{ seq, number, values: row?.values }]
  })
  expect(wrong.slice(0, 3), `what was told of overlay ${overlayId} at ${where} and is not in the journal`).toEqual([])
}

type OnAir = Overlay['graphics'][string]
type Told = { seq: number; presetId: number; variableValues: Record<string, unknown> }

/** A renderer or follower: what it knows, and what it should know of the state of its overlay. */
type Knowing = {
  who: { what: string; where: string; overlayId: number }
  isConnected(): boolean
  knows(): unknown
  expected: unknown
}

const entries = (told: ReadonlyMap<string, Told>, take: (graphic: Told) => object) =>
  Object.fromEntries([...told].map(([id, graphic]) => [id, take(graphic)]))

/** In the end every renderer shows what the database says, and every follower knows it. */
async function converge(rig: NodesRig, audience: Audience): Promise<void> {
  let wrong: readonly Knowing[] = []
  // reactions to the last facts may still be on their way, and change what is in the database
  const look = async () => {
    const states = await statesOf(rig)
    wrong = knowing(audience, states).filter(({ knows, expected }) => !isDeepStrictEqual(knows(), expected))
    return wrong.length === 0
  }
  await until('all to know what the database says', 30_000, 250, look).catch(() => {})
  expect(
    wrong.map(({ who, isConnected, knows, expected }) => ({
      ...who,
      connected: isConnected(),
      knows: knows(),
      expected,
    })),
  ).toEqual([])
}

type States = ReadonlyMap<number, { seq: number; graphics: OnAir[] }>

async function statesOf({ sql, production }: NodesRig): Promise<States> {
  const refs = production.overlays.map(({ id }) => `overlay/${id}`)
  const rows = await sql<{ ref: string; seq: number; graphics: Overlay['graphics'] }[]>`
    select ref, seq::float8 as seq, snapshot -> 'context' -> 'graphics' as graphics from actor where ref = any(${refs})`
  return new Map(
    rows.map(({ ref, seq, graphics }) => [
      Number(ref.slice('overlay/'.length)),
      { seq, graphics: Object.values(graphics) },
    ]),
  )
}

function knowing({ watchers, followers }: Audience, states: States): Knowing[] {
  const expectedOf = (overlayId: number, take: (graphic: OnAir) => object) =>
    Object.fromEntries(states.get(overlayId)?.graphics.map((graphic) => [graphic.graphicId, take(graphic)]) ?? [])
  return [
    ...watchers.map(({ where, overlayId, renderer }) => ({
      who: { what: 'renderer', where, overlayId },
      isConnected: () => renderer.connected,
      knows: () =>
        entries(renderer.shows(), ({ presetId, variableValues, seq }) => ({ presetId, values: variableValues, seq })),
      expected: expectedOf(overlayId, ({ presetId, values, seq }) => ({ presetId, values, seq })),
    })),
    // to whom new live data leave the seq of a graphic as it is
    ...followers.map((follower) => ({
      who: { what: 'follower', where: follower.where, overlayId: follower.overlayId },
      isConnected: () => follower.follows,
      knows: () => ({
        seq: follower.seq,
        graphics: entries(follower.onAir, ({ presetId, variableValues }) => ({ presetId, values: variableValues })),
      }),
      expected: {
        seq: states.get(follower.overlayId)?.seq ?? 0,
        graphics: expectedOf(follower.overlayId, ({ presetId, values }) => ({ presetId, values })),
      },
    })),
  ]
}
