import { expect, it } from 'vitest'
import { createIdempotencyStore } from '../../src/store/idempotency.ts'
import { migrate } from '../../src/store/migrate.ts'
import { connectDatabase } from '../../src/store/postgres.ts'
import { testDatabaseOfOneTest } from '../support/database.ts'
import { toSchemaBefore } from '../support/older-schema.ts'
import { foundIn } from '../support/planted.ts'
import { testKeys } from '../support/secrets.ts'
import { textOf } from '../support/text-of.ts'

const PLAIN = {
  control: 'plain-control-token',
  monitoring: 'plain-monitoring-token',
  streamKey: 'plain-stream-key',
  source: 'rtmp://user:plain-password@video.example.com/app',
  pushUrl: 'rtmp://live.example.com/plain-app',
  pushKey: 'plain-destination-key',
  pull: 'plain-pull-token',
  feedQuery: 'plain-feed-query',
  feedToken: 'plain-feed-token',
  page: 'plain-page-query',
  signIn: 'plain-sign-in-secret',
  answer: 'plain-kept-answer',
}

/** A database before its secrets were sealed, with one of each. */
async function olderDatabase() {
  const database = await testDatabaseOfOneTest()
  const { sql } = database
  await toSchemaBefore(database, '0038')
  await sql`insert into organization (name) values ('Old')`
  await sql`insert into person (organization_id, email, role, password_hash) values (1, 'old@tally.example', 'owner', 'x')`
  await sql`insert into competition (organization_id, name, sport) values (1, 'League', 'football')`
  await sql`insert into match (organization_id, competition_id, sport, starts_at) values (1, 1, 'football', now())`
  await sql`
    insert into overlay (organization_id, match_id, name, control_token, monitoring_token)
    values (1, 1, 'Main', ${PLAIN.control}, ${PLAIN.monitoring})`
  await sql`
    insert into stream_input (organization_id, name, type, stream_key, source_url)
    values (1, 'Camera', 'default', ${PLAIN.streamKey}, ''), (1, 'Fetched', 'pull', '', ${PLAIN.source})`
  await sql`insert into stream_settings (organization_id, match_id, name) values (1, 1, 'Main')`
  await sql`
    insert into stream_destination (organization_id, stream_settings_id, name, type, url, stream_key)
    values (1, 1, 'Channel', 'rtmp', ${PLAIN.pushUrl}, ${PLAIN.pushKey})`
  await sql`
    insert into stream_destination (organization_id, stream_settings_id, name, type, pull_protocol, pull_token)
    values (1, 1, 'Players', 'pull', 'hls', ${PLAIN.pull})`
  await sql`
    insert into provider_connection (organization_id, provider_name, url, token, interval_seconds)
    values (1, 'custom', ${`https://feed.example.com/a?k=${PLAIN.feedQuery}`}, ${PLAIN.feedToken}, 60)`
  await sql`
    insert into provider_page (connection_id, position, url, body)
    values (1, 0, ${`https://feed.example.com/a?k=${PLAIN.page}`}, '')`
  await sql`update sign_in_secret set secret = ${PLAIN.signIn}`
  await sql`
    insert into idempotency (organization_id, key, method, path, body_hash, status, body)
    values (1, 'once', 'POST', '/rest/v1/overlays', '\\x00', 201, ${JSON.stringify({ token: PLAIN.answer })})`
  return database
}

it('[issue 15.10] an existing database is sealed: every secret is read as it was, and stands nowhere in plain', async () => {
  const { sql, url } = await olderDatabase()
  expect(foundIn(await textOf(sql), PLAIN)).toEqual(Object.keys(PLAIN))
  const keys = testKeys()
  expect((await migrate(url, { keys })).applied).toEqual(
    expect.arrayContaining(['0038_secrets.sql', '0039_sealed.sql']),
  )
  expect(foundIn(await textOf(sql), PLAIN)).toEqual([])
  const sealed = async (table: string) => {
    const rows = await sql<{ secrets: string }[]>`select secrets from ${sql(table)} order by 1`
    return rows.map((row) => row.secrets)
  }
  const { ring } = keys
  const opened = async <T extends 'overlay' | 'provider_connection'>(table: T) =>
    ring.open(table, 1, (await sealed(table))[0] ?? '')
  expect(await opened('overlay')).toEqual({ control: PLAIN.control, monitoring: PLAIN.monitoring })
  const inputs = await sql<{ id: number; secrets: string }[]>`select id, secrets from stream_input order by id`
  expect(inputs.map(({ id, secrets }) => ring.open('stream_input', id, secrets))).toEqual([
    { streamKey: PLAIN.streamKey, sourceUrl: '' },
    { streamKey: '', sourceUrl: PLAIN.source },
  ])
  const destinations = await sql<
    { id: number; secrets: string }[]
  >`select id, secrets from stream_destination order by id`
  expect(destinations.map(({ id, secrets }) => ring.open('stream_destination', id, secrets))).toEqual([
    { url: PLAIN.pushUrl, streamKey: PLAIN.pushKey, pullToken: null },
    { url: '', streamKey: '', pullToken: PLAIN.pull },
  ])
  expect(await opened('provider_connection')).toEqual({
    url: `https://feed.example.com/a?k=${PLAIN.feedQuery}`,
    token: PLAIN.feedToken,
  })
  expect(await sql`select url, has_token from provider_connection`).toEqual([
    { url: 'https://feed.example.com/a', has_token: true },
  ])
  expect(ring.open('provider_page', '1/0', (await sealed('provider_page'))[0] ?? '').url).toContain(PLAIN.page)
  expect(ring.open('sign_in_secret', '1', (await sealed('sign_in_secret'))[0] ?? '').secret).toBe(PLAIN.signIn)
  const kept = await createIdempotencyStore({ sql, secrets: ring }).find(1, 'once')
  expect(kept).toMatchObject({ status: 201, body: JSON.stringify({ token: PLAIN.answer }) })
})

it('[issue 15.10] the rows are rewritten: what the files of the tables hold has no secret left', async () => {
  const { url } = await olderDatabase()
  await migrate(url, { keys: testKeys() })
  const admin = connectDatabase(url, { connections: 1 })
  try {
    // bytes of every page of the tables, dropped columns and dead rows included
    const tables = [
      'overlay',
      'stream_input',
      'stream_destination',
      'provider_connection',
      'provider_page',
      'sign_in_secret',
      'idempotency',
    ]
    await admin.sql`checkpoint`
    for (const table of tables) {
      const [file] = await admin.sql<{ bytes: Buffer }[]>`
        select pg_read_binary_file(pg_relation_filepath(${table}::text::regclass)) as bytes`
      expect([table, foundIn(file?.bytes.toString('latin1') ?? '', PLAIN)]).toEqual([table, []])
    }
  } finally {
    await admin.close()
  }
})

it('[issue 15.10] many rows are sealed as few are', async () => {
  const { sql, url } = await olderDatabase()
  await sql`
    insert into stream_input (organization_id, name, stream_key)
    select 1, 'Camera', 'plain-many-' || nth from generate_series(1, 1100) nth`
  await sql`
    insert into idempotency (organization_id, key, method, path, body_hash, status, body)
    select 1, 'key-' || nth, 'POST', '/', '\\x00', 200, '{"secret":"plain-many"}' from generate_series(1, 1100) nth`
  await migrate(url, { keys: testKeys() })
  expect(await textOf(sql)).not.toContain('plain-many')
  const [count] = await sql`select count(*)::int as inputs, count(distinct secrets)::int as sealed from stream_input`
  expect(count).toEqual({ inputs: 1102, sealed: 1102 })
})

it('[issue 15.10] without a key the migration fails as a whole, names SECRETS_KEY, and can be done again', async () => {
  const { sql, url } = await olderDatabase()
  await expect(migrate(url)).rejects.toThrow(/^SECRETS_KEY: /)
  expect(await sql`select from migration where name >= '0038'`).toHaveLength(0)
  expect(foundIn(await textOf(sql), PLAIN)).toEqual(Object.keys(PLAIN))
  await migrate(url, { keys: testKeys() })
  expect(foundIn(await textOf(sql), PLAIN)).toEqual([])
})
