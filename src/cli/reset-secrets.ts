import type { TransactionSql } from 'postgres'
import { newToken } from '../resources/new-token.ts'
import { SERVICES } from '../resources/streams/destinations.commands.ts'
import type { DestinationType } from '../resources/streams/destinations.schema.ts'
import { newKey } from '../resources/streams/inputs.commands.ts'
import { digestOf } from '../secrets/digest.ts'
import type { KeySource } from '../secrets/open.ts'
import { isNodeRunning } from '../store/node-lock.ts'
import type { ConnectedDatabase } from '../store/postgres.ts'
import { sealWithPreferred, takeIntoUse } from '../store/secrets/rotate.ts'
import { UsageError } from './arguments.ts'

export type ResetReport = {
  key: string
  from: string
  /** Keys that are lost. */
  lost: string[]
  /** Their links are new: send them out again. */
  overlayIds: number[]
  /** The addresses of their desks are new: send them out again. */
  deskMatchIds: number[]
  /** Those that are pushed to have a new stream key; the address of the others is empty. */
  inputIds: number[]
  /** Address and stream key are empty, or those of the service; a stream that others fetch has a new address. */
  destinationIds: number[]
  /** Without their token, and without the query of their address: connect them again. */
  providerConnectionIds: number[]
}

/** Gives a database whose key is lost another one: our secrets are made anew, those of others are empty. Throws UsageError when no key is lost. */
export async function resetSecrets({ sql }: ConnectedDatabase, keys: KeySource): Promise<ResetReport> {
  if (await isNodeRunning(sql)) throw new UsageError('A Tally server runs on this database: stop it first')
  return sql.begin(async (tx) => {
    const { ring, from, file } = keys
    const used = await tx<{ id: string }[]>`select id from secrets_key`
    const lost = used.map(({ id }) => id).filter((id) => !ring.key(id))
    if (lost.length === 0) throw new UsageError('No key is lost: there is nothing to reset')
    if (!ring.preferred) file?.make()
    const key = ring.preferred?.id ?? ''
    await takeIntoUse(tx, key)
    ring.use(key)
    await tx`delete from idempotency where split_part(body, ':', 2) = any(${lost})`
    await tx`delete from sign_in_secret where secrets_key_id = any(${lost})`
    await tx`delete from provider_page where secrets_key_id = any(${lost})`
    const report = {
      overlayIds: await newLinks(tx, keys, lost),
      deskMatchIds: await newDesks(tx, keys, lost),
      inputIds: await newInputs(tx, keys, lost),
      destinationIds: await emptyDestinations(tx, keys, lost),
      providerConnectionIds: await emptyConnections(tx, keys, lost),
    }
    await tx`delete from secrets_key where id = any(${lost})`
    // secrets sealed with other keys that are here
    await sealWithPreferred(tx, keys)
    return { key, from, lost, ...report }
  })
}

const lostIn = <Row extends { id: number }>(tx: TransactionSql, table: string, lost: readonly string[]) =>
  tx<Row[]>`select * from ${tx(table)} where secrets_key_id = any(${[...lost]}) order by id for no key update`

const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id)

async function newLinks(tx: TransactionSql, { ring }: KeySource, lost: readonly string[]): Promise<number[]> {
  const rows = await lostIn(tx, 'overlay', lost)
  for (const { id } of rows) {
    const tokens = { control: newToken(), monitoring: newToken() }
    await tx`
      update overlay set secrets = ${ring.seal('overlay', id, tokens)}, control_digest = ${digestOf(tokens.control)},
        monitoring_digest = ${digestOf(tokens.monitoring)}, updated_at = clock_timestamp() where id = ${id}`
  }
  return idsOf(rows)
}

async function newDesks(tx: TransactionSql, { ring }: KeySource, lost: readonly string[]): Promise<number[]> {
  const rows = await lostIn(tx, 'match_desk', lost)
  for (const { id } of rows) {
    const desk = newToken()
    await tx`
      update match_desk set secrets = ${ring.seal('match_desk', id, { desk })}, digest = ${digestOf(desk)}, opened_at = null
      where id = ${id}`
  }
  return idsOf(rows)
}

async function newInputs(tx: TransactionSql, { ring }: KeySource, lost: readonly string[]): Promise<number[]> {
  const rows = await lostIn<{ id: number; type: string }>(tx, 'stream_input', lost)
  for (const { id, type } of rows) {
    const streamKey = type === 'pull' ? '' : newKey()
    await tx`
      update stream_input set secrets = ${ring.seal('stream_input', id, { streamKey, sourceUrl: '' })},
        stream_key_digest = ${streamKey === '' ? null : digestOf(streamKey)}, updated_at = clock_timestamp()
      where id = ${id}`
  }
  return idsOf(rows)
}

async function emptyDestinations(tx: TransactionSql, { ring }: KeySource, lost: readonly string[]): Promise<number[]> {
  const rows = await lostIn<{ id: number; type: DestinationType }>(tx, 'stream_destination', lost)
  for (const { id, type } of rows) {
    const pullToken = type === 'pull' ? newToken() : null
    const sealed = ring.seal('stream_destination', id, { url: SERVICES[type] ?? '', streamKey: '', pullToken })
    await tx`update stream_destination set secrets = ${sealed}, updated_at = clock_timestamp() where id = ${id}`
  }
  return idsOf(rows)
}

async function emptyConnections(tx: TransactionSql, { ring }: KeySource, lost: readonly string[]): Promise<number[]> {
  const rows = await lostIn<{ id: number; url: string }>(tx, 'provider_connection', lost)
  for (const { id, url } of rows)
    await tx`
      update provider_connection set has_token = false,
        secrets = ${ring.seal('provider_connection', id, { url, token: null })} where id = ${id}`
  return idsOf(rows)
}
