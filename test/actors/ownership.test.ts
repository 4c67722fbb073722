import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { ContextOf } from '../../machines/kinds.ts'
import { ActorHost } from '../../src/actors/host.ts'
import { CommitUnknown, type Journal, type Ref } from '../../src/actors/journal.ts'
import { newActor } from '../../src/actors/rows.ts'
import { NotMine } from '../../src/errors.ts'
import { createPostgresJournal } from '../../src/store/journal-postgres.ts'
import { connectDatabase } from '../../src/store/postgres.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { ctx, ORGANIZATION, show, silent } from '../support/host-world.ts'

let database: TestDatabase
let real: ReturnType<typeof createPostgresJournal>
let nextId = 0
/** Whether this node and the other own every actor. */
let mine: boolean
let theirs: boolean
let commit: Journal['commit']
let here: ActorHost
let there: ActorHost

beforeAll(async () => {
  database = await testDatabase()
  real = createPostgresJournal({
    connect: () => connectDatabase(database.url, { connections: 1 }).sql,
    sql: database.sql,
    secrets: database.db.secrets,
  })
  const host = (owns: () => boolean, journal: Journal) =>
    new ActorHost({ journal, owns, publish: () => {}, log: silent, idleMs: 60_000 })
  here = host(() => mine, { ...real, commit: (changes) => commit(changes) })
  there = host(() => theirs, real)
})
beforeEach(() => {
  mine = true
  theirs = false
  commit = (changes) => real.commit(changes)
})
afterAll(async () => {
  await Promise.all([here.close(), there.close()])
  await real.close()
  await database.drop()
})

const newOverlay = async () => {
  const id = ++nextId
  const { machineVersion, snapshot } = newActor('overlay')
  await real.create(`overlay/${id}`, ORGANIZATION, machineVersion, snapshot)
  return id
}
const everything = () => true
const moves = () => {
  mine = false
  theirs = true
}
const seqs = async (id: number) =>
  (await database.sql<{ seq: number }[]>`select seq from journal where ref = ${`overlay/${id}`} order by seq`).map(
    ({ seq }) => seq,
  )

it('[cluster 2] a command on another node’s actor is refused before anything is decided', async () => {
  const id = await newOverlay()
  moves()
  const decided: string[] = []
  const watched = {
    ...show(1),
    decide(overlay: ContextOf<'overlay'>) {
      decided.push('decided')
      return show(1).decide(overlay)
    },
  }
  await expect(here.send(ctx(), 'overlay', id, watched)).rejects.toMatchObject({
    ref: `overlay/${id}`,
    mayBeDone: false,
    status: 503,
  })
  await expect(here.fire(`overlay/${id}`, 'any')).rejects.toBeInstanceOf(NotMine)
  expect(decided).toEqual([])
  expect(await there.send(ctx(), 'overlay', id, show(1))).toEqual(['g1'])
})

it('[cluster 2] the state that this node held is not told any more once another may have changed it', async () => {
  const id = await newOverlay()
  await here.send(ctx(), 'overlay', id, show(1))
  moves()
  await there.send(ctx(), 'overlay', id, show(2))
  expect(Object.keys((await here.read('overlay', id))?.context.graphics ?? {}).sort()).toEqual(['g1', 'g2'])
})

it('an actor that is let go is finished here and goes on there, without a gap', async () => {
  const id = await newOverlay()
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  commit = async (changes) => {
    await held
    return real.commit(changes)
  }
  await here.send(ctx(), 'overlay', id, show(9)).catch(() => {})
  const underWay = here.send(ctx(), 'overlay', id, show(1))
  await new Promise((resolve) => setImmediate(resolve))
  moves()
  const gone = here.letGo(everything, 1_000)
  release()
  expect(await underWay).toContain('g1')
  await gone
  expect(here.awake).toBe(0)
  expect(await there.send(ctx(), 'overlay', id, show(2))).toContain('g2')
  const all = await seqs(id)
  expect(all).toEqual(all.map((_, index) => index + 1))
})

it('commands that wait behind a commit that is slow are sent to the new owner; the commit itself tells its own outcome', async () => {
  const id = await newOverlay()
  await here.send(ctx(), 'overlay', id, show(1))
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  commit = async (changes) => {
    await held
    return real.commit(changes)
  }
  const first = here.send(ctx(), 'overlay', id, show(2))
  await new Promise((resolve) => setTimeout(resolve, 20))
  const behind = here.send(ctx(), 'overlay', id, show(3))
  moves()
  const settled = expect(behind).rejects.toMatchObject({ mayBeDone: false })
  await here.letGo(everything, 10)
  await settled
  release()
  expect(await first).toContain('g2')
  expect(await there.send(ctx(), 'overlay', id, show(3))).toEqual(['g1', 'g2', 'g3'])
})

it('[cluster 3] a command whose commit was lost with the lease may be done: the new owner finds it in the journal', async () => {
  const id = await newOverlay()
  await here.send(ctx(), 'overlay', id, show(1))
  commit = async (changes) => {
    await real.commit(changes)
    moves()
    throw new CommitUnknown('cut off')
  }
  const asked = ctx()
  await expect(here.send(asked, 'overlay', id, show(2))).rejects.toMatchObject({ mayBeDone: true })
  expect(await there.send({ ...asked, mayBeDone: true }, 'overlay', id, show(2))).toEqual(['g1', 'g2'])
  expect(await seqs(id)).toEqual([1, 2])
  // an answer that needs what only the first run knew is none, and nothing is done again
  const unknown = {
    ...show(2),
    reply() {
      throw new Error('only the first run knew')
    },
  }
  await expect(there.send({ ...asked, mayBeDone: true }, 'overlay', id, unknown)).rejects.toMatchObject({ status: 503 })
  expect(await seqs(id)).toEqual([1, 2])
  // one that did not get there is carried out
  const fresh = { ...ctx(), commandId: randomUUID(), mayBeDone: true }
  expect(await there.send(fresh, 'overlay', id, show(3))).toEqual(['g1', 'g2', 'g3'])
  expect(await seqs(id)).toEqual([1, 2, 3])
})

it('[cluster 2] a node that was fenced does not take the actor back from its new owner', async () => {
  const id = await newOverlay()
  const ref: Ref = `overlay/${id}`
  await here.send(ctx(), 'overlay', id, show(1))
  commit = async (changes) => {
    moves()
    await there.send(ctx(), 'overlay', id, show(2))
    return real.commit(changes)
  }
  await expect(here.send(ctx(), 'overlay', id, show(3))).rejects.toMatchObject({ mayBeDone: false })
  const [row] = await database.sql<{ epoch: number }[]>`select epoch from actor where ref = ${ref}`
  expect(await there.send(ctx(), 'overlay', id, show(4))).toEqual(['g1', 'g2', 'g4'])
  const [after] = await database.sql<{ epoch: number }[]>`select epoch from actor where ref = ${ref}`
  expect(after?.epoch).toBe(row?.epoch)
})
