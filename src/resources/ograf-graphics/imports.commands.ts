import { randomUUID } from 'node:crypto'
import type { ISql, TransactionSql } from 'postgres'
import type { z } from 'zod'
import type { Archives, Context } from '../../context.ts'
import { ografInvalid, unavailable } from '../../errors.ts'
import type { ArchiveFault, ReadArchive, ReadGraphic } from '../../ograf/archive.ts'
import { variablesOf } from '../../ograf/variables.ts'
import { Unreadable } from '../../parsing/problem.ts'
import { brokenFileRules } from '../code-graphics/file-rules.ts'
import { whileLocked } from '../code-graphics/lock.ts'
import { MAX_FILES } from '../code-graphics/schema.ts'
import { digestOf, readDraft, revised, storeBundle } from '../code-graphics/working-copy.ts'
import { insertGraphic, renameGraphic } from '../graphic-writes.ts'
import { inLane, lockTheme, thisWrite, touchTheme } from '../target.ts'
import { getTheme } from '../themes/queries.ts'
import { openUpload, receivedUpload, takeUpload, type Upload } from '../uploads.ts'
import type { Stored } from './queries.ts'
import type { ImportedOgraf, OgrafImport, OgrafUploadCreation } from './schema.ts'
import { inOgraf } from './schema.ts'

type Imported = z.output<typeof ImportedOgraf>

/** Of all files of one archive. */
const MAX_UNPACKED_BYTES = 200 * 1_048_576
/** Files are handed to the store in such pieces, so that nobody waits for the digest of a large one. */
const PIECE_BYTES = 1_048_576

const themeRef = (themeId: number) => `theme/${themeId}`
/** Whom an archive is uploaded for. */
const uploadOwner = (themeId: number) => `ograf/${themeId}`

/** Opens a signed upload of an archive. Throws notFound. */
export function openOgrafUpload(
  ctx: Context,
  themeId: number,
  asked: z.output<typeof OgrafUploadCreation>,
): Promise<z.output<typeof Upload>> {
  return ctx.db.write(ctx, { ref: themeRef(themeId), type: 'openOgrafUpload', asked }, async (tx) => {
    await getTheme(ctx, themeId, tx)
    const result = await openUpload(ctx, tx, uploadOwner(themeId), { ...asked, contentType: 'application/zip' })
    return { result, events: [{ type: 'theme.ografUploadOpened', themeId, uploadId: result.uploadId }] }
  })
}

/**
 * Makes a graphic of each manifest in an archive, or replaces the working copy of the graphic with its id. All of it or nothing.
 * Throws ografInvalid with every fault, locked when somebody else edits one of the graphics, and notFound.
 */
export async function importOgraf(
  ctx: Context,
  themeId: number,
  asked: z.output<typeof OgrafImport>,
): Promise<Imported> {
  const { archives } = ctx
  if (!archives) throw unavailable()
  await getTheme(ctx, themeId)
  const sent = asked.uploadId === undefined ? asked.archive : await uploaded(ctx, archives, themeId, asked.uploadId)
  const archive = await readArchive(ctx, archives, Buffer.isBuffer(sent) ? sent : Buffer.alloc(0))
  const errors = [...archive.errors, ...fileFaults(archive)]
  if (errors.length > 0) throw ografInvalid(errors)
  for (const [hash, { offset, size }] of new Map(archive.files.map((file) => [file.hash, file])))
    await archives.keep(pieces(archive.bytes.subarray(offset, offset + size)), hash)
  const known = await knownGraphics(ctx, themeId)
  const replaced = archive.graphics.flatMap(({ manifest }) => known.get(manifest.id) ?? [])
  return whileAllLocked(ctx, themeId, replaced, () => store(ctx, themeId, archive, asked.uploadId))
}

async function uploaded(ctx: Context, archives: Archives, themeId: number, uploadId: number): Promise<Buffer> {
  const { sha256 } = await receivedUpload(ctx, ctx.db.sql, uploadOwner(themeId), uploadId)
  const bytes = await archives.read(sha256)
  if (!bytes) throw new Error(`the bytes of the upload ${uploadId} are not there`)
  return bytes
}

/** Throws ografInvalid when the archive itself cannot be read, or not all of it may be. */
async function readArchive(ctx: Context, { run }: Archives, bytes: Buffer): Promise<ReadArchive> {
  try {
    return await run(ctx.organizationId, {
      kind: 'ograf',
      bytes,
      maxBytes: MAX_UNPACKED_BYTES,
      maxFiles: MAX_FILES,
    })
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    throw ografInvalid(error.problems.map(({ message }) => ({ file: '', path: '', message })))
  }
}

/** What no bundle may have, by the file that has it. */
const fileFaults = ({ files }: ReadArchive): ArchiveFault[] =>
  brokenFileRules(files).map((rule) => {
    const file = files.find(({ name }) => rule.startsWith(`${name}: `))?.name ?? ''
    return { file, path: '', message: file === '' ? rule : rule.slice(file.length + 2) }
  })

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}

/** The graphics of a theme by the ids of their manifests. */
async function knownGraphics(
  ctx: Context,
  themeId: number,
  sql: ISql = ctx.db.sql,
): Promise<ReadonlyMap<string, string>> {
  const rows = await sql<{ id: string; ografId: string }[]>`
    select id, ograf_id as "ografId" from graphic
    where theme_id = ${themeId} and ograf_id is not null and deleted_at is null`
  return new Map(rows.map(({ id, ografId }) => [ografId, id]))
}

/** Runs a write while the caller holds all of these graphics. */
function whileAllLocked<R>(
  ctx: Context,
  themeId: number,
  graphicIds: readonly string[],
  run: () => Promise<R>,
): Promise<R> {
  const [graphicId, ...rest] = [...graphicIds].sort()
  if (graphicId === undefined) return run()
  return whileLocked(ctx, inOgraf({ themeId, graphicId }), () => whileAllLocked(ctx, themeId, rest, run))
}

async function store(
  ctx: Context,
  themeId: number,
  archive: ReadArchive,
  uploadId: number | undefined,
): Promise<Imported> {
  const { files, graphics } = archive
  const asked = {
    graphics: graphics.map(({ manifest }) => manifest.id),
    files: files.length,
    digest: digestOf(files),
    uploadId,
  }
  const imported = await ctx.db.write(ctx, { ref: themeRef(themeId), type: 'importOgraf', asked }, async (tx) => {
    await lockTheme(ctx, tx, themeId)
    if (uploadId !== undefined) await takeUpload(ctx, tx, uploadOwner(themeId), uploadId)
    const known = await knownGraphics(ctx, themeId, tx)
    const taken = await takenNames(tx, themeId, graphics, known)
    if (taken.length > 0) throw ografInvalid(taken)
    const result: Imported = { graphics: [], errors: [] }
    const events: { type: string; [member: string]: unknown }[] = []
    for (const graphic of graphics) {
      const graphicId = known.get(graphic.manifest.id) ?? randomUUID()
      if (!known.has(graphic.manifest.id)) events.push(...(await insert(tx, themeId, graphicId, graphic)))
      else events.push({ type: 'graphic.bundleReplaced', graphicId, files: files.length })
      await fill(ctx, tx, { themeId, graphicId }, graphic, archive)
      const { id: ografId, name } = graphic.manifest
      result.graphics.push({ graphicId, ografId, name, warnings: graphic.warnings })
    }
    await touchTheme(tx, themeId)
    await tx`select pg_notify('catalog', ${JSON.stringify({ theme: themeId })})`
    return { result, events }
  })
  ctx.catalog.forget({ theme: themeId })
  return imported
}

/** Names that other graphics of the theme have: they key the manual graphic state of an overlay. */
async function takenNames(
  tx: TransactionSql,
  themeId: number,
  graphics: readonly ReadGraphic[],
  known: ReadonlyMap<string, string>,
) {
  const rows = await tx<{ id: string; name: string }[]>`
    select id, name from graphic
    where theme_id = ${themeId} and deleted_at is null and name = any(${graphics.map(({ manifest }) => manifest.name)})`
  const moved = new Set(graphics.flatMap(({ manifest }) => known.get(manifest.id) ?? []))
  return graphics.flatMap(({ path, manifest }): ArchiveFault[] => {
    if (manifest.name === '__proto__') return [{ file: path, path: '/name', message: 'the name is reserved' }]
    const holder = rows.find(({ name }) => name === manifest.name)
    if (!holder || holder.id === known.get(manifest.id)) return []
    // two graphics of one archive that change names would meet half-way
    const why = moved.has(holder.id)
      ? 'a graphic that this archive renames has this name'
      : 'another graphic of the theme has this name'
    return [{ file: path, path: '/name', message: `${manifest.name}: ${why}` }]
  })
}

async function insert(tx: TransactionSql, themeId: number, graphicId: string, { path, manifest }: ReadGraphic) {
  const graphic = { name: manifest.name, stateMachine: stateMachineOf(path, manifest) }
  // for a release that does not know OGraf it is a code graphic
  const events = await insertGraphic(tx, { themeId, graphicId, kind: 'code' }, graphic)
  await tx`update graphic set ograf_id = ${manifest.id} where id = ${graphicId}`
  return events
}

/** As the parts that all kinds share read it. */
const stateMachineOf = (path: string, { schema }: Stored['manifest']) => ({
  runtime: { entry: path },
  controlVariables: variablesOf(schema),
  userExpressions: [],
})

async function fill(
  ctx: Context,
  tx: TransactionSql,
  path: { themeId: number; graphicId: string },
  { path: entry, manifest, warnings }: ReadGraphic,
  { files }: ReadArchive,
) {
  const draft = await readDraft(ctx, tx, inOgraf(path), undefined)
  if (!draft) throw new Error(`the graphic ${path.graphicId} has no working copy`)
  if (draft.name !== manifest.name) await renameGraphic(tx, inOgraf(path), manifest.name)
  const assets = revised(draft.assets, files)
  const stored: Stored = { path: entry, manifest, warnings }
  await tx`
    update graphic_draft set assets = ${JSON.stringify(assets)}::text::jsonb, ograf = ${JSON.stringify(stored)}::text::json,
      state_machine = ${JSON.stringify(stateMachineOf(entry, manifest))}::text::jsonb,
      bundle_hash = ${await storeBundle(tx, entry, assets)}, updated_at = ${inLane(tx, 'draft', thisWrite(tx))}
    where graphic_id = ${path.graphicId}`
}
