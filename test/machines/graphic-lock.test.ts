import { describe, expect, it } from 'vitest'
import { createActor, initialTransition, transition } from 'xstate'
import type { Decided } from '../../machines/decided.ts'
import {
  type Claim,
  FREE,
  foldLock,
  type GraphicLock,
  type GraphicLockCommand,
  type GraphicLockEvent,
  graphicLockMachine,
  type Holder,
  LOCK_TTL_MS,
} from '../../machines/graphic-lock.ts'
import { decodeSnapshot } from '../../src/actors/rows.ts'

type Unstamped<C = GraphicLockCommand> = C extends unknown ? Omit<C, 'seq'> : never

const ann: Holder = { userName: 'Ann', type: 'person', token: 'ann-1' }
const bob: Holder = { userName: 'Bob', type: 'person', token: 'bob-1' }
const key: Holder = { userName: 'API key feed', type: 'key', token: '7' }
const [initial] = initialTransition(graphicLockMachine)

const acquire = (holder: Holder, claim: Claim = 'edit', ttlMs = LOCK_TTL_MS): Unstamped => ({
  type: 'acquire',
  holder,
  claim,
  ttlMs,
})
const renew = (holder: Holder): Unstamped => ({ type: 'renew', holder, ttlMs: LOCK_TTL_MS })
const release = (holder: Holder, claim: Claim = 'edit'): Unstamped => ({ type: 'release', holder, claim })
const stamped = (command: Unstamped, seq = 1): GraphicLockCommand => ({ ...command, seq })

type Effect = { type: string; params: { event?: Decided<GraphicLockEvent>; delay?: number; id?: string } }

/** One step, with its effects as the host reads them. */
function step(from: typeof initial, command: GraphicLockCommand) {
  const [snapshot, actions] = transition(graphicLockMachine, from, command)
  return { snapshot, effects: actions as unknown as Effect[] }
}

function run(commands: readonly Unstamped[], from = initial) {
  let snapshot = from
  let effects: Effect[] = []
  const facts: GraphicLockEvent[] = []
  for (const [index, command] of commands.entries()) {
    const asked = stamped(command, index + 1)
    if (!snapshot.can(asked)) throw new Error(`refused: ${JSON.stringify(command)}`)
    const taken = step(snapshot, asked)
    snapshot = taken.snapshot
    effects = taken.effects
    for (const { type, params } of effects)
      if (type === 'xstate.emit' && params.event) facts.push(...params.event.facts)
  }
  return { snapshot, effects, facts, kinds: effects.map(({ type }) => type) }
}

const states = {
  free: [],
  'held by Ann': [acquire(ann)],
  'held by a write of the key': [acquire(key, 'write')],
  'held by an upload of the key': [acquire(key, 'upload')],
  'held by an upload and a write of the key': [acquire(key, 'upload'), acquire(key, 'write')],
  'open by the key, with an upload': [acquire(key), acquire(key, 'upload')],
} satisfies Record<string, Unstamped[]>

describe('the lock of a graphic, state by state', () => {
  it.each([
    ['free', 'acquire by Ann', acquire(ann), 'held', 'Ann'],
    ['free', 'renew by Ann', renew(ann), 'refused', null],
    ['free', 'release by Ann', release(ann), 'free', null],
    ['held by Ann', 'acquire by Ann', acquire(ann), 'held', 'Ann'],
    ['held by Ann', 'acquire by Bob', acquire(bob), 'refused', 'Ann'],
    ['held by Ann', 'acquire by a key', acquire(key, 'write'), 'refused', 'Ann'],
    ['held by Ann', 'renew by Ann', renew(ann), 'held', 'Ann'],
    ['held by Ann', 'renew by Bob', renew(bob), 'refused', 'Ann'],
    ['held by Ann', 'release by Ann', release(ann), 'free', null],
    ['held by Ann', 'release by Bob', release(bob), 'refused', 'Ann'],
    ['held by a write of the key', 'acquire by Ann', acquire(ann), 'refused', 'API key feed'],
    ['held by a write of the key', 'acquire by the key', acquire(key), 'held', 'API key feed'],
    ['held by a write of the key', 'renew by the key', renew(key), 'held', 'API key feed'],
    ['held by a write of the key', 'release of the write', release(key, 'write'), 'free', null],
    ['held by a write of the key', 'release of an upload', release(key, 'upload'), 'held', 'API key feed'],
    ['free', 'upload of the key', acquire(key, 'upload'), 'held', 'API key feed'],
    ['free', 'release of an upload', release(key, 'upload'), 'free', null],
    ['held by Ann', 'upload of the key', acquire(key, 'upload'), 'refused', 'Ann'],
    ['held by Ann', 'release of an upload by the key', release(key, 'upload'), 'refused', 'Ann'],
    ['held by an upload of the key', 'acquire by Ann', acquire(ann), 'refused', 'API key feed'],
    ['held by an upload of the key', 'write by Bob', acquire(bob, 'write'), 'refused', 'API key feed'],
    ['held by an upload of the key', 'upload of the key', acquire(key, 'upload'), 'held', 'API key feed'],
    ['held by an upload of the key', 'write of the key', acquire(key, 'write'), 'held', 'API key feed'],
    ['held by an upload of the key', 'renew by the key', renew(key), 'held', 'API key feed'],
    ['held by an upload of the key', 'release of a write', release(key, 'write'), 'held', 'API key feed'],
    ['held by an upload of the key', 'release of the upload', release(key, 'upload'), 'free', null],
    ['held by an upload of the key', 'release of the whole graphic', release(key), 'free', null],
    ['held by an upload of the key', 'release of the upload by Ann', release(ann, 'upload'), 'refused', 'API key feed'],
    [
      'held by an upload and a write of the key',
      'release of the upload',
      release(key, 'upload'),
      'held',
      'API key feed',
    ],
    ['held by an upload and a write of the key', 'release of the write', release(key, 'write'), 'held', 'API key feed'],
    ['open by the key, with an upload', 'release of the upload', release(key, 'upload'), 'held', 'API key feed'],
    ['open by the key, with an upload', 'release of the whole graphic', release(key), 'free', null],
  ] as const)('%s: %s -> %s', (state, _title, command, expected, holder) => {
    const { snapshot } = run(states[state])
    if (expected === 'refused') {
      expect(snapshot.can(stamped(command))).toBe(false)
      expect(snapshot.context.holder?.userName ?? null).toBe(holder)
      return
    }
    const after = run([command], snapshot).snapshot
    expect(after.value).toBe(expected)
    expect(after.context.holder?.userName ?? null).toBe(holder)
  })

  it('a person with the token of a key is another holder', () => {
    const { snapshot } = run([acquire(key)])
    expect(snapshot.can(stamped(acquire({ ...key, type: 'person' })))).toBe(false)
  })
})

describe('a hold and its claims', () => {
  it('a write inside an explicit lock leaves the lock to its holder', () => {
    const { snapshot } = run([acquire(key), acquire(key, 'write'), release(key, 'write')])
    expect(snapshot.value).toBe('held')
    expect(snapshot.context).toMatchObject({ edit: true, writes: 0 })
  })

  it('of two writes at once by one key the last to end frees the graphic', () => {
    const both = [acquire(key, 'write'), acquire(key, 'write'), release(key, 'write')]
    expect(run(both).snapshot.value).toBe('held')
    expect(run([...both, release(key, 'write')]).snapshot.value).toBe('free')
  })

  it('a short write never shortens the time of an explicit lock', () => {
    const { effects } = run([acquire(key), acquire(key, 'write', 30_000)])
    expect(effects.find(({ type }) => type === 'xstate.raise')?.params.delay).toBe(LOCK_TTL_MS)
  })

  it('[op.21] the bundle that ends an upload frees the graphic with its write, unless its key has it open', () => {
    const bundle = [acquire(key, 'write'), release(key, 'upload'), release(key, 'write')]
    expect(run([acquire(key, 'upload'), ...bundle]).snapshot.value).toBe('free')
    const { snapshot } = run([acquire(key), acquire(key, 'upload'), ...bundle])
    expect(snapshot.context).toMatchObject({ edit: true, upload: false, writes: 0 })
  })

  it('a release of something not claimed frees nobody else', () => {
    const { snapshot } = run([acquire(key), release(key, 'write')])
    expect(snapshot.context).toMatchObject({ edit: true, writes: 0 })
  })
})

describe('the time of a hold', () => {
  // the host feeds the timer row's event, which no command type names
  const due = { type: 'xstate.after.ttl.graphic-lock.held' } as unknown as GraphicLockCommand

  it('[P6] acquire yields the expiry as data: an event, its id and the delay of the command', () => {
    const { effects } = run([acquire(ann, 'edit', 1500)])
    const raise = effects.find(({ type }) => type === 'xstate.raise')
    expect(raise?.params).toMatchObject({ event: due, id: due.type, delay: 1500 })
  })

  it.each([acquire(ann), renew(ann)])(
    '[P6] $type by the holder cancels the old expiry and starts the time anew',
    (again) => {
      const { kinds } = run([acquire(ann), again])
      expect(kinds).toContain('xstate.cancel')
      expect(kinds.indexOf('xstate.raise')).toBeGreaterThan(kinds.indexOf('xstate.cancel'))
    },
  )

  it('[P6] a release cancels the expiry', () => {
    const { kinds } = run([acquire(ann), release(ann)])
    expect(kinds).toContain('xstate.cancel')
    expect(kinds).not.toContain('xstate.raise')
  })

  it('the expiry frees the graphic whatever was claimed and says whose hold it was', () => {
    const { snapshot, effects } = step(run([acquire(key), acquire(key, 'write')]).snapshot, due)
    expect(snapshot.value).toBe('free')
    expect(snapshot.context).toEqual(FREE)
    const emitted = effects.find(({ type }) => type === 'xstate.emit')
    expect(emitted?.params.event?.facts).toEqual([{ type: 'lock.expired', holder: key }])
  })

  it('an expiry that comes late changes nothing', () => {
    const { snapshot } = run([acquire(ann), release(ann)])
    expect(step(snapshot, due).snapshot).toBe(snapshot)
  })

  it('a release after the hold expired is allowed and does nothing', () => {
    const { snapshot, facts } = run([release(key, 'write')])
    expect(snapshot.value).toBe('free')
    expect(facts).toEqual([])
  })
})

describe('a lock in the journal', () => {
  const commands = [
    acquire(key),
    acquire(key, 'write'),
    acquire(key, 'upload'),
    renew(key),
    release(key, 'write'),
    release(key, 'upload'),
    release(key),
    acquire(bob),
  ]

  it('[P3] a snapshot of version 1, which knew no uploads, goes on as it was', () => {
    const ttlMs = LOCK_TTL_MS
    const held = { value: 'held', context: { holder: key, ttlMs, edit: true, writes: 1 } }
    const restored = decodeSnapshot('graphic-lock', 1, held)
    expect([restored.value, restored.context]).toEqual([
      'held',
      { holder: key, ttlMs, edit: true, upload: false, writes: 1 },
    ])
    expect(run([release(key, 'write'), release(key)], restored as typeof initial).snapshot.context).toEqual(FREE)
    const free = { value: 'free', context: { holder: null, ttlMs: 0, edit: false, writes: 0 } }
    expect(decodeSnapshot('graphic-lock', 1, free).context).toEqual(FREE)
  })

  it('[P3] the state is the fold of its events', () => {
    const { snapshot, facts } = run(commands)
    expect(facts).toHaveLength(commands.length)
    expect(facts.reduce(foldLock, FREE as GraphicLock)).toEqual(snapshot.context)
  })

  it('[P3] a persisted snapshot goes on where it stopped', () => {
    for (let cut = 0; cut <= commands.length; cut++) {
      const { snapshot } = run(commands.slice(0, cut))
      const persisted = createActor(graphicLockMachine, { snapshot }).getPersistedSnapshot()
      const restored = createActor(graphicLockMachine, {
        snapshot: JSON.parse(JSON.stringify(persisted)),
      }).getSnapshot()
      const after = run(commands.slice(cut), restored).snapshot
      expect(after.value).toBe('held')
      expect(after.context).toEqual(run(commands).snapshot.context)
    }
  })
})
