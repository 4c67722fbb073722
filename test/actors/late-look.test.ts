import { afterAll, beforeAll, expect, test } from 'vitest'
import { ActorHost } from '../../src/actors/host.ts'
import { ctx, hostWorld, show, silent } from '../support/host-world.ts'

let world: Awaited<ReturnType<typeof hostWorld>>
beforeAll(async () => {
  world = await hostWorld()
})
afterAll(() => world.close())

test('[cluster: nothing lost] a command that may be done, and whose caller heard 503 while the journal was asked for it, never happens', async () => {
  const { journal } = world
  const host = new ActorHost({ journal, publish: () => {}, log: silent, idleMs: 60_000, answerWithinMs: 200 })
  const id = await world.newOverlay()
  await host.send(ctx(), 'overlay', id, show(1))
  const asked = journal.holds
  let found = () => {}
  journal.holds = (...row) => new Promise<void>((resolve) => (found = resolve)).then(() => asked(...row))
  await expect(host.send({ ...ctx(), mayBeDone: true }, 'overlay', id, show(2))).rejects.toMatchObject({ status: 503 })
  journal.holds = asked
  found()
  await asked(`overlay/${id}`, ctx().commandId)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(await host.send(ctx(), 'overlay', id, show(3))).toEqual(['g1', 'g3'])
  expect((await world.rows(id)).map(({ seq }) => Number(seq))).toEqual([1, 2])
  await host.close()
})

test('[cluster: nothing lost] a command that comes twice at once, from two nodes, is done once: its first commit is under way when the second looks', async () => {
  const { journal } = world
  const host = new ActorHost({ journal, publish: () => {}, log: silent, idleMs: 60_000 })
  const id = await world.newOverlay()
  await host.send(ctx(), 'overlay', id, show(1))
  const once = { ...ctx(), mayBeDone: true }
  const answers = await Promise.all([1, 2, 3].map(() => host.send(once, 'overlay', id, show(2))))
  expect(answers).toEqual([1, 2, 3].map(() => ['g1', 'g2']))
  expect((await world.rows(id)).map(({ seq }) => Number(seq))).toEqual([1, 2])
  await host.close()
})
