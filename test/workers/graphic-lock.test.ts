import { pino } from 'pino'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Claim, GraphicLockCommand, Holder } from '../../machines/graphic-lock.ts'
import type { Unstamped } from '../../machines/transition.ts'
import type { Ask } from '../../src/actors/ask.ts'
import { ActorHost } from '../../src/actors/host.ts'
import { newActor } from '../../src/actors/rows.ts'
import { locked } from '../../src/errors.ts'
import { createPostgresJournal } from '../../src/store/journal-postgres.ts'
import { connectDatabase } from '../../src/store/postgres.ts'
import { startWorkers, type Workers } from '../../workers/start.ts'
import { testContext } from '../support/context.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

const ORGANIZATION = 7
const log = pino({ level: 'silent' })
const ann: Holder = { userName: 'Ann', type: 'person', token: 'ann-1' }
const key: Holder = { userName: 'API key feed', type: 'key', token: '7' }
const SOON = { timeout: 30_000, interval: 20 }

describe('the lock of a graphic on the whole host', () => {
  let database: TestDatabase
  let sql: Sql
  let graphics = 0

  beforeAll(async () => {
    database = await testDatabase()
    sql = database.sql
  })
  afterAll(() => database.drop())

  /** A node: host, and the workers that fire its timers unless it is to die before they do anything. */
  async function node({ working = true } = {}) {
    // a busy machine takes longer than callers wait
    const patience = { commitWithinMs: 30_000, answerWithinMs: 30_000 }
    const connect = () => connectDatabase(database.url, { connections: 1 }).sql
    const journal = createPostgresJournal({ connect, sql, secrets: database.db.secrets, ...patience })
    let workers: Workers | undefined
    const host = new ActorHost({
      journal,
      publish: () => {},
      committed: ({ outboxRows }) => void (outboxRows > 0 && workers?.drainSoon()),
      log,
      idleMs: 60_000,
      ...patience,
    })
    const fire = (ref: Parameters<typeof host.fire>[0], name: string) => host.fire(ref, name)
    if (working)
      workers = startWorkers({
        queue: { databaseUrl: database.url },
        sql,
        log,
        actors: { fire, react: async () => {} },
      })
    const stop = async () => {
      await workers?.close()
      await host.close()
      await journal.close()
    }
    onTestFinished(stop)
    const send = (graphicId: string, command: Unstamped<GraphicLockCommand>) => {
      let holder: Holder | null = null
      const ask: Ask<'graphic-lock', string | null> = {
        asked: { type: command.type },
        decide: (lock) => {
          holder = lock.holder
          return command
        },
        reply: (lock) => lock.holder?.userName ?? null,
        refused: () => locked(holder && { userName: holder.userName }),
      }
      return host.send(testContext(ORGANIZATION), 'graphic-lock', graphicId, ask)
    }
    return { host, send, stop }
  }

  async function newGraphic() {
    const graphicId = `graphic-${graphics++}`
    const { machineVersion, snapshot } = newActor('graphic-lock')
    await sql`insert into actor (ref, organization_id, machine_version, snapshot)
      values (${`graphic-lock/${graphicId}`}, ${ORGANIZATION}, ${machineVersion}, ${snapshot}::text::json)`
    return graphicId
  }

  const acquire = (holder: Holder, ttlMs: number, claim: Claim = 'edit'): Unstamped<GraphicLockCommand> => ({
    type: 'acquire',
    holder,
    claim,
    ttlMs,
  })
  const timerOf = async (graphicId: string) => {
    const [row] = await sql<{ dueInMs: number }[]>`
      select (extract(epoch from due_at - clock_timestamp()) * 1000)::float8 as "dueInMs"
      from timer where ref = ${`graphic-lock/${graphicId}`}`
    return row?.dueInMs
  }
  const journalOf = (graphicId: string) => sql<{ type: string; principal: { name: string }; ageMs: number }[]>`
    select events -> 0 ->> 'type' as type, principal, (extract(epoch from clock_timestamp() - at) * 1000)::float8 as "ageMs"
    from journal where ref = ${`graphic-lock/${graphicId}`} order by seq`
  const factsOf = async (graphicId: string) => (await journalOf(graphicId)).map(({ type }) => type)

  it('[Errors] a graphic that somebody holds is refused to others with 409 LOCKED and the name of the holder', async () => {
    const { send } = await node()
    const graphic = await newGraphic()
    expect(await send(graphic, acquire(ann, 60_000))).toBe('Ann')
    await expect(send(graphic, acquire(key, 60_000, 'write'))).rejects.toMatchObject({
      status: 409,
      body: { code: 'LOCKED', holder: { userName: 'Ann' } },
    })
    expect(await send(graphic, acquire(ann, 60_000))).toBe('Ann')
    expect(await send(graphic, { type: 'release', holder: ann, claim: 'edit' })).toBeNull()
    expect(await timerOf(graphic)).toBeUndefined()
    expect(await send(graphic, acquire(key, 60_000, 'write'))).toBe('API key feed')
  })

  it('[P6] a hold that nobody renews ends by itself, once, and the next may have the graphic', async () => {
    const { send, host } = await node()
    const graphic = await newGraphic()
    await send(graphic, acquire(ann, 400))
    await vi.waitFor(async () => expect((await host.read('graphic-lock', graphic))?.context.holder).toBeNull(), SOON)
    const [acquired, expired] = await journalOf(graphic)
    expect(expired).toMatchObject({ type: 'lock.expired', principal: { type: 'system', name: 'timer' } })
    const lasted = (acquired?.ageMs ?? 0) - (expired?.ageMs ?? 0)
    expect(lasted).toBeGreaterThanOrEqual(400)
    expect(lasted).toBeLessThan(1_400)
    expect(await send(graphic, acquire(key, 60_000))).toBe('API key feed')
    expect(await factsOf(graphic)).toEqual(['lock.acquired', 'lock.expired', 'lock.acquired'])
  })

  it('a renewal moves the end of the hold', async () => {
    const { send } = await node()
    const graphic = await newGraphic()
    await send(graphic, acquire(ann, 2_000))
    await send(graphic, { type: 'renew', holder: ann, ttlMs: 60_000 })
    expect(await timerOf(graphic)).toBeGreaterThan(30_000)
    const other = await newGraphic()
    await send(other, acquire(ann, 2_000))
    await vi.waitFor(async () => expect(await factsOf(other)).toContain('lock.expired'), SOON)
    expect(await factsOf(graphic)).toEqual(['lock.acquired', 'lock.renewed'])
  })

  it('[P6] a hold survives the death of the node with its end, which comes after the next start, once', async () => {
    const graphic = await newGraphic()
    const dead = await node({ working: false })
    await dead.send(graphic, acquire(ann, 4_000))
    const { send, host } = await node()
    await expect(send(graphic, acquire(key, 60_000))).rejects.toMatchObject({ status: 409 })
    await vi.waitFor(async () => expect((await host.read('graphic-lock', graphic))?.context.holder).toBeNull(), SOON)
    const [acquired, expired] = await journalOf(graphic)
    const lasted = (acquired?.ageMs ?? 0) - (expired?.ageMs ?? 0)
    expect(lasted).toBeGreaterThanOrEqual(4_000)
    expect(lasted).toBeLessThan(5_000)
    expect(await factsOf(graphic)).toEqual(['lock.acquired', 'lock.expired'])
    expect(await timerOf(graphic)).toBeUndefined()
  })

  it('[P6] a hold whose time ended while no node ran ends right after the start', async () => {
    const graphic = await newGraphic()
    const dead = await node({ working: false })
    await dead.send(graphic, acquire(ann, 100))
    await dead.stop()
    await vi.waitFor(async () => expect(await timerOf(graphic)).toBeLessThan(-300), SOON)
    const { host } = await node()
    const started = performance.now()
    await vi.waitFor(async () => expect((await host.read('graphic-lock', graphic))?.context.holder).toBeNull(), SOON)
    expect(performance.now() - started).toBeLessThan(1_000)
  })
})
