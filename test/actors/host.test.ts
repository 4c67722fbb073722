import { randomUUID } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { GraphicLockCommand } from '../../machines/graphic-lock.ts'
import type { OverlayCommand, Shown } from '../../machines/overlay.ts'
import type { Ask, Unstamped } from '../../src/actors/ask.ts'
import { ActorHost } from '../../src/actors/host.ts'
import { type Change, CommitUnknown, type Journal, type Ref } from '../../src/actors/journal.ts'
import { repairActors } from '../../src/actors/repair.ts'
import { newActor } from '../../src/actors/rows.ts'
import { invalid, notOnAir } from '../../src/errors.ts'
import type { IdempotencyClaim } from '../../src/principal.ts'
import { createPostgresJournal } from '../../src/store/journal-postgres.ts'
import { connectDatabase } from '../../src/store/postgres.ts'
import { testContext } from '../support/context.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

setFlagsFromString('--expose-gc')
/** What nobody holds goes, so that a test can see whether somebody does. */
const collectGarbage: () => void = runInNewContext('gc')

const silent = { warn: () => {}, error: () => {} }
const ORGANIZATION = 7
const ctx = () => testContext(ORGANIZATION)

const graphic = (n: number, values: Shown['values'] = {}): Shown => ({
  graphicId: `g${n}`,
  graphicName: `Graphic ${n}`,
  kind: 'code',
  version: 1,
  url: '/bundles/x/index.html',
  themeId: 1,
  themeVersion: 1,
  roomId: 1,
  sectionId: 'a',
  presetId: n,
  values,
})

const ask = (command: Unstamped<OverlayCommand>): Ask<'overlay', string[]> => ({
  asked: { type: command.type },
  decide: () => command,
  reply: ({ graphics }) => Object.keys(graphics).sort(),
  refused: () => notOnAir(),
})
const show = (n: number, values?: Shown['values']) => ask({ type: 'show', graphic: graphic(n, values) })
const update = (n: number, values: Shown['values']) =>
  ask({ type: 'update', graphicId: `g${n}`, presetId: n, sectionId: 'a', values })

const holder = { userName: 'Ann', type: 'person', token: 'ann' } as const
const lock = (command: Unstamped<GraphicLockCommand>): Ask<'graphic-lock', boolean> => ({
  asked: { type: command.type },
  decide: () => command,
  reply: (state) => state.holder !== null,
  refused: () => notOnAir(),
})

/** Lets a test decide what becomes of commits. */
class Faults implements Journal {
  readonly real: Journal
  /** Runs instead of the next commit, with the real one at hand. */
  next:
    | ((changes: readonly Change[], real: () => ReturnType<Journal['commit']>) => ReturnType<Journal['commit']>)
    | undefined
  commits: Change[][] = []
  constructor(real: Journal) {
    this.real = real
  }
  claim = (ref: Ref) => this.real.claim(ref)
  peek = (ref: Ref) => this.real.peek(ref)
  create: Journal['create'] = (...row) => this.real.create(...row)
  find: Journal['find'] = (...row) => this.real.find(...row)
  holds: Journal['holds'] = (...row) => this.real.holds(...row)
  dueTimer: Journal['dueTimer'] = (...row) => this.real.dueTimer(...row)
  dropTimer: Journal['dropTimer'] = (...row) => this.real.dropTimer(...row)
  all: Journal['all'] = (ref) => this.real.all(ref)
  facts: Journal['facts'] = (ref) => this.real.facts(ref)
  replace: Journal['replace'] = (...row) => this.real.replace(...row)
  commit(changes: readonly Change[]) {
    this.commits.push([...changes])
    const fault = this.next
    this.next = undefined
    return fault ? fault(changes, () => this.real.commit(changes)) : this.real.commit(changes)
  }
  commitAlone(change: Change) {
    this.commits.push([change])
    return this.real.commitAlone(change)
  }
}

describe('the actor host on PostgreSQL', () => {
  let database: TestDatabase
  let real: ReturnType<typeof createPostgresJournal>
  let journal: Faults
  let host: ActorHost
  let published: { ref: Ref; seq: number; types: string[] }[]
  let nextId = 0

  const newHost = () =>
    new ActorHost({
      journal,
      publish: (ref, seq, events) => published.push({ ref, seq, types: events.map(({ type }) => type) }),
      log: silent,
      idleMs: 60_000,
    })
  const newOverlay = async () => {
    const id = ++nextId
    const { machineVersion, snapshot } = newActor('overlay')
    await real.create(`overlay/${id}`, ORGANIZATION, machineVersion, snapshot)
    return id
  }
  const timerOf = async (graphicId: string) => {
    const [timer] = await database.sql<{ name: string }[]>`
      select name from timer where ref = ${`graphic-lock/${graphicId}`}`
    return timer?.name ?? ''
  }
  const rows = (id: number) =>
    database.sql<{ seq: number; command: { type: string }; events: { type: string }[] }[]>`
      select seq, command, events from journal where ref = ${`overlay/${id}`} order by seq`

  beforeAll(async () => {
    database = await testDatabase()
    real = createPostgresJournal({
      connect: () => connectDatabase(database.url, { connections: 1 }).sql,
      sql: database.sql,
      secrets: database.db.secrets,
    })
    journal = new Faults(real)
    published = []
    host = newHost()
  })
  afterAll(async () => {
    await host.close()
    await real.close()
    await database.drop()
  })

  it('[live-path 1] a command moves seq, journal and snapshot together, then answers', async () => {
    const id = await newOverlay()
    expect(await host.send(ctx(), 'overlay', id, show(1))).toEqual(['g1'])
    const [actor] = await database.sql`select seq, snapshot from actor where ref = ${`overlay/${id}`}`
    expect(actor).toMatchObject({
      seq: 1,
      snapshot: { value: 'onAir', context: { graphics: { g1: { seq: 1, loadSeq: 1 } } } },
    })
    expect(await rows(id)).toMatchObject([{ seq: 1, command: { type: 'show' }, events: [{ type: 'graphic.shown' }] }])
  })

  it('[live-path 3] commands of one turn fold into one actor row, each with its own seq and answer', async () => {
    const id = await newOverlay()
    await host.send(ctx(), 'overlay', id, show(1))
    journal.commits = []
    const answers = await Promise.all([2, 3, 4].map((n) => host.send(ctx(), 'overlay', id, show(n))))
    expect(answers).toEqual([
      ['g1', 'g2'],
      ['g1', 'g2', 'g3'],
      ['g1', 'g2', 'g3', 'g4'],
    ])
    expect(journal.commits.flat()).toHaveLength(1)
    expect((await rows(id)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
  })

  it('[live-path 3] a refusal judged on a tentative state waits for its commit; a no-op takes no seq', async () => {
    const id = await newOverlay()
    const order: string[] = []
    const shown = host.send(ctx(), 'overlay', id, show(1)).then(() => order.push('shown'))
    const refused = host.send(ctx(), 'overlay', id, update(9, {})).catch((error) => order.push(error.kind))
    const nothing = host
      .send(ctx(), 'overlay', id, ask({ type: 'hide', graphicId: 'g9' }))
      .then(() => order.push('nothing'))
    await Promise.all([shown, refused, nothing])
    expect(order).toEqual(['shown', 'notOnAir', 'nothing'])
    expect(await host.read('overlay', id)).toMatchObject({ seq: 1 })
  })

  it('[live-path 1] another owner fences: the command runs again on the state that is there', async () => {
    const id = await newOverlay()
    await host.send(ctx(), 'overlay', id, show(1))
    const other = newHost()
    await other.send(ctx(), 'overlay', id, show(2))
    expect(await host.send(ctx(), 'overlay', id, show(3))).toEqual(['g1', 'g2', 'g3'])
    expect((await rows(id)).map(({ seq }) => seq)).toEqual([1, 2, 3])
    await other.close()
  })

  it.each([
    ['happened', true],
    ['did not happen', false],
  ])('[live-path 5] a commit whose answer was lost and that %s is settled, once', async (_, happened) => {
    const id = await newOverlay()
    await host.send(ctx(), 'overlay', id, show(1))
    published.length = 0
    journal.next = async (_changes, commit) => {
      if (happened) await commit()
      throw new CommitUnknown('cut')
    }
    const answers = await Promise.all([
      host.send(ctx(), 'overlay', id, show(2)),
      host.send(ctx(), 'overlay', id, update(9, {})).catch((error) => error.kind),
    ])
    expect(answers).toEqual([['g1', 'g2'], 'notOnAir'])
    expect((await rows(id)).map(({ seq }) => seq)).toEqual([1, 2])
    expect(published).toEqual([{ ref: `overlay/${id}`, seq: 2, types: ['graphic.shown'] }])
  })

  it('[live-path 5] while the outcome is open the caller gets 503 within 2 s, and the actor goes on afterwards', async () => {
    const id = await newOverlay()
    await host.send(ctx(), 'overlay', id, show(1))
    const claim = journal.claim
    onTestFinished(() => {
      journal.claim = claim
    })
    journal.claim = () => Promise.reject(new Error('down'))
    journal.next = () => Promise.reject(new CommitUnknown('cut'))
    const startedMs = performance.now()
    await expect(host.send(ctx(), 'overlay', id, show(2))).rejects.toMatchObject({ status: 503 })
    expect(performance.now() - startedMs).toBeLessThan(2_500)
    journal.claim = claim
    expect(await host.send(ctx(), 'overlay', id, show(3))).toEqual(['g1', 'g3'])
  })

  it('[live-path 4] a row that the database refuses hurts only its own command', async () => {
    const [good, bad] = [await newOverlay(), await newOverlay()]
    await Promise.all([host.send(ctx(), 'overlay', good, show(1)), host.send(ctx(), 'overlay', bad, show(1))])
    const [a, b, c, d] = await Promise.allSettled([
      host.send(ctx(), 'overlay', good, show(2)),
      host.send(ctx(), 'overlay', bad, show(2)),
      // not a uuid: the statement fails
      host.send({ ...ctx(), commandId: 'nonsense' }, 'overlay', bad, show(3)),
      host.send(ctx(), 'overlay', bad, show(4)),
    ])
    expect(a).toMatchObject({ status: 'fulfilled', value: ['g1', 'g2'] })
    expect(b).toMatchObject({ status: 'fulfilled', value: ['g1', 'g2'] })
    expect(c).toMatchObject({ status: 'rejected', reason: { status: 500 } })
    expect(d).toMatchObject({ status: 'fulfilled', value: ['g1', 'g2', 'g4'] })
    expect((await rows(bad)).map(({ seq }) => seq)).toEqual([1, 2, 3])
  })

  it('[live-path 3] a decision that has to wait keeps the order of the mailbox and sees the state before it', async () => {
    const id = await newOverlay()
    const seen: string[][] = []
    const slow: Ask<'overlay', string[]> = {
      ...show(2),
      decide: async ({ graphics }) => {
        seen.push(Object.keys(graphics))
        await new Promise((resolve) => setImmediate(resolve))
        return { type: 'show', graphic: graphic(2) }
      },
    }
    const answers = await Promise.all([
      host.send(ctx(), 'overlay', id, show(1)),
      host.send(ctx(), 'overlay', id, slow),
      host.send(ctx(), 'overlay', id, show(3)),
    ])
    expect(seen).toEqual([['g1']])
    expect(answers[2]).toEqual(['g1', 'g2', 'g3'])
  })

  it('[P4] a repeated request whose first run turns out to be committed is told so, and does nothing', async () => {
    const id = await newOverlay()
    const claim = (): IdempotencyClaim => ({
      key: `repeated-${id}`,
      method: 'POST',
      path: '/graphics',
      bodyHash: Buffer.from('same'),
      stored: false,
      taken: false,
      plain: false,
      encode: () => ({ status: 200, body: '{}' }),
    })
    await host.send({ ...ctx(), idempotency: claim() }, 'overlay', id, show(1))
    const again = claim()
    const repeated = host.send({ ...ctx(), idempotency: again }, 'overlay', id, show(1))
    await expect(repeated).rejects.toMatchObject({ status: 503 })
    expect(again.taken).toBe(true)
    expect(await host.send(ctx(), 'overlay', id, show(2))).toEqual(['g1', 'g2'])
    expect(await rows(id)).toHaveLength(2)
  })

  it('an error in a decision leaves the state as it was', async () => {
    const id = await newOverlay()
    const broken = {
      ...show(1),
      decide: () => {
        throw invalid({ 'body.presetId': { message: 'unknown' } })
      },
    }
    await expect(host.send(ctx(), 'overlay', id, broken)).rejects.toMatchObject({ status: 400 })
    expect(await host.send(ctx(), 'overlay', id, show(2))).toEqual(['g2'])
  })

  it('what one command needs and does not get keeps nobody after it from running', async () => {
    const id = await newOverlay()
    await host.send(ctx(), 'overlay', id, show(1))
    let got = (_: Unstamped<OverlayCommand>) => {}
    const late = new Promise<Unstamped<OverlayCommand>>((resolve) => {
      got = resolve
    })
    const asked = performance.now()
    const stuck = host.send(ctx(), 'overlay', id, { ...show(2), decide: () => late }).catch((error) => error)
    // as an operator who hides everything when nothing appears
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(await host.send(ctx(), 'overlay', id, ask({ type: 'hideAll' }))).toEqual([])
    expect(performance.now() - asked).toBeLessThan(4_000)
    expect(await stuck).toMatchObject({ status: 503 })
    const next = host.send(ctx(), 'overlay', id, {
      ...show(3),
      decide: async () => {
        got({ type: 'show', graphic: graphic(2) })
        await late
        return { type: 'show', graphic: graphic(3) }
      },
    })
    expect(await next).toEqual(['g3'])
    expect((await rows(id)).map(({ command }) => command.type)).toEqual(['show', 'hideAll', 'show'])
  })

  it('an actor of another organization is refused, one that does not exist is not found', async () => {
    const id = await newOverlay()
    await expect(host.send(testContext(8), 'overlay', id, show(1))).rejects.toMatchObject({ status: 403 })
    await expect(host.send(ctx(), 'overlay', 999_999, show(1))).rejects.toMatchObject({ status: 404 })
  })

  it('[live-path 9] a snapshot that cannot be read answers 503 and is named, until it is repaired', async () => {
    const id = await newOverlay()
    await host.send(ctx(), 'overlay', id, show(1))
    host.forget(`overlay/${id}`)
    await database.sql`update actor set snapshot = '{"value":"gone","context":{}}' where ref = ${`overlay/${id}`}`
    await expect(host.send(ctx(), 'overlay', id, show(1))).rejects.toMatchObject({ status: 503 })
    expect(host.quarantined()).toContain(`overlay/${id}`)
    expect(await repairActors(real)).toMatchObject({ repaired: [`overlay/${id}`], failed: [] })
    expect(await host.read('overlay', id)).toMatchObject({ seq: 1 })
    expect(host.quarantined()).not.toContain(`overlay/${id}`)
    expect(await host.send(ctx(), 'overlay', id, show(2))).toEqual(['g1', 'g2'])
  })

  it('an idle actor leaves memory and wakes with what was committed', async () => {
    const id = await newOverlay()
    const sleepy = new ActorHost({ journal, publish: () => {}, log: silent, idleMs: 50 })
    await sleepy.send(ctx(), 'overlay', id, show(1))
    await expect.poll(() => sleepy.awake).toBe(0)
    expect(await sleepy.read('overlay', id)).toMatchObject({ seq: 1 })
    expect(await sleepy.send(ctx(), 'overlay', id, show(2))).toEqual(['g1', 'g2'])
    await sleepy.close()
  })

  it('[live-path 5] what was folded but not sent when its caller heard 503 never runs, what came after it does', async () => {
    const [slow, held] = [await newOverlay(), await newOverlay()]
    await Promise.all([host.send(ctx(), 'overlay', slow, show(1)), host.send(ctx(), 'overlay', held, show(1))])
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    journal.next = async (_changes, commit) => {
      await released
      return commit()
    }
    const before = host.send(ctx(), 'overlay', slow, show(2)).catch(() => {})
    await expect.poll(() => journal.next).toBeUndefined()
    await expect(host.send(ctx(), 'overlay', held, show(2))).rejects.toMatchObject({ status: 503 })
    const after = host.send(ctx(), 'overlay', held, show(3))
    release()
    expect(await after).toEqual(['g1', 'g3'])
    await before
    expect(await rows(held)).toMatchObject([{ seq: 1 }, { seq: 2, events: [{ graphic: { graphicId: 'g3' } }] }])
  })

  it('[P9] what callers no longer wait for is not kept while an actor is frozen', async () => {
    const id = await newOverlay()
    await host.send(ctx(), 'overlay', id, show(1))
    const claim = journal.claim
    onTestFinished(() => {
      journal.claim = claim
    })
    journal.claim = () => Promise.reject(new Error('down'))
    journal.next = () => Promise.reject(new CommitUnknown('cut'))
    const lost = host.send(ctx(), 'overlay', id, show(2)).catch(() => {})
    await expect.poll(() => journal.next).toBeUndefined()
    const collected: number[] = []
    const registry = new FinalizationRegistry<number>((n) => collected.push(n))
    const given = (n: number) => {
      const one = show(n)
      registry.register(one, n)
      return host.send(ctx(), 'overlay', id, one).catch(() => {})
    }
    await Promise.all([given(3), given(4), lost])
    await expect
      .poll(() => {
        collectGarbage()
        return collected.sort()
      })
      .toEqual([3, 4])
    journal.claim = claim
    expect(await host.send(ctx(), 'overlay', id, show(5))).toEqual(['g1', 'g5'])
  })

  it('[live-path 3] a refusal decided on a state that was taken back is decided again, in its place', async () => {
    const id = await newOverlay()
    await host.send(ctx(), 'overlay', id, show(1))
    let decide = () => {}
    const decidable = new Promise<void>((resolve) => {
      decide = resolve
    })
    const seen: string[][] = []
    const slowUpdate: Ask<'overlay', string[]> = {
      ...update(1, { a: 1 }),
      decide: async ({ graphics }) => {
        seen.push(Object.keys(graphics))
        await decidable
        if (!('g1' in graphics)) throw notOnAir()
        return { type: 'update', graphicId: 'g1', presetId: 1, sectionId: 'a', values: { a: 1 } }
      },
    }
    // not a uuid: the database refuses the hide, so the graphic stays on air
    const hide = host.send({ ...ctx(), commandId: 'nonsense' }, 'overlay', id, ask({ type: 'hide', graphicId: 'g1' }))
    const refused = hide.catch(() => decide())
    const updated = host.send(ctx(), 'overlay', id, slowUpdate)
    const last = host.send(ctx(), 'overlay', id, show(2))
    await refused
    expect(await updated).toEqual(['g1'])
    expect(await last).toEqual(['g1', 'g2'])
    expect(seen).toEqual([[], ['g1']])
  })

  it('[P6] a timer that is due while its renewal is being committed does not end what was renewed', async () => {
    const graphicId = randomUUID()
    await host.send(ctx(), 'graphic-lock', graphicId, lock({ type: 'acquire', holder, claim: 'edit', ttlMs: 1 }))
    const timer = await timerOf(graphicId)
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    journal.next = async (_changes, commit) => {
      await released
      return commit()
    }
    const dueTimer = journal.dueTimer
    onTestFinished(() => {
      journal.dueTimer = dueTimer
    })
    // whoever looks at the timer before the renewal is durable finds the old deadline
    journal.dueTimer = async (...row) => {
      const due = await dueTimer(...row)
      release()
      return due
    }
    const renewed = host.send(ctx(), 'graphic-lock', graphicId, lock({ type: 'renew', holder, ttlMs: 60_000 }))
    const fired = host.fire(`graphic-lock/${graphicId}`, timer)
    await expect.poll(() => journal.next).toBeUndefined()
    setTimeout(release, 50)
    expect(await renewed).toBe(true)
    await fired
    expect((await host.read('graphic-lock', graphicId))?.context.holder).toEqual(holder)
  })

  it('[P6] a deadline that passes right after it was looked at is not lost', async () => {
    const graphicId = randomUUID()
    await host.send(ctx(), 'graphic-lock', graphicId, lock({ type: 'acquire', holder, claim: 'edit', ttlMs: 60_000 }))
    const timer = await timerOf(graphicId)
    const { dueTimer } = journal
    onTestFinished(() => {
      journal.dueTimer = dueTimer
    })
    journal.dueTimer = async (...row) => {
      const due = await dueTimer(...row)
      await database.sql`update timer set due_at = clock_timestamp() where ref = ${`graphic-lock/${graphicId}`}`
      return due
    }
    await host.fire(`graphic-lock/${graphicId}`, timer)
    await host.fire(`graphic-lock/${graphicId}`, timer)
    expect((await host.read('graphic-lock', graphicId))?.context.holder).toBeNull()
  })

  it('a listener that fails takes nobody its answer', async () => {
    const [bad, good] = [await newOverlay(), await newOverlay()]
    const publish = (ref: Ref) => {
      if (ref === `overlay/${bad}`) throw new Error('a listener failed')
    }
    const failing = new ActorHost({ journal, publish, log: silent, idleMs: 60_000 })
    await Promise.all([failing.send(ctx(), 'overlay', bad, show(1)), failing.send(ctx(), 'overlay', good, show(1))])
    expect(
      await Promise.all([failing.send(ctx(), 'overlay', bad, show(2)), failing.send(ctx(), 'overlay', good, show(2))]),
    ).toEqual([
      ['g1', 'g2'],
      ['g1', 'g2'],
    ])
    await failing.close()
  })

  it('[live-path 6] the fold of the journal equals the snapshot', async () => {
    const { fold } = await import('../../machines/overlay.ts')
    const id = await newOverlay()
    await Promise.all(
      [show(1), show(2, { a: 1 }), update(2, { a: 2 }), ask({ type: 'hideAll' }), show(3), update(3, { b: 'x' })].map(
        (one) => host.send(ctx(), 'overlay', id, one),
      ),
    )
    const events = (await rows(id)).flatMap((row) => row.events) as Parameters<typeof fold>[1][]
    const replayed = events.reduce(fold, { graphics: {}, revisions: {} })
    expect((await host.read('overlay', id))?.context).toEqual(replayed)
  })
})
