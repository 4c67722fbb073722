import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Kind, kinds } from '../../machines/kinds.ts'
import { ActorHost } from '../../src/actors/host.ts'
import { repairActors } from '../../src/actors/repair.ts'
import { initialSnapshot } from '../../src/actors/rows.ts'
import { unexpected } from '../../src/errors.ts'
import { createPostgresJournal } from '../../src/store/journal-postgres.ts'
import { connectDatabase } from '../../src/store/postgres.ts'
import { testContext } from '../support/context.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

const ORGANIZATION = 7
/** A command that each state of a new actor takes, and its facts. */
const FIRST: Partial<Record<Kind, object>> = {
  overlay: { type: 'hideAll' },
  'graphic-lock': {
    type: 'acquire',
    holder: { userName: 'Ann', type: 'person', token: 'ann' },
    claim: 'edit',
    ttlMs: 60_000,
  },
  stream: { type: 'start', at: '2027-03-01T12:00:00.000Z' },
  input: { type: 'open' },
  destination: { type: 'wish', wanted: true, wish: 1, now: false },
  upload: { type: 'open' },
}

describe('[live-path 9] an actor whose stored state lacks something', () => {
  let database: TestDatabase
  let journal: ReturnType<typeof createPostgresJournal>
  let host: ActorHost
  let errors: string[]

  const wake = () => {
    errors = []
    const log = { warn: () => {}, error: (fields: object) => void errors.push(String(Reflect.get(fields, 'err'))) }
    host = new ActorHost({ journal, publish: () => {}, log, idleMs: 60_000 })
  }
  const send = (kind: Kind, id: string) =>
    host.send(testContext(ORGANIZATION), kind, id, {
      asked: { type: 'first' },
      decide: () => FIRST[kind] as never,
      reply: (context) => context,
      refused: unexpected,
    })
  /** As if something else had written the row: its owner is fenced. */
  const damage = (ref: string, member: string, value: unknown) => database.sql`
    update actor set epoch = epoch + 1, snapshot = jsonb_set(snapshot::jsonb, ${['context', member]}::text[],
      ${JSON.stringify(value)}::text::jsonb)::json where ref = ${ref}`

  beforeAll(async () => {
    database = await testDatabase()
    const connect = () => connectDatabase(database.url, { connections: 1 }).sql
    journal = createPostgresJournal({ connect, sql: database.sql, secrets: database.db.secrets })
    wake()
  })
  afterAll(async () => {
    await host.close()
    await journal.close()
    await database.drop()
  })

  for (const kind of Object.keys(FIRST) as Kind[])
    it(`${kind}: answers 503 to reads and commands and is named, and repair finds it by itself`, async () => {
      const ref = `${kind}/12` as const
      const snapshot = initialSnapshot(kind)
      const stored = JSON.stringify({ value: snapshot.value, context: snapshot.context })
      // not by the journal: some kinds it makes only beside their record
      await database.sql`
        insert into actor (ref, organization_id, machine_version, snapshot)
        values (${ref}, ${ORGANIZATION}, ${kinds[kind].version}, ${stored}::text::json)`
      await send(kind, '12')
      const before = await host.read(kind, '12')
      const [member = ''] = Object.keys(snapshot.context)
      await damage(ref, member, [[]])
      await host.close()
      wake()
      await expect(host.read(kind, '12')).rejects.toMatchObject({ status: 503 })
      await expect(send(kind, '12')).rejects.toMatchObject({ status: 503 })
      expect(host.quarantined()).toEqual([ref])
      expect(errors[0]).toContain(member)
      expect(await repairActors(journal)).toMatchObject({ repaired: [ref], failed: [] })
      expect(await host.read(kind, '12')).toEqual(before)
      expect(host.quarantined()).toEqual([])
      const left = await database.sql`
        select payload from outbox where payload->>'ref' = ${ref} and kind = 'reaction' order by id desc limit 1`
      expect(left).toEqual([{ payload: { event: 'actor.repaired', ref } }])
      expect(await repairActors(journal)).toMatchObject({ repaired: [], failed: [] })
    })

  it('is named also when its owner finds out by a commit that was fenced', async () => {
    await host.close()
    wake()
    await database.sql`delete from actor`
    await send('stream', '13')
    await damage('stream/13', 'publishing', { 4: true })
    await expect(
      host.send(testContext(ORGANIZATION), 'stream', '13', {
        asked: { type: 'hide' },
        decide: () => ({ type: 'setOverlayHidden', hidden: true }),
        reply: () => undefined,
        refused: unexpected,
      }),
    ).rejects.toMatchObject({ status: 503 })
    expect(host.quarantined()).toEqual(['stream/13'])
  })
})
