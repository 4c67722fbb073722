import { randomUUID } from 'node:crypto'
import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import type { Context, Errand } from '../../context.ts'
import {
  ApiError,
  importConflict,
  importsUnavailable,
  invalid,
  notFound,
  sourceGone,
  targetChanged,
} from '../../errors.ts'
import { endUpload, holdForUpload, whileLocked } from '../code-graphics/lock.ts'
import { type Draft, graphicRef, readDraft, storeBundle } from '../code-graphics/working-copy.ts'
import { openUpload } from '../uploads.ts'
import { applied } from './apply.ts'
import { endingsOf, MOTION_ENDINGS } from './candidate.ts'
import { type FoundImport, findImport, importRef, waitingImports } from './imports.queries.ts'
import type { MotionUpload, MotionUploadCreation } from './imports.schema.ts'
import { inMotion, type MotionWrite } from './schema.ts'
import { endingOf, MOTION_FILE, originalFiles, originalName, type Source, sourceOf } from './sources.ts'
import { draftOf, type MotionDraft, storeDraft } from './working-copy.ts'

type Creation = z.output<typeof MotionUploadCreation>

/** Files of everybody that may wait to be looked at. */
const MAX_WAITING = 100

/** Opens a signed upload of a motion file or of one of its assets, and holds the graphic for it. spec: Motion graphics 23 */
export function openMotionUpload(
  ctx: Context,
  themeId: number,
  asked: Creation,
): Promise<z.output<typeof MotionUpload>> {
  const { target, ...file } = asked
  const path = inMotion({ themeId, graphicId: target.graphicId })
  return whileLocked(ctx, path, async () => {
    const jobId = randomUUID()
    const command = { ref: graphicRef(path.graphicId), type: 'openImport', asked: { ...file, assetId: target.assetId } }
    const opened = await ctx.db.write(ctx, command, async (tx) => {
      const row = await readDraft(ctx, tx, path, target.updatedAt)
      checkTarget(row, asked)
      if ((await waitingImports(tx)) >= MAX_WAITING) throw importsUnavailable()
      const { url, expiresAt } = await openUpload(ctx, tx, importRef(jobId), { ...file, contentType: '' })
      const candidateId = randomUUID()
      await tx`
        insert into motion_import (job_id, candidate_id, organization_id, graphic_id, asset_id, filename, sha256,
          retain_source, selected_entry, expires_at)
        values (${jobId}, ${candidateId}, ${ctx.organizationId}, ${path.graphicId}, ${target.assetId ?? null},
          ${file.filename}, ${file.sha256}, ${file.retainSource}, ${file.selectedEntry ?? null}, ${expiresAt})`
      return {
        result: { jobId, candidateId, url, expiresAt, headers: { 'x-cloud-checksum-sha256': file.sha256 } },
        events: [{ type: 'graphic.importOpened', graphicId: path.graphicId, jobId }],
      }
    })
    await tellUpload(ctx, jobId, { type: 'open' })
    await holdForUpload(ctx, path)
    return opened
  })
}

/** Whether the part that the file is for is there, as the caller has read it, and takes such a file. */
function checkTarget(row: (Draft & { unchanged: boolean }) | undefined, { target, ...file }: Creation) {
  if (!row) throw notFound()
  const draft = draftOf(row)
  const { assetId } = target
  const asset = draft.stateMachine.assets.find(({ id }) => id === assetId)
  if (assetId !== undefined && assetId !== MOTION_FILE && !asset) throw notFound()
  if (!row.unchanged) throw targetChanged()
  if (assetId === undefined && !isEmpty(draft))
    throw invalid({
      'body.target.assetId': { message: `the graphic has a file: name what this one replaces, such as ${MOTION_FILE}` },
    })
  const endings = asset ? endingsOf(asset.type) : MOTION_ENDINGS
  const ending = endingOf(file.filename)
  if (!endings.includes(ending))
    throw invalid({
      'body.filename': { message: `expected a file that ends in ${endings.join(', ')}`, value: file.filename },
    })
  if (ending === 'rev' && !file.retainSource)
    throw invalid({ 'body.retainSource': { message: 'an editable source cannot be drawn: it is only kept' } })
  if (ending !== 'zip' && file.selectedEntry !== undefined)
    throw invalid({ 'body.selectedEntry': { message: 'the file is no archive', value: file.selectedEntry } })
}

/** Whether the working copy waits for its first file. */
const isEmpty = ({ motion }: MotionDraft) => sourceOf(motion, MOTION_FILE) === undefined

/** Carries a verified file over into the working copy, and ends its hold of the graphic. */
export async function applyImport(
  ctx: Context,
  { themeId, jobId }: { themeId: number; jobId: string },
  { ifUnchangedSince }: { ifUnchangedSince?: string | undefined },
): Promise<z.output<typeof MotionWrite>> {
  const { graphicId } = await findImport(ctx, ctx.db.sql, { themeId, jobId })
  const path = inMotion({ themeId, graphicId })
  return whileLocked(ctx, path, async () => {
    const command = { ref: graphicRef(graphicId), type: 'applyImport', asked: { jobId } }
    const written = await ctx.db.write(ctx, command, async (tx) => {
      const row = await readDraft(ctx, tx, path, ifUnchangedSince)
      if (!row) throw notFound()
      const found = await lockImport(ctx, tx, { themeId, jobId })
      const candidate = usable(found)
      if (!row.unchanged) throw targetChanged()
      const draft = draftOf(row)
      if (found.assetId === null && !isEmpty(draft))
        throw importConflict('The graphic got another file meanwhile: upload this one again to replace it')
      const entityId = found.assetId ?? MOTION_FILE
      const next = applied(draft, entityId, candidate)
      const updatedAt = await storeDraft(tx, graphicId, next)
      await keepOriginal(tx, candidate.source)
      await tx`update motion_import set applied_at = clock_timestamp() where job_id = ${jobId}`
      return {
        result: { updatedAt, entityId, stateMachine: { version: draft.version, ...next.stateMachine } },
        events: [{ type: 'graphic.imported', graphicId, jobId, entityId }],
        // its actor hears of it also when this process dies now
        outbox: [{ kind: 'job', payload: { name: 'motion-import', data: { jobId } } }],
      }
    })
    await endUpload(ctx, path)
    return written
  })
}

/** An original kept as it was sent has an address of its own, which the metadata tells. */
async function keepOriginal(tx: TransactionSql, source: Source): Promise<void> {
  if (source.original) await storeBundle(tx, originalName(source), originalFiles(source, source.original))
}

/** Locks an import, so that it is applied once. */
async function lockImport(ctx: Context, tx: TransactionSql, path: { themeId: number; jobId: string }) {
  await tx`select from motion_import where job_id = ${path.jobId} for update`
  return findImport(ctx, tx, path)
}

/** The candidate of the file. Throws the error of its state when there is none to use. */
function usable({ state, candidate, error }: FoundImport) {
  if (state === 'ready' && candidate) return candidate
  if (state === 'failed') throw invalid({}, error ?? 'The file cannot be used')
  if (state === 'expired') throw sourceGone()
  if (state === 'applied') throw importConflict('The file was applied already')
  throw importConflict('The file is not ready yet')
}

type Command = { type: 'open' | 'receive' | 'inspect' | 'verify' | 'use' } | { type: 'reject'; reason: string }

/** Tells the actor of an import. Throws importConflict when it is past that. */
export const tellUpload = (ctx: Context, jobId: string, command: Command): Promise<void> =>
  ctx.atOwner(`upload/${jobId}`, tellUploadErrand, { jobId, command })

export const tellUploadErrand: Errand<{ jobId: string; command: Command }, void> = { name: 'tell upload', run: tell }

async function tell(ctx: Context, { jobId, command }: { jobId: string; command: Command }): Promise<void> {
  // the answer to keep under an Idempotency-Key is that of the write
  const { idempotency: _, ...rest } = ctx
  await ctx.actors.send({ ...rest, commandId: randomUUID() }, 'upload', jobId, {
    asked: command,
    decide: () => command,
    reply: () => undefined,
    refused: () => importConflict('The import is past that'),
  })
}

/** As `tellUpload`; false when the actor is past that. */
export async function couldTell(ctx: Context, jobId: string, command: Command): Promise<boolean> {
  try {
    await tellUpload(ctx, jobId, command)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'importConflict') return false
    throw error
  }
}
