import type { TransactionSql } from 'postgres'
import type { KeySource } from '../../secrets/open.ts'
import { settleKeys } from './settle.ts'

const BATCH_ROWS = 500

/** Fills the column `secrets` from the plain columns of the schema before, inside of migration 0038. Without rows it needs no key. */
export async function sealPlain(tx: TransactionSql, keys: KeySource | undefined): Promise<void> {
  const [plain] = await tx<{ rows: boolean }[]>`
    select exists (select from overlay) or exists (select from stream_input) or exists (select from stream_destination)
      or exists (select from provider_connection) or exists (select from sign_in_secret)
      or exists (select from idempotency) as rows`
  if (!plain?.rows) return
  if (!keys) throw new Error('SECRETS_KEY: the secrets of this database are to be sealed, and no key was opened')
  await settleKeys(tx, keys)
  const { ring } = keys

  await eachBatch(
    () => tx<{ id: number; control: string; monitoring: string }[]>`
      select id, control_token as control, monitoring_token as monitoring
      from overlay where secrets is null limit ${BATCH_ROWS}`,
    (rows) =>
      fill(
        tx,
        'overlay',
        rows.map(({ id, ...secrets }) => [id, ring.seal('overlay', id, secrets)]),
      ),
  )
  await eachBatch(
    () => tx<{ id: number; streamKey: string; sourceUrl: string }[]>`
      select id, stream_key as "streamKey", source_url as "sourceUrl"
      from stream_input where secrets is null limit ${BATCH_ROWS}`,
    (rows) =>
      fill(
        tx,
        'stream_input',
        rows.map(({ id, ...secrets }) => [id, ring.seal('stream_input', id, secrets)]),
      ),
  )
  await eachBatch(
    () => tx<{ id: number; url: string; streamKey: string; pullToken: string | null }[]>`
      select id, url, stream_key as "streamKey", pull_token as "pullToken"
      from stream_destination where secrets is null limit ${BATCH_ROWS}`,
    (rows) =>
      fill(
        tx,
        'stream_destination',
        rows.map(({ id, ...secrets }) => [id, ring.seal('stream_destination', id, secrets)]),
      ),
  )

  const connections = await tx<{ id: number; url: string; token: string | null }[]>`
    select id, url, token from provider_connection`
  for (const { id, ...secrets } of connections)
    await tx`
      update provider_connection set secrets = ${ring.seal('provider_connection', id, secrets)},
        url = split_part(url, '?', 1), has_token = token is not null where id = ${id}`
  const pages = await tx<{ id: number; position: number; url: string }[]>`
    select connection_id as id, position, url from provider_page`
  for (const { id, position, url } of pages)
    await tx`
      update provider_page set secrets = ${ring.seal('provider_page', `${id}/${position}`, { url })}
      where connection_id = ${id} and position = ${position}`
  const [signIn] = await tx<{ secret: string }[]>`select secret from sign_in_secret`
  if (signIn) await tx`update sign_in_secret set secrets = ${ring.seal('sign_in_secret', '1', signIn)}, secret = null`

  // a sealed answer is no JSON
  await eachBatch(
    () => tx<{ id: number; key: string; body: string }[]>`
      select organization_id as id, key, body from idempotency where body not like 's1:%' limit ${BATCH_ROWS}`,
    async (rows) => {
      for (const { id, key, body } of rows)
        await tx`
          update idempotency set body = ${ring.seal('idempotency', `${id}/${key}`, { body })}
          where organization_id = ${id} and key = ${key}`
    },
  )
}

/** Until there are no more; each batch is out of the way when it has been done. */
async function eachBatch<Row>(
  read: () => PromiseLike<readonly Row[]>,
  work: (rows: readonly Row[]) => PromiseLike<unknown>,
) {
  for (;;) {
    const rows = await read()
    if (rows.length === 0) return
    await work(rows)
  }
}

/** One statement for many rows. */
const fill = (tx: TransactionSql, table: string, rows: readonly (readonly [id: number, secrets: string])[]) => tx`
  update ${tx(table)} as stored set secrets = given.secrets
  from json_to_recordset(${JSON.stringify(rows.map(([id, secrets]) => ({ id, secrets })))}::text::json)
    as given(id int, secrets text)
  where stored.id = given.id`
