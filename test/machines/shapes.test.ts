import { describe, expect, it } from 'vitest'
import type { AnyEventObject } from 'xstate'
import { type Kind, kinds, type StoredSnapshot } from '../../machines/kinds.ts'
import { decodeSnapshot, encodeSnapshot } from '../../src/actors/rows.ts'
import { BEGIN, iso, LoneActor } from './lone-actor.ts'
import { commanded, matchOf, played, saying, settings, snapshotOf } from './match-support.ts'
import { graphic } from './shown-graphic.ts'

const HOUR = 3_600_000
const holder = { userName: 'Ann', type: 'person', token: 'ann' }
const shown = graphic('a', { values: { title: 'Goal', count: 2, open: true, none: null } })
const goal = {
  dataProvider: { name: 'feed', id: '7' },
  clientFactId: 'mine',
  details: { odd: { deep: [1] } },
  playerId: 4,
  secondaryPlayerId: 5,
  minute: 45,
  addedMinute: 2,
  value: 'header',
}
const match = commanded(
  played(
    matchOf('football', { periodLength: 30 }, { settings: { ...settings, officials: [{ id: 3, role: 'referee' }] } }),
    { type: 'periodStart' },
    { type: 'goal', side: 'home', ...goal },
  ),
  saying('suspended'),
  { type: 'update', score: { home: 2, away: 1 } },
)
const schedule = { startAt: BEGIN + HOUR, stopAt: BEGIN + 2 * HOUR, startHidden: false, cannotStart: null }

const stored = (kind: Kind, ...commands: AnyEventObject[]) => new LoneActor(kind).all(...commands).stored.snapshot

const picture = { presetId: 3, graphicId: 'g', graphicName: 'Goal', values: { player: 7 } }
const planned = (id: string, delaySeconds = 0) => ({
  ...{ order: 0, factId: 4, factAt: 'once', reason: null, picture },
  rule: {
    ...{ id, name: id, delaySeconds, end: { afterSeconds: 8 }, priority: 50, onInterrupt: 'queue', layer: 'third' },
    ...{ maxAgeSeconds: 30, cooldownSeconds: 0, every: 1, once: false },
  },
})
/** One graphic runs, one waits for its place, one for its time; a layer is held. */
const PLANNED = {
  ...{
    type: 'advance',
    at: BEGIN,
    on: true,
    overlaySeq: 5,
    alarmAt: BEGIN + 60_000,
    done: 0,
    shown: [],
    refusals: [],
    corrections: [],
  },
  match: { lastFactId: 4, state: 'live', period: 1, inPeriod: true, endedAt: BEGIN },
  hands: [{ action: 'show', graphicId: 'h', play: null, layers: ['lower'], by: 'Ann' }],
  memories: { one: { matches: 1, firedAt: BEGIN, reached: [1], interval: { during: 'live 1', at: BEGIN } } },
  firings: [planned('two'), planned('three'), planned('four', 5)],
}

const PLANNED_TAKE = {
  ...{
    at: iso(BEGIN + HOUR),
    action: 'take',
    presetId: 3,
    values: { player: 7 },
    by: { type: 'key', id: 5, name: 'desk' },
  },
  ...{ graphicId: 'b', graphicName: 'B', durationSeconds: 8 },
}

/** One of each kind, with something in every part of it. */
const full: Record<Kind, StoredSnapshot> = {
  overlay: stored(
    'overlay',
    { type: 'show', graphic: shown } as never,
    { type: 'refresh', revisions: { 'match/1': 7 } },
    { type: 'cue', graphic: { ...shown, graphicId: 'b', graphicName: 'B' } },
    { type: 'schedule', scheduled: PLANNED_TAKE, inMs: HOUR },
  ),
  match: JSON.parse(encodeSnapshot(snapshotOf(match))),
  'game-plan': stored('game-plan', PLANNED),
  'graphic-lock': stored('graphic-lock', { type: 'acquire', holder, claim: 'edit', ttlMs: 1000 }),
  stream: stored(
    'stream',
    { type: 'automate', schedule, startInMs: HOUR, stopInMs: 2 * HOUR },
    { type: 'start', at: iso(BEGIN) },
    { type: 'started', run: 1, at: iso(BEGIN), linked: [4] },
    { type: 'goLive', at: iso(BEGIN), destinationIds: [4] },
  ),
  input: stored('input', { type: 'open' }, { type: 'connected', session: 's', protocol: 'srt', at: iso(BEGIN) }),
  destination: stored(
    'destination',
    { type: 'wish', wanted: true, wish: 1, now: false },
    { type: 'failed', attempt: 1, error: 'refused', retryInMs: 500, nextRetryDate: iso(BEGIN) },
  ),
  upload: stored('upload', { type: 'receive' }, { type: 'inspect' }, { type: 'reject', reason: 'a virus' }),
}

type Path = (string | number)[]

/** What may hold anything, and so is looked at no further. */
const FREE = /^(.*\.end\.|facts\.0\.|play\.situation|facts\.1\.details\.)/

function* pathsOf(part: unknown, path: Path = []): Generator<Path> {
  if (FREE.test(path.join('.'))) return
  if (path.length > 0) yield path
  if (typeof part !== 'object' || part === null) return
  const keys = Array.isArray(part) ? part.map((_, index) => index) : Object.keys(part)
  for (const key of keys) yield* pathsOf(Reflect.get(part, key), [...path, key])
}

const partAt = (context: object, path: Path) => path.reduce<object>((part, key) => Reflect.get(part, key), context)

/** The snapshot with another value in one place of its context; none: without it. */
function broken(snapshot: StoredSnapshot, path: Path, value?: unknown): StoredSnapshot {
  const copy = structuredClone(snapshot)
  const last = path.at(-1) ?? ''
  const parent = partAt(copy.context, path.slice(0, -1))
  if (value === undefined) Reflect.deleteProperty(parent, last)
  else Reflect.set(parent, last, value)
  return copy
}

/** What may be left out: entries of a table, members of a partial configuration. */
const MAY_LACK =
  /^(rules\.\w+$|layers\.\w+$|.*\.values\.player$|graphics\.a$|graphics\.a\.setSeq$|(graphics\.a|preview\.b|schedule\.\d+)\.values\.|preview$|preview\.b$|schedule$|schedule\.\d+$|schedule\.\d+\.(graphicId|graphicName|durationSeconds|by\.id|by\.name)$|revisions\.|config\.|play\.statistics\.(home|away)\.)/

/** What may be any JSON: values of graphics, which are lists and objects where an OGraf graphic has them so. */
const ANYTHING = /^(graphics\.a|preview\.b|schedule\.\d+)\.values\./

describe('[live-path 9] a stored snapshot whose context is not of its kind is refused', () => {
  for (const [kind, snapshot] of Object.entries(full) as [Kind, StoredSnapshot][]) {
    const decode = (of: StoredSnapshot) => decodeSnapshot(kind, kinds[kind].version, of)

    it(`${kind}: as it was written it is taken, also with members in another order and one that nobody knows`, () => {
      expect(decode(snapshot).context).toEqual(snapshot.context)
      const turned = Object.fromEntries(Object.entries(snapshot.context).reverse())
      expect(decode({ ...snapshot, context: { ...turned, later: 1 } }).context).toMatchObject(snapshot.context)
    })

    it.each([...pathsOf(snapshot.context)].map((path) => [path.join('.'), path] as const))(
      `${kind}: not without %s, nor with something else there`,
      (name, path) => {
        if (!MAY_LACK.test(name)) expect(() => decode(broken(snapshot, path))).toThrow(name)
        if (!ANYTHING.test(name))
          for (const wrong of [[[]], partAt(snapshot.context, path) instanceof Object ? 'word' : {}])
            expect(() => decode(broken(snapshot, path, wrong))).toThrow(name)
      },
    )

    it(`${kind}: not with a list or a word as its context`, () => {
      const { version } = kinds[kind]
      for (const context of [[], 'word', null])
        expect(() => decodeSnapshot(kind, version, { value: snapshot.value, context })).toThrow()
    })
  }

  it('a number is no text, a text no number, and null only where nothing may be', () => {
    const decode = (path: Path, value: unknown) => () => decodeSnapshot('overlay', 1, broken(full.overlay, path, value))
    expect(decode(['graphics', 'a', 'seq'], '2')).toThrow('graphics.a.seq')
    expect(decode(['graphics', 'a', 'url'], 2)).toThrow('graphics.a.url')
    expect(decode(['graphics', 'a', 'values'], null)).toThrow('graphics.a.values')
    expect(decode(['graphics', 'a', 'kind'], 'flash')).toThrow('graphics.a.kind')
    expect(decode(['graphics', 'a', 'values', 'title'], null)).not.toThrow()
  })

  it('a snapshot of an older version is judged as what its migrations made of it', () => {
    const { upload: _, ...older } = full['graphic-lock'].context
    expect(() => decodeSnapshot('graphic-lock', 1, { value: 'held', context: older })).not.toThrow()
    expect(() => decodeSnapshot('graphic-lock', 2, { value: 'held', context: older })).toThrow('upload')
    const { edit: __, ...lacking } = older
    expect(() => decodeSnapshot('graphic-lock', 1, { value: 'held', context: lacking })).toThrow('edit')
  })
})
