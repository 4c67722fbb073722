import { randomUUID } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { GraphicLockCommand } from '../../machines/graphic-lock.ts'
import type { Unstamped } from '../../machines/transition.ts'
import type { Ask } from '../../src/actors/ask.ts'
import { CommitUnknown } from '../../src/actors/journal.ts'
import { notOnAir } from '../../src/errors.ts'
import { ask, ctx, hostWorld, show, update } from '../support/host-world.ts'

setFlagsFromString('--expose-gc')
/** What nobody holds goes, so that a test can see whether somebody does. */
const collectGarbage: () => void = runInNewContext('gc')

const holder = { userName: 'Ann', type: 'person', token: 'ann' } as const
const lock = (command: Unstamped<GraphicLockCommand>): Ask<'graphic-lock', boolean> => ({
  asked: { type: command.type },
  decide: () => command,
  reply: (state) => state.holder !== null,
  refused: () => notOnAir(),
})

describe('the actor host, while a commit fails, is lost or takes its time', () => {
  let world: Awaited<ReturnType<typeof hostWorld>>
  beforeAll(async () => {
    world = await hostWorld()
  })
  afterAll(() => world.close())
  const timerOf = async (graphicId: string) => {
    const [timer] = await world.database.sql<{ name: string }[]>`
      select name from timer where ref = ${`graphic-lock/${graphicId}`}`
    return timer?.name ?? ''
  }
  /** The answer of the next commit is lost, and no actor can be claimed until the database is back. */
  const loseDatabase = () => {
    const { claim } = world.journal
    const back = () => {
      world.journal.claim = claim
    }
    onTestFinished(back)
    world.journal.claim = () => Promise.reject(new Error('down'))
    world.journal.next = () => Promise.reject(new CommitUnknown('cut'))
    return back
  }

  it('[live-path 1] another owner fences: the command runs again on the state that is there', async () => {
    const id = await world.newOverlay()
    await world.host.send(ctx(), 'overlay', id, show(1))
    const other = world.newHost()
    await other.send(ctx(), 'overlay', id, show(2))
    expect(await world.host.send(ctx(), 'overlay', id, show(3))).toEqual(['g1', 'g2', 'g3'])
    expect((await world.rows(id)).map(({ seq }) => seq)).toEqual([1, 2, 3])
    await other.close()
  })

  it.each([
    ['happened', true],
    ['did not happen', false],
  ])('[live-path 5] a commit whose answer was lost and that %s is settled, once', async (_, happened) => {
    const id = await world.newOverlay()
    await world.host.send(ctx(), 'overlay', id, show(1))
    world.published.length = 0
    world.journal.next = async (_changes, commit) => {
      if (happened) await commit()
      throw new CommitUnknown('cut')
    }
    const answers = await Promise.all([
      world.host.send(ctx(), 'overlay', id, show(2)),
      world.host.send(ctx(), 'overlay', id, update(9, {})).catch((error) => error.kind),
    ])
    expect(answers).toEqual([['g1', 'g2'], 'notOnAir'])
    expect((await world.rows(id)).map(({ seq }) => seq)).toEqual([1, 2])
    expect(world.published).toEqual([{ ref: `overlay/${id}`, seq: 2, types: ['graphic.shown'] }])
  })

  it('[live-path 5] while the outcome is open the caller gets 503 within 2 s, and the actor goes on afterwards', async () => {
    const id = await world.newOverlay()
    await world.host.send(ctx(), 'overlay', id, show(1))
    const back = loseDatabase()
    const startedMs = performance.now()
    await expect(world.host.send(ctx(), 'overlay', id, show(2))).rejects.toMatchObject({ status: 503 })
    expect(performance.now() - startedMs).toBeLessThan(2_500)
    back()
    expect(await world.host.send(ctx(), 'overlay', id, show(3))).toEqual(['g1', 'g3'])
  })

  it('[live-path 4] a row that the database refuses hurts only its own command', async () => {
    const [good, bad] = [await world.newOverlay(), await world.newOverlay()]
    await Promise.all([
      world.host.send(ctx(), 'overlay', good, show(1)),
      world.host.send(ctx(), 'overlay', bad, show(1)),
    ])
    const [a, b, c, d] = await Promise.allSettled([
      world.host.send(ctx(), 'overlay', good, show(2)),
      world.host.send(ctx(), 'overlay', bad, show(2)),
      // not a uuid: the statement fails
      world.host.send({ ...ctx(), commandId: 'nonsense' }, 'overlay', bad, show(3)),
      world.host.send(ctx(), 'overlay', bad, show(4)),
    ])
    expect(a).toMatchObject({ status: 'fulfilled', value: ['g1', 'g2'] })
    expect(b).toMatchObject({ status: 'fulfilled', value: ['g1', 'g2'] })
    expect(c).toMatchObject({ status: 'rejected', reason: { status: 500 } })
    expect(d).toMatchObject({ status: 'fulfilled', value: ['g1', 'g2', 'g4'] })
    expect((await world.rows(bad)).map(({ seq }) => seq)).toEqual([1, 2, 3])
  })

  it('[live-path 5] what was folded but not sent when its caller heard 503 never runs, what came after it does', async () => {
    const [slow, held] = [await world.newOverlay(), await world.newOverlay()]
    await Promise.all([
      world.host.send(ctx(), 'overlay', slow, show(1)),
      world.host.send(ctx(), 'overlay', held, show(1)),
    ])
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    world.journal.next = async (_changes, commit) => {
      await released
      return commit()
    }
    const before = world.host.send(ctx(), 'overlay', slow, show(2)).catch(() => {})
    await expect.poll(() => world.journal.next).toBeUndefined()
    await expect(world.host.send(ctx(), 'overlay', held, show(2))).rejects.toMatchObject({ status: 503 })
    const after = world.host.send(ctx(), 'overlay', held, show(3))
    release()
    expect(await after).toEqual(['g1', 'g3'])
    await before
    expect(await world.rows(held)).toMatchObject([{ seq: 1 }, { seq: 2, events: [{ graphic: { graphicId: 'g3' } }] }])
  })

  it('[P9] what callers no longer wait for is not kept while an actor is frozen', async () => {
    const id = await world.newOverlay()
    await world.host.send(ctx(), 'overlay', id, show(1))
    const back = loseDatabase()
    const lost = world.host.send(ctx(), 'overlay', id, show(2)).catch(() => {})
    await expect.poll(() => world.journal.next).toBeUndefined()
    const collected: number[] = []
    const registry = new FinalizationRegistry<number>((n) => collected.push(n))
    const given = (n: number) => {
      const one = show(n)
      registry.register(one, n)
      return world.host.send(ctx(), 'overlay', id, one).catch(() => {})
    }
    await Promise.all([given(3), given(4), lost])
    await expect
      .poll(() => {
        collectGarbage()
        return collected.sort()
      })
      .toEqual([3, 4])
    back()
    expect(await world.host.send(ctx(), 'overlay', id, show(5))).toEqual(['g1', 'g5'])
  })

  it('[live-path 3] a refusal decided on a state that was taken back is decided again, in its place', async () => {
    const id = await world.newOverlay()
    await world.host.send(ctx(), 'overlay', id, show(1))
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
    const hide = world.host.send(
      { ...ctx(), commandId: 'nonsense' },
      'overlay',
      id,
      ask({ type: 'hide', graphicId: 'g1' }),
    )
    const refused = hide.catch(() => decide())
    const updated = world.host.send(ctx(), 'overlay', id, slowUpdate)
    const last = world.host.send(ctx(), 'overlay', id, show(2))
    await refused
    expect(await updated).toEqual(['g1'])
    expect(await last).toEqual(['g1', 'g2'])
    expect(seen).toEqual([[], ['g1']])
  })

  it('[P6] a timer that is due while its renewal is being committed does not end what was renewed', async () => {
    const graphicId = randomUUID()
    await world.host.send(ctx(), 'graphic-lock', graphicId, lock({ type: 'acquire', holder, claim: 'edit', ttlMs: 1 }))
    const timer = await timerOf(graphicId)
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    world.journal.next = async (_changes, commit) => {
      await released
      return commit()
    }
    const dueTimer = world.journal.dueTimer
    onTestFinished(() => {
      world.journal.dueTimer = dueTimer
    })
    // whoever looks at the timer before the renewal is durable finds the old deadline
    world.journal.dueTimer = async (...row) => {
      const due = await dueTimer(...row)
      release()
      return due
    }
    const renewed = world.host.send(ctx(), 'graphic-lock', graphicId, lock({ type: 'renew', holder, ttlMs: 60_000 }))
    const fired = world.host.fire(`graphic-lock/${graphicId}`, timer)
    await expect.poll(() => world.journal.next).toBeUndefined()
    setTimeout(release, 50)
    expect(await renewed).toBe(true)
    await fired
    expect((await world.host.read('graphic-lock', graphicId))?.context.holder).toEqual(holder)
  })

  it('[P6] a deadline that passes right after it was looked at is not lost', async () => {
    const graphicId = randomUUID()
    await world.host.send(
      ctx(),
      'graphic-lock',
      graphicId,
      lock({ type: 'acquire', holder, claim: 'edit', ttlMs: 60_000 }),
    )
    const timer = await timerOf(graphicId)
    const { dueTimer } = world.journal
    onTestFinished(() => {
      world.journal.dueTimer = dueTimer
    })
    world.journal.dueTimer = async (...row) => {
      const due = await dueTimer(...row)
      await world.database.sql`update timer set due_at = clock_timestamp() where ref = ${`graphic-lock/${graphicId}`}`
      return due
    }
    await world.host.fire(`graphic-lock/${graphicId}`, timer)
    await world.host.fire(`graphic-lock/${graphicId}`, timer)
    expect((await world.host.read('graphic-lock', graphicId))?.context.holder).toBeNull()
  })
})
