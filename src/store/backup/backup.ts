import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Sql, TransactionSql } from 'postgres'
import type { KeySource } from '../../secrets/open.ts'
import { blobReferences } from '../blob-references.ts'
import type { Blobs } from '../blobs.ts'
import { type ArchiveWriter, type Contents, createArchive } from './archive.ts'
import { BACKUP_LOCK } from './locks.ts'
import { longSession, sequencesOf, tablesOf } from './schema.ts'

const PART_BYTES = 1_048_576
/** The id of the service, and the secret of its nodes: a copy is a service of its own. */
const OF_NODES = 'service'
const NEWLINE = 10
const compress = promisify(gzip)

export type BackupReport = {
  file: string
  /** Of the archive. */
  bytes: number
  createdAt: string
  /** The newest migration of the database. */
  schema: string
  rows: number
  files: number
  /** Hashes of uploaded files that rows name and that are gone or damaged: they are in no backup. */
  missing: string[]
  encrypted: boolean
  /** The keys that its secrets are sealed with, and where they are: without them a restore cannot read those. */
  secretsKeys: { ids: string[]; in: string }
}

export type BackupOptions = {
  url: string
  blobs: Blobs
  path: string
  /** Of this installation. */
  keys: KeySource
  /** Encrypts the archive, which then holds the keys of its secrets, too. */
  passphrase?: string | undefined
  /** The power of two of what one guess of the passphrase takes; that of every backup unless given. */
  workFactor?: number | undefined
}

/**
 * Writes every row as of one moment, and every uploaded file that they name, into one archive. Holds no lock that a server
 * would wait for. Throws when the file exists, or there is no database of Tally.
 */
export async function backUp(options: BackupOptions): Promise<BackupReport> {
  const { url, blobs, path, keys, passphrase, workFactor } = options
  const sql = longSession(url, 'tally:backup')
  try {
    // of this session: files are read after the snapshot's transaction has ended
    await sql`select pg_advisory_lock_shared(${BACKUP_LOCK})`
    const { createdAt, migrations } = await schemaOf(sql)
    const archive = await createArchive(path, { createdAt, migrations }, passphrase, workFactor)
    try {
      const { named, ...copied } = await sql.begin('isolation level repeatable read read only', async (tx) => {
        const tables: Contents['tables'] = []
        for (const table of (await tablesOf(tx)).filter(({ name }) => name !== OF_NODES))
          tables.push({ ...table, ...(await copyOut(tx, archive, table)) })
        const secretsKeys = await keysIn(tx)
        if (passphrase !== undefined) await archive.add(KEYS, keysText(secretsKeys, keys))
        return { tables, secretsKeys, named: await blobReferences(tx), sequences: await sequencesOf(tx) }
      })
      const { files, missing } = await copyFiles(blobs, archive, named)
      return {
        file: path,
        bytes: await archive.finish({ ...copied, files }),
        createdAt,
        schema: migrations.at(-1) ?? '',
        rows: copied.tables.reduce((sum, { rows }) => sum + rows, 0),
        files: files.length,
        missing,
        encrypted: passphrase !== undefined,
        secretsKeys: { ids: copied.secretsKeys, in: passphrase === undefined ? keys.from : path },
      }
    } finally {
      await archive.close()
    }
  } finally {
    await sql.end({ timeout: 2 })
  }
}

/** The keys of the secrets in an encrypted archive, the one in use first, a line each. */
export const KEYS = 'secrets-keys'

/** Fingerprints of the keys that rows are sealed with, the one in use first. */
async function keysIn(tx: TransactionSql): Promise<string[]> {
  const [made] = await tx`select where to_regclass('public.secrets_key') is not null`
  if (!made) return []
  return (await tx<{ id: string }[]>`select id from secrets_key order by current desc, id`).map(({ id }) => id)
}

function keysText(ids: readonly string[], { ring, from }: KeySource): Buffer {
  const lines = ids.map((id) => {
    const key = ring.key(id)
    if (!key)
      throw new Error(`SECRETS_KEY: an encrypted backup holds the key of its secrets, ${id}, and ${from} does not`)
    return key.bytes.toString('base64')
  })
  return Buffer.from(lines.join('\n'))
}

async function schemaOf(sql: Sql): Promise<{ createdAt: string; migrations: string[] }> {
  const [found] = await sql`select where to_regclass('public.migration') is not null`
  if (!found) throw new Error('There is nothing to back up: no server has used this database yet')
  const rows = await sql<
    { name: string; now: Date }[]
  >`select name, clock_timestamp() as now from migration order by name`
  return { createdAt: (rows[0]?.now ?? new Date()).toISOString(), migrations: rows.map(({ name }) => name) }
}

async function copyOut(
  tx: TransactionSql,
  archive: ArchiveWriter,
  { name, columns }: { name: string; columns: string[] },
): Promise<{ rows: number; parts: number }> {
  let rows = 0
  let parts = 0
  let gathered: Buffer[] = []
  let gatheredBytes = 0
  const flush = async () => {
    if (gatheredBytes === 0) return
    parts++
    const part = Buffer.concat(gathered)
    gathered = []
    gatheredBytes = 0
    await archive.add(partName(name, parts), await compress(part))
  }
  const stream = await tx`copy ${tx(name)} (${tx(columns)}) to stdout`.readable()
  for await (const chunk of stream) {
    // a row is a line: line breaks inside of one are escaped
    rows += linesIn(chunk)
    gathered.push(chunk)
    gatheredBytes += chunk.length
    if (gatheredBytes >= PART_BYTES) await flush()
  }
  await flush()
  return { rows, parts }
}

/** The name of a part of a table, counted from 1. */
export const partName = (table: string, part: number) => `tables/${table}/${String(part).padStart(6, '0')}.gz`
/** The name of an uploaded file. */
export const fileName = (hash: string) => `files/${hash}`

const linesIn = (bytes: Buffer): number => {
  let lines = 0
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines++
  return lines
}

async function copyFiles(blobs: Blobs, archive: ArchiveWriter, named: readonly { hash: string; expected: boolean }[]) {
  const files: string[] = []
  const missing: string[] = []
  for (const { hash, expected } of named) {
    // a file that is damaged here is no reason to lose the rest
    const bytes = await blobs.read(hash).catch((error: Error) => {
      if (!error.message.endsWith('damaged')) throw error
    })
    if (bytes) {
      await archive.add(fileName(hash), bytes)
      files.push(hash)
    } else if (expected) missing.push(hash)
  }
  return { files, missing }
}
