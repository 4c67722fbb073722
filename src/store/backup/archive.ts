import { createHash } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { syncFolder } from '../sync-folder.ts'
import { openPlain, openSink, type PlainFile } from './plain-file.ts'
import { readTar, TAR_END, type TarEntry, tarFile } from './tar.ts'

/** Rises when an older Tally could not read the backups of a newer one. */
const FORMAT = 1

const MANIFEST = 'manifest.json'
const CONTENTS = 'contents.json'
const SEAL = 'contents.sha256'

const Manifest = z.object({
  format: z.number().int(),
  /** When the snapshot was taken, by the clock of the database. */
  createdAt: z.iso.datetime(),
  /** The schema that the rows are of. */
  migrations: z.array(z.string()),
})
export type Manifest = z.output<typeof Manifest>

const Contents = z.object({
  /** `parts` gzipped pieces of the text of COPY, `tables/<name>/<number>.gz`. */
  tables: z.array(
    z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number().int(), parts: z.number().int() }),
  ),
  sequences: z.array(z.object({ name: z.string(), last: z.number().int() })),
  /** Hashes of uploaded files, each `files/<hash>`. */
  files: z.array(z.string()),
  /** Fingerprints of the keys that secrets in the rows are sealed with. */
  secretsKeys: z.array(z.string()).default([]),
  /** The SHA-256 of each file of the archive before this one. */
  checksums: z.record(z.string(), z.string()),
})
export type Contents = z.output<typeof Contents>

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

export type ArchiveWriter = {
  add(name: string, bytes: Uint8Array): Promise<void>
  /** Completes the archive and gives it its name; answers its size in bytes. */
  finish(contents: Omit<Contents, 'checksums'>): Promise<number>
  /** Removes the file, unless it is finished. */
  close(): Promise<void>
}

/**
 * Begins an archive: a tar of a manifest, the parts, the contents with a checksum of each part, and the checksum of the
 * contents; with a passphrase, encrypted. It has its name only when it is complete and durable. Throws when the file exists.
 */
export async function createArchive(
  path: string,
  manifest: Omit<Manifest, 'format'>,
  passphrase?: string,
  workFactor?: number,
): Promise<ArchiveWriter> {
  // taken at once, so that two backups never write one file
  const place = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new Error(error.code === 'EEXIST' ? `${path} exists already` : `cannot write ${path}: ${error.message}`)
  })
  await place.close()
  const partial = `${path}.partial`
  const file = await open(partial, 'w', 0o600)
  const modifiedAt = new Date(manifest.createdAt)
  const checksums: Record<string, string> = {}
  const sink = await openSink(file, passphrase, workFactor)
  let finished = false
  const add = async (name: string, bytes: Uint8Array) => {
    checksums[name] = digest(bytes)
    await sink.write(tarFile(name, bytes, modifiedAt))
  }
  await add(MANIFEST, jsonOf({ format: FORMAT, ...manifest }))
  return {
    add,
    async finish(contents) {
      const bytes = jsonOf({ ...contents, checksums })
      await sink.write(tarFile(CONTENTS, bytes, modifiedAt))
      await sink.write(tarFile(SEAL, Buffer.from(`${digest(bytes)}  ${CONTENTS}\n`), modifiedAt))
      await sink.write(TAR_END)
      const size = await sink.end()
      await file.sync()
      await rename(partial, path)
      await syncFolder(dirname(path))
      finished = true
      return size
    },
    async close() {
      await file.close()
      if (!finished) for (const left of [partial, path]) await rm(left, { force: true })
    },
  }
}

const jsonOf = (value: object) => Buffer.from(`${JSON.stringify(value, null, 1)}\n`)

export type Archive = {
  readonly manifest: Manifest
  readonly contents: Contents
  readonly encrypted: boolean
  has(name: string): boolean
  read(name: string): Promise<Buffer>
  close(): Promise<void>
}

/**
 * Opens an archive and checks every byte of it. Throws one line for one that is newer, damaged, no backup at all, or encrypted
 * with another passphrase.
 */
export async function openArchive(path: string, passphrase?: string): Promise<Archive> {
  const file = await openPlain(path, passphrase)
  const { manifest, contents, entries } = await check(path, file).catch(async (error: unknown) => {
    await file.close()
    throw error
  })
  return {
    manifest,
    contents,
    encrypted: file.sealed,
    has: (name) => entries.has(name),
    async read(name) {
      const entry = entries.get(name)
      if (!entry) throw new Error(`the backup lacks ${name}`)
      return readIntact(file, entry, contents)
    },
    close: () => file.close(),
  }
}

async function check(
  path: string,
  file: PlainFile,
): Promise<Pick<Archive, 'manifest' | 'contents'> & { entries: Map<string, TarEntry> }> {
  const entries = new Map<string, TarEntry>()
  const checksums: Record<string, string> = {}
  const texts = new Map<string, string>()
  try {
    for await (const { bytes, ...entry } of readTar(file)) {
      entries.set(entry.name, entry)
      checksums[entry.name] = digest(bytes)
      if (entry.name === MANIFEST) refuseNewer(bytes)
      if ([MANIFEST, CONTENTS, SEAL].includes(entry.name)) texts.set(entry.name, bytes.toString())
    }
  } catch (error) {
    throw error instanceof NewerBackup ? error : unusable(path, error)
  }
  if (texts.get(SEAL)?.slice(0, 64) !== checksums[CONTENTS]) throw unusable(path, 'it is not complete')
  const contents = Contents.parse(JSON.parse(texts.get(CONTENTS) ?? ''))
  for (const [name, sum] of Object.entries(contents.checksums))
    if (checksums[name] !== sum) throw unusable(path, `${name} is damaged`)
  return { manifest: Manifest.parse(JSON.parse(texts.get(MANIFEST) ?? '')), contents, entries }
}

class NewerBackup extends Error {}

function refuseNewer(manifest: Buffer) {
  const { format } = Manifest.pick({ format: true }).parse(JSON.parse(manifest.toString()))
  if (format > FORMAT)
    throw new NewerBackup('The backup was made by a newer version of Tally: restore it with that version.')
}

const unusable = (path: string, reason: unknown) =>
  new Error(`${path} is no usable backup: ${reason instanceof Error ? reason.message : String(reason)}`)

/** Again, since the check may be minutes ago. */
async function readIntact(file: PlainFile, { name, offset, size }: TarEntry, { checksums }: Contents): Promise<Buffer> {
  const bytes = await file.read(offset, size)
  if (digest(bytes) !== checksums[name]) throw new Error(`${name} of the backup is damaged`)
  return bytes
}
