import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import { ensurePruning, prune } from '../../workers/prune.ts'
import { startWorkers } from '../../workers/start.ts'
import { testDatabaseOfOneTest } from '../support/database.ts'

it('[live-path 27] idempotency rows are kept 24 h and then deleted, and the next round is asked for', async () => {
  const { sql, url } = await testDatabaseOfOneTest()
  const add = (key: string, age: string) => sql`
    insert into idempotency (organization_id, key, method, path, body_hash, status, body, created_at)
    values (1, ${key}, 'POST', '/x', '', 200, '{}', clock_timestamp() - ${age}::interval)`
  await add('young', '23 hours 59 minutes')
  await add('old', '24 hours 1 minute')
  const workers = startWorkers({ queue: { databaseUrl: url }, sql, log: pino({ level: 'silent' }) })
  onTestFinished(() => workers.close())
  const keys = async () => (await sql<{ key: string }[]>`select key from idempotency`).map(({ key }) => key)
  await vi.waitFor(async () => expect(await keys()).toEqual(['young']), { timeout: 30_000, interval: 50 })
  const rounds = await sql<{ delay: number }[]>`
    select (payload ->> 'delayMs')::int as delay from outbox where payload ->> 'name' = 'prune'`
  expect(rounds).toEqual([{ delay: 600_000 }])
})

it('[domain 5.7] uploads are kept 24 h, used or not', async () => {
  const { sql } = await testDatabaseOfOneTest()
  const [organization] = await sql<{ id: number }[]>`insert into organization (name) values ('Uploads') returning id`
  for (const [token, age] of [
    ['young', '23 hours 59 minutes'],
    ['old', '24 hours 1 minute'],
  ] as const)
    await sql`
      insert into upload (organization_id, owner, token_hash, content_type, size, sha256, created_at, expires_at)
      values (${organization?.id ?? 0}, 'team/1', ${Buffer.from(token)}, 'image/png', 1, '',
        clock_timestamp() - ${age}::interval, now())`
  await sql.begin((tx) => prune(tx))
  const tokens = await sql<{ token: Buffer }[]>`select token_hash as token from upload`
  expect(tokens.map(({ token }) => token.toString())).toEqual(['young'])
})

it('[op.21] an upload session goes with its uploads a day after it expired, however long it was open', async () => {
  const { sql } = await testDatabaseOfOneTest()
  const [organization] = await sql<{ id: number }[]>`insert into organization (name) values ('Sessions') returning id`
  const id = organization?.id ?? 0
  const left = ['23 hours 59 minutes', '24 hours 1 minute']
  for (const age of left) {
    const session = randomUUID()
    await sql`
      insert into upload_session (id, organization_id, owner, principal, digest, created_at, expires_at)
      values (${session}, ${id}, 'graphic/1', 'key/1', '', now() - interval '3 days', clock_timestamp() - ${age}::interval)`
    await sql`
      insert into upload (organization_id, owner, session_id, name, token_hash, content_type, size, sha256, created_at, expires_at)
      values (${id}, 'graphic/1', ${session}, ${age}, ${Buffer.from(age)}, 'text/css', 1, '', now() - interval '3 days', now())`
  }
  await sql.begin((tx) => prune(tx))
  const names = await sql<{ name: string }[]>`select name from upload join upload_session s on s.id = session_id`
  expect(names.map(({ name }) => name)).toEqual(left.slice(0, 1))
})

it('[op.23] an import goes a day after it expired, with its actor, timer and upload', async () => {
  const { sql } = await testDatabaseOfOneTest()
  const [organization] = await sql<{ id: number }[]>`insert into organization (name) values ('Imports') returning id`
  const id = organization?.id ?? 0
  const [theme] = await sql<{ id: number }[]>`
    insert into theme (organization_id, name, sports) values (${id}, 'Theme', '{}') returning id`
  await sql`insert into graphic (id, theme_id, kind, name) values ('card', ${theme?.id ?? 0}, 'rive', 'Card')`
  const [young, old] = [randomUUID(), randomUUID()]
  for (const [jobId, age] of [
    [young, '23 hours 59 minutes'],
    [old, '24 hours 1 minute'],
  ] as const) {
    await sql`
      insert into motion_import (job_id, candidate_id, organization_id, graphic_id, filename, sha256, retain_source, expires_at)
      values (${jobId}, ${jobId}, ${id}, 'card', 'card.riv', '', false, clock_timestamp() - ${age}::interval)`
    await sql`
      insert into actor (ref, organization_id, machine_version, snapshot)
      values (${`upload/${jobId}`}, ${id}, 1, '{"value":"opened","context":{"phase":"opened","error":null}}')`
    await sql`
      insert into timer (ref, name, due_at, event) values (${`upload/${jobId}`}, 'unsent', clock_timestamp(), '{}')`
    await sql`
      insert into upload (organization_id, owner, token_hash, content_type, size, sha256, expires_at)
      values (${id}, ${`import/${jobId}`}, ${Buffer.from(jobId)}, '', 1, '', clock_timestamp())`
  }
  await sql.begin((tx) => prune(tx))
  const left = await sql<{ ref: string }[]>`
    select 'upload/' || job_id as ref from motion_import union all select ref from actor union all select ref from timer
    union all select replace(owner, 'import', 'upload') from upload`
  expect(left.map(({ ref }) => ref)).toEqual(Array(4).fill(`upload/${young}`))
})

it('rounds never multiply, however often they are asked for', async () => {
  const { sql } = await testDatabaseOfOneTest()
  await ensurePruning(sql, 0)
  await ensurePruning(sql, 0)
  await sql.begin(async (tx) => {
    await tx`delete from outbox`
    await prune(tx)
    await prune(tx)
  })
  expect(await sql`select from outbox`).toHaveLength(1)
})

it('[issue 4.8] a preview is kept until it expires', async () => {
  const { sql } = await testDatabaseOfOneTest()
  await sql`
    with o as (insert into organization (name) values ('Previews') returning id),
      t as (insert into theme (organization_id, name, sports) select id, 'Theme', '{}' from o returning id)
    insert into graphic (id, theme_id, kind, name) select 'graphic', id, 'code', 'Graphic' from t`
  for (const [token, left] of [
    ['good', '1 minute'],
    ['over', '-1 minute'],
  ] as const)
    await sql`
      insert into preview (token_hash, graphic_id, settings, expires_at)
      values (${Buffer.from(token)}, 'graphic', '{}', clock_timestamp() + ${left}::interval)`
  await sql.begin((tx) => prune(tx))
  const tokens = await sql<{ token: Buffer }[]>`select token_hash as token from preview`
  expect(tokens.map(({ token }) => token.toString())).toEqual(['good'])
})
