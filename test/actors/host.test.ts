import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OverlayCommand } from '../../machines/overlay/decide.ts'
import type { Unstamped } from '../../machines/transition.ts'
import type { Ask } from '../../src/actors/ask.ts'
import { ActorHost } from '../../src/actors/host.ts'
import type { Ref } from '../../src/actors/journal.ts'
import { repairActors } from '../../src/actors/repair.ts'
import { invalid } from '../../src/errors.ts'
import type { IdempotencyClaim } from '../../src/principal.ts'
import { testContext } from '../support/context.ts'
import { ask, ctx, graphic, hostWorld, show, silent, update } from '../support/host-world.ts'

describe('the actor host on PostgreSQL', () => {
  let world: Awaited<ReturnType<typeof hostWorld>>
  beforeAll(async () => {
    world = await hostWorld()
  })
  afterAll(() => world.close())

  it('[live-path 1] a command moves seq, journal and snapshot together, then answers', async () => {
    const id = await world.newOverlay()
    expect(await world.host.send(ctx(), 'overlay', id, show(1))).toEqual(['g1'])
    const [actor] = await world.database.sql`select seq, snapshot from actor where ref = ${`overlay/${id}`}`
    expect(actor).toMatchObject({
      seq: 1,
      snapshot: { value: 'onAir', context: { graphics: { g1: { seq: 1, loadSeq: 1 } } } },
    })
    expect(await world.rows(id)).toMatchObject([
      { seq: 1, command: { type: 'show' }, events: [{ type: 'graphic.shown' }] },
    ])
  })

  it('[live-path 3] commands of one turn fold into one actor row, each with its own seq and answer', async () => {
    const id = await world.newOverlay()
    await world.host.send(ctx(), 'overlay', id, show(1))
    world.journal.commits = []
    const answers = await Promise.all([2, 3, 4].map((n) => world.host.send(ctx(), 'overlay', id, show(n))))
    expect(answers).toEqual([
      ['g1', 'g2'],
      ['g1', 'g2', 'g3'],
      ['g1', 'g2', 'g3', 'g4'],
    ])
    expect(world.journal.commits.flat()).toHaveLength(1)
    expect((await world.rows(id)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
  })

  it('[live-path 3] a refusal judged on a tentative state waits for its commit; a no-op takes no seq', async () => {
    const id = await world.newOverlay()
    const order: string[] = []
    const shown = world.host.send(ctx(), 'overlay', id, show(1)).then(() => order.push('shown'))
    const refused = world.host.send(ctx(), 'overlay', id, update(9, {})).catch((error) => order.push(error.kind))
    const nothing = world.host
      .send(ctx(), 'overlay', id, ask({ type: 'hide', graphicId: 'g9' }))
      .then(() => order.push('nothing'))
    await Promise.all([shown, refused, nothing])
    expect(order).toEqual(['shown', 'notOnAir', 'nothing'])
    expect(await world.host.read('overlay', id)).toMatchObject({ seq: 1 })
  })

  it('[live-path 3] a decision that has to wait keeps the order of the mailbox and sees the state before it', async () => {
    const id = await world.newOverlay()
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
      world.host.send(ctx(), 'overlay', id, show(1)),
      world.host.send(ctx(), 'overlay', id, slow),
      world.host.send(ctx(), 'overlay', id, show(3)),
    ])
    expect(seen).toEqual([['g1']])
    expect(answers[2]).toEqual(['g1', 'g2', 'g3'])
  })

  it('[P4] a repeated request whose first run turns out to be committed is told so, and does nothing', async () => {
    const id = await world.newOverlay()
    const claim = (): IdempotencyClaim => ({
      key: `repeated-${id}`,
      method: 'POST',
      path: '/graphics',
      bodyHash: '00',
      stored: false,
      taken: false,
      plain: false,
      encode: () => ({ status: 200, body: '{}' }),
    })
    await world.host.send({ ...ctx(), idempotency: claim() }, 'overlay', id, show(1))
    const again = claim()
    const repeated = world.host.send({ ...ctx(), idempotency: again }, 'overlay', id, show(1))
    await expect(repeated).rejects.toMatchObject({ status: 503 })
    expect(again.taken).toBe(true)
    expect(await world.host.send(ctx(), 'overlay', id, show(2))).toEqual(['g1', 'g2'])
    expect(await world.rows(id)).toHaveLength(2)
  })

  it('an error in a decision leaves the state as it was', async () => {
    const id = await world.newOverlay()
    const broken = {
      ...show(1),
      decide: () => {
        throw invalid({ 'body.presetId': { message: 'unknown' } })
      },
    }
    await expect(world.host.send(ctx(), 'overlay', id, broken)).rejects.toMatchObject({ status: 400 })
    expect(await world.host.send(ctx(), 'overlay', id, show(2))).toEqual(['g2'])
  })

  it('what one command needs and does not get keeps nobody after it from running', async () => {
    const id = await world.newOverlay()
    await world.host.send(ctx(), 'overlay', id, show(1))
    let got = (_: Unstamped<OverlayCommand>) => {}
    const late = new Promise<Unstamped<OverlayCommand>>((resolve) => {
      got = resolve
    })
    const asked = performance.now()
    const stuck = world.host.send(ctx(), 'overlay', id, { ...show(2), decide: () => late }).catch((error) => error)
    // as an operator who hides everything when nothing appears
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(await world.host.send(ctx(), 'overlay', id, ask({ type: 'hideAll' }))).toEqual([])
    expect(performance.now() - asked).toBeLessThan(4_000)
    expect(await stuck).toMatchObject({ status: 503 })
    const next = world.host.send(ctx(), 'overlay', id, {
      ...show(3),
      decide: async () => {
        got({ type: 'show', graphic: graphic(2) })
        await late
        return { type: 'show', graphic: graphic(3) }
      },
    })
    expect(await next).toEqual(['g3'])
    expect((await world.rows(id)).map(({ command }) => command.type)).toEqual(['show', 'hideAll', 'show'])
  })

  it('an actor of another organization is refused, one that does not exist is not found', async () => {
    const id = await world.newOverlay()
    await expect(world.host.send(testContext(8), 'overlay', id, show(1))).rejects.toMatchObject({ status: 403 })
    await expect(world.host.send(ctx(), 'overlay', 999_999, show(1))).rejects.toMatchObject({ status: 404 })
  })

  it('[live-path 9] a snapshot that cannot be read answers 503 and is named, until it is repaired', async () => {
    const id = await world.newOverlay()
    await world.host.send(ctx(), 'overlay', id, show(1))
    world.host.forget(`overlay/${id}`)
    await world.database.sql`update actor set snapshot = '{"value":"gone","context":{}}' where ref = ${`overlay/${id}`}`
    await expect(world.host.send(ctx(), 'overlay', id, show(1))).rejects.toMatchObject({ status: 503 })
    expect(world.host.quarantined()).toContain(`overlay/${id}`)
    expect(await repairActors(world.real)).toMatchObject({ repaired: [`overlay/${id}`], failed: [] })
    expect(await world.host.read('overlay', id)).toMatchObject({ seq: 1 })
    expect(world.host.quarantined()).not.toContain(`overlay/${id}`)
    expect(await world.host.send(ctx(), 'overlay', id, show(2))).toEqual(['g1', 'g2'])
  })

  it('an idle actor leaves memory and wakes with what was committed', async () => {
    const id = await world.newOverlay()
    const sleepy = new ActorHost({ journal: world.journal, publish: () => {}, log: silent, idleMs: 50 })
    await sleepy.send(ctx(), 'overlay', id, show(1))
    await expect.poll(() => sleepy.awake).toBe(0)
    expect(await sleepy.read('overlay', id)).toMatchObject({ seq: 1 })
    expect(await sleepy.send(ctx(), 'overlay', id, show(2))).toEqual(['g1', 'g2'])
    await sleepy.close()
  })

  it('a listener that fails takes nobody its answer', async () => {
    const [bad, good] = [await world.newOverlay(), await world.newOverlay()]
    const publish = (ref: Ref) => {
      if (ref === `overlay/${bad}`) throw new Error('a listener failed')
    }
    const failing = new ActorHost({ journal: world.journal, publish, log: silent, idleMs: 60_000 })
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
    const { fold } = await import('../../machines/overlay/events.ts')
    const id = await world.newOverlay()
    await Promise.all(
      [show(1), show(2, { a: 1 }), update(2, { a: 2 }), ask({ type: 'hideAll' }), show(3), update(3, { b: 'x' })].map(
        (one) => world.host.send(ctx(), 'overlay', id, one),
      ),
    )
    const events = (await world.rows(id)).flatMap((row) => row.events) as Parameters<typeof fold>[1][]
    const replayed = events.reduce(fold, { graphics: {}, revisions: {} })
    expect((await world.host.read('overlay', id))?.context).toEqual(replayed)
  })
})
