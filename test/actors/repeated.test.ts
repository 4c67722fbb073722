import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Ask } from '../../src/actors/ask.ts'
import { ActorHost } from '../../src/actors/host.ts'
import type { Change } from '../../src/actors/journal.ts'
import { newActor } from '../../src/actors/rows.ts'
import type { IdempotencyClaim } from '../../src/principal.ts'
import { createPostgresJournal } from '../../src/store/journal-postgres.ts'
import { connectDatabase } from '../../src/store/postgres.ts'
import { testContext } from '../support/context.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { ORGANIZATION, show, update } from '../support/host-world.ts'

const PRINT = { method: 'POST', path: '/graphics', bodyHash: '00'.repeat(32) }

const claim = (key: string): IdempotencyClaim => ({
  ...PRINT,
  key,
  stored: false,
  taken: false,
  plain: false,
  encode: (result) => ({ status: 200, body: JSON.stringify(result) }),
})

describe('[P4] a command whose Idempotency-Key another process has used', () => {
  let database: TestDatabase
  let journal: ReturnType<typeof createPostgresJournal>
  let host: ActorHost
  let commits: string[][] = []
  let nextId = 0

  const newOverlay = async () => {
    const id = ++nextId
    const { machineVersion, snapshot } = newActor('overlay')
    await journal.create(`overlay/${id}`, ORGANIZATION, machineVersion, snapshot)
    // awake
    await send(id, show(1))
    return id
  }
  const send = (id: number, one: Ask<'overlay', string[]>, idempotency?: IdempotencyClaim) =>
    host.send(testContext(ORGANIZATION, idempotency ? { idempotency } : {}), 'overlay', id, one)
  const statusOf = (sent: Promise<unknown>) => sent.then(() => 200).catch((error) => error.status)
  const rows = async (id: number) => {
    const found = await database.sql<{ seq: number; type: string }[]>`
      select seq, command->>'type' as type from journal where ref = ${`overlay/${id}`} order by seq`
    return found.map(({ seq, type }) => `${seq} ${type}`)
  }
  const use = (key: string, more: { organizationId?: number; hoursAgo?: number } = {}) => database.sql`
    insert into idempotency (organization_id, key, method, path, body_hash, status, body, created_at)
    values (${more.organizationId ?? ORGANIZATION}, ${key}, ${PRINT.method}, ${PRINT.path}, decode(${PRINT.bodyHash}, 'hex'), 200,
      ${database.db.secrets.seal('idempotency', `${ORGANIZATION}/${key}`, { body: '{}' })},
      now() - make_interval(hours => ${more.hoursAgo ?? 0}))`

  beforeAll(async () => {
    database = await testDatabase()
    const real = createPostgresJournal({
      connect: (pool) => connectDatabase(database.url, pool).sql,
      sql: database.sql,
      secrets: database.db.secrets,
    })
    const noted = (changes: readonly Change[]) => {
      commits.push(changes.map(({ ref, entries }) => `${ref} ${entries.length}`))
      return changes
    }
    journal = {
      ...real,
      commit: (changes) => real.commit(noted(changes)),
      commitAlone: (change) => real.commitAlone(noted([change])[0] ?? change),
    }
    const log = { warn: () => {}, error: () => {} }
    // how long a caller waits at most is not looked at here
    host = new ActorHost({ journal, publish: () => {}, log, idleMs: 60_000, answerWithinMs: 20_000 })
  })
  afterAll(async () => {
    await host.close()
    await journal.close()
    await database.drop()
  })

  it('is not carried out; what came with it on the same overlay is, in order and on the state without it', async () => {
    const [id, other] = [await newOverlay(), await newOverlay()]
    const key = randomUUID()
    await use(key)
    commits = []
    const repeated = claim(key)
    const follower = claim(randomUUID())
    const answers = await Promise.all([
      send(id, show(2)),
      statusOf(send(id, show(3), repeated)),
      send(id, show(4), follower),
      statusOf(send(id, update(3, {}))),
      send(id, show(5)),
      send(other, show(2)),
    ])
    expect(answers).toEqual([['g1', 'g2'], 503, ['g1', 'g2', 'g4'], 400, ['g1', 'g2', 'g4', 'g5'], ['g1', 'g2']])
    expect([repeated.taken, repeated.stored, follower.taken, follower.stored]).toEqual([true, false, false, true])
    expect(await rows(id)).toEqual(['1 show', '2 show', '3 show', '4 show'])
    expect(await rows(other)).toEqual(['1 show', '2 show'])
    // the other overlay went with the first commit; nobody claimed anybody
    expect(commits).toEqual([[`overlay/${id} 5`, `overlay/${other} 1`], [`overlay/${id} 3`]])
    const [kept] = await database.sql`select status, body from idempotency where key = ${follower.key}`
    const place = `${ORGANIZATION}/${follower.key}`
    expect(database.db.secrets.open('idempotency', place, kept?.body)).toEqual({ body: '["g1","g2","g4"]' })
    expect(await journal.peek(`overlay/${id}`)).toMatchObject({ seq: 4, epoch: 1 })
  })

  it('is told for each of several in one commit', async () => {
    const [first, second] = [await newOverlay(), await newOverlay()]
    const claims = Array.from({ length: 4 }, () => claim(randomUUID()))
    for (const one of [0, 1, 3]) await use(claims[one]?.key ?? '')
    const answers = await Promise.all([
      statusOf(send(first, show(2), claims[0])),
      statusOf(send(first, show(3), claims[1])),
      statusOf(send(second, show(2), claims[2])),
      statusOf(send(second, show(3), claims[3])),
    ])
    expect(answers).toEqual([503, 503, 200, 503])
    expect(claims.map(({ taken }) => taken)).toEqual([true, true, false, true])
    expect(await rows(first)).toEqual(['1 show'])
    expect(await rows(second)).toEqual(['1 show', '2 show'])
  })

  it('is told also when that process commits its row while ours waits for it', async () => {
    const id = await newOverlay()
    const used = claim(randomUUID())
    commits = []
    let sent: Promise<number> = Promise.resolve(0)
    await database.sql.begin(async (tx) => {
      await tx`
        insert into idempotency (organization_id, key, method, path, body_hash, status, body)
        values (${ORGANIZATION}, ${used.key}, ${PRINT.method}, ${PRINT.path}, decode(${PRINT.bodyHash}, 'hex'), 200, '{}')`
      sent = statusOf(send(id, show(2), used))
      // with the others, then alone
      await expect.poll(() => commits.length).toBeGreaterThan(1)
    })
    expect(await sent).toBe(503)
    expect(used.taken).toBe(true)
    expect(await rows(id)).toEqual(['1 show'])
  })

  it('is told also when the row is too old to count; the key of another organization is another key', async () => {
    const id = await newOverlay()
    const [old, foreign] = [claim(randomUUID()), claim(randomUUID())]
    await use(old.key, { hoursAgo: 25 })
    await use(foreign.key, { organizationId: 8 })
    expect(await statusOf(send(id, show(2), old))).toBe(503)
    expect(old.taken).toBe(true)
    expect(await send(id, show(3), foreign)).toEqual(['g1', 'g3'])
    expect(await rows(id)).toEqual(['1 show', '2 show'])
  })
})
