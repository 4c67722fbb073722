import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Logger } from 'pino'
import type { Sql, TransactionSql } from 'postgres'
import { type KeySource, keysIn } from '../../secrets/open.ts'
import type { Blobs } from '../blobs.ts'
import { applyMigration, createMigrationTable, migrate, migrationFiles } from '../migrate.ts'
import { takeNodeLock } from '../node-lock.ts'
import { sealWithPreferred } from '../secrets/rotate.ts'
import { settleKeys } from '../secrets/settle.ts'
import { type Archive, openArchive } from './archive.ts'
import { fileName, KEYS, partName } from './backup.ts'
import { dropEverything, longSession, withoutConstraints } from './schema.ts'

const expand = promisify(gunzip)

export type RestoreReport = {
  file: string
  /** When the backup was made. */
  createdAt: string
  rows: number
  files: number
  /** Migrations that the backup was older than, now done. */
  migrated: string[]
  /** Fingerprint of the key that its secrets are sealed with now, and where it is. */
  secretsKey: { id: string; in: string }
}

export type RestoreOptions = {
  url: string
  blobs: Blobs
  path: string
  /** Replaces the database that is there. */
  force: boolean
  /** Keys of this installation: restored secrets are sealed with them. */
  keys: KeySource
  passphrase?: string | undefined
  log: Logger
}

/**
 * Brings a database and the uploaded files back to a backup; all or nothing. Throws one line when the archive is damaged or newer than
 * this code, a server runs, the key of its secrets is missing, or the database holds an organization and `force` is not given.
 */
export async function restore({
  url,
  blobs,
  path,
  force,
  keys,
  passphrase,
  log,
}: RestoreOptions): Promise<RestoreReport> {
  const archive = await openArchive(path, passphrase)
  try {
    await refuseNewerSchema(archive)
    await haveKeys(archive, keys)
    const nodeLock = await takeNodeLock(url, log, () => {})
    try {
      const sql = longSession(url, 'tally:restore')
      try {
        if (!force && (await isInUse(sql)))
          throw new Error('There is a production in this database already: --force replaces it with the backup')
        // first: files that no row names do no harm
        for (const hash of archive.contents.files) await blobs.put(await archive.read(fileName(hash)), { hash })
        await sql.begin((tx) => load(tx, archive, keys))
      } finally {
        await sql.end({ timeout: 2 })
      }
      const { applied } = await migrate(url, { alone: true, keys })
      await settle(url, keys)
      return {
        file: path,
        createdAt: archive.manifest.createdAt,
        rows: archive.contents.tables.reduce((sum, { rows }) => sum + rows, 0),
        files: archive.contents.files.length,
        migrated: applied,
        secretsKey: { id: keys.ring.current?.id ?? '', in: keys.from },
      }
    } finally {
      await nodeLock.release()
    }
  } finally {
    await archive.close()
  }
}

async function refuseNewerSchema({ manifest }: Archive): Promise<void> {
  const known = await migrationFiles()
  const newer = manifest.migrations.findLast((name) => !known.includes(name))
  if (newer)
    throw new Error(
      `The backup was made by a newer version of Tally: it has ${newer}, the newest known is ${known.at(-1)}. Restore it with that version.`,
    )
}

/** Throws before anything changes when the secrets of a backup could not be read. */
async function haveKeys(archive: Archive, { ring, from, file }: KeySource): Promise<void> {
  const needed = archive.contents.secretsKeys
  const brought = archive.has(KEYS) ? keysIn((await archive.read(KEYS)).toString()) : []
  for (const key of brought) ring.add(key)
  const missing = needed.find((id) => !ring.key(id))
  if (missing)
    throw new Error(
      `SECRETS_KEY: the secrets of this backup are sealed with key ${missing}, which ${from} does not hold. Add it there: only an encrypted backup brings its key along`,
    )
  // a machine without a key gets that of the backup, before rows are there that need it
  const [current = ''] = needed
  if (!ring.preferred && ring.key(current)) file?.make(ring.key(current))
}

async function settle(url: string, keys: KeySource): Promise<void> {
  const sql = longSession(url, 'tally:restore')
  await settleKeys(sql, keys).finally(() => sql.end({ timeout: 2 }))
}

async function isInUse(sql: Sql): Promise<boolean> {
  const [made] = await sql`select where to_regclass('public.organization') is not null`
  return made !== undefined && (await sql`select from organization limit 1`).length > 0
}

async function load(tx: TransactionSql, archive: Archive, keys: KeySource): Promise<void> {
  const { tables, sequences } = archive.contents
  // a command of the CLI may be at work; it is not waited for without end
  await tx`set local lock_timeout = '10s'`
  await dropEverything(tx)
  await createMigrationTable(tx)
  for (const name of archive.manifest.migrations) await applyMigration(tx, name, keys)
  await withoutConstraints(tx, async () => {
    for (const table of tables) {
      // migrations bring rows of their own
      await tx`delete from ${tx(table.name)}`
      const sink = await tx`copy ${tx(table.name)} (${tx(table.columns)}) from stdin`.writable()
      await pipeline(Readable.from(textOf(archive, table)), sink)
    }
  })
  for (const { name, last } of sequences) await tx`select setval(${`public.${name}`}::text::regclass, ${last})`
  // the backup's key may be one that this installation has given up
  if (archive.contents.secretsKeys.length > 0) await sealWithPreferred(tx, keys)
  // a person that signed out since the backup, or was signed out, must not be in again
  await tx`do $$ begin if to_regclass('public.person_session') is not null then delete from person_session; end if; end $$`
  // the copy is a service of its own: it must not speak to the nodes of the original
  await tx`do $$ begin if to_regclass('public.service') is not null then
    delete from service; delete from node; update slot set node = null, until = '-infinity';
  end if; end $$`
  // the queue of the old server is gone, and its jobs with it
  await tx`update outbox set handed_at = null`
}

async function* textOf(archive: Archive, { name, parts }: { name: string; parts: number }) {
  for (let part = 1; part <= parts; part++) yield await expand(await archive.read(partName(name, part)))
}
