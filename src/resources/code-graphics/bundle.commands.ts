import type { z } from 'zod'
import type { RecordContext } from '../../context.ts'
import { codeGraphicInvalid } from '../../errors.ts'
import { inLane, thisWrite } from '../target.ts'
import {
  clearSession,
  findSameSession,
  findSession,
  openSession,
  openSessionUploads,
  type SessionFiles,
} from '../upload-sessions.ts'
import { uploadHeaders } from '../uploads.ts'
import { brokenFileRules } from './file-rules.ts'
import { getWrittenGraphic } from './queries.ts'
import { brokenStateMachineRules, entryOf } from './rules.ts'
import type {
  BundleReplacement,
  BundleUpload,
  BundleUploadCreation,
  BundleUploadSession,
  CodeGraphic,
  GraphicPath,
} from './schema.ts'
import { type Asset, digestOf, graphicRef, lockDraft, plain, revised, storeBundle } from './working-copy.ts'

type File = z.output<typeof BundleUpload>

const unknownSession = (id: string) => `upload session ${id}: unknown or expired`

/**
 * Opens a session in which the files of a bundle are uploaded, or goes on with the open one: the one named, or that of the
 * same list by the same caller. Bytes that are there already have no address. spec: Code graphics 21
 */
export function openBundleUploads(
  ctx: RecordContext,
  path: GraphicPath,
  { files, uploadSessionId, ifUnchangedSince }: z.output<typeof BundleUploadCreation>,
): Promise<z.output<typeof BundleUploadSession>> {
  const owner = graphicRef(path.graphicId)
  const digest = digestOf(files.map(({ name, mime, size, hash }) => JSON.stringify([name, mime, size, hash])).sort())
  const asked = { files: files.length, digest, ...(uploadSessionId && { uploadSessionId }) }
  return ctx.db.write(ctx, { ref: owner, type: 'openUploads', asked }, async (tx) => {
    const draft = await lockDraft(ctx, tx, path, ifUnchangedSince)
    const key = { owner, principal: principalOf(ctx), digest }
    const known = uploadSessionId ?? (await findSameSession(ctx, tx, key))
    const before = known === undefined ? [] : await findSession(ctx, tx, owner, known)
    const rules = brokenFileRules(files)
    if (!before) rules.unshift(unknownSession(known ?? ''))
    if (rules.length > 0) throw codeGraphicInvalid(rules)
    const { id, expiresAt } = await openSession(ctx, tx, key, known)
    const held = new Set([...draft.assets.map(({ hash }) => hash), ...receivedIn(before ?? []).keys()])
    const wanted = files
      .filter(({ hash }) => !held.has(hash))
      .map(({ mime, hash, ...file }) => ({ ...file, contentType: mime, sha256: hash }))
    const addresses = await openSessionUploads(ctx, tx, { id, owner, expiresAt }, wanted)
    return {
      result: {
        uploadSessionId: id,
        expiresAt: expiresAt.toISOString(),
        files: files.map(({ name, mime, hash }) => ({
          name,
          url: addresses.get(name) ?? null,
          method: 'PUT' as const,
          headers: uploadHeaders({ contentType: mime, sha256: hash }),
        })),
      },
      events: [{ type: 'graphic.uploadsOpened', graphicId: path.graphicId, uploadSessionId: id, files: wanted.length }],
    }
  })
}

const principalOf = ({ actor }: RecordContext) =>
  'id' in actor
    ? `${actor.type}/${actor.id}`
    : actor.type === 'link'
      ? `link/${actor.overlayId}`
      : actor.type === 'desk'
        ? `desk/${actor.matchId}`
        : `system/${actor.name}`

/** The sizes of what a session has received, by hash. */
const receivedIn = (files: SessionFiles) =>
  new Map(files.filter(({ received }) => received).map(({ sha256, size }) => [sha256, size]))

/**
 * Replaces the whole file set of the working copy, and its state machine when one is given, with the files of the session
 * and those that the graphic holds already; the session is cleared. `stored` are hashes of bytes that came in another way.
 * spec: Code graphics 21
 */
export function putBundle(
  ctx: RecordContext,
  path: GraphicPath,
  asked: z.output<typeof BundleReplacement>,
  stored: ReadonlySet<string> = new Set(),
): Promise<z.output<typeof CodeGraphic>> {
  const { graphicId } = path
  const { files, uploadSessionId } = asked
  const journaled = {
    files: files.length,
    digest: digestOf(files),
    ...(asked.stateMachine && { stateMachine: digestOf(asked.stateMachine) }),
    ...(uploadSessionId && { uploadSessionId }),
  }
  return ctx.db.write(ctx, { ref: graphicRef(graphicId), type: 'putBundle', asked: journaled }, async (tx) => {
    const draft = await lockDraft(ctx, tx, path, asked.ifUnchangedSince)
    const stateMachine = asked.stateMachine ?? draft.stateMachine
    const session = uploadSessionId ? await findSession(ctx, tx, graphicRef(graphicId), uploadSessionId) : []
    const entry = entryOf(stateMachine)
    const rules = [
      ...(session ? [] : [unknownSession(uploadSessionId ?? '')]),
      ...brokenStateMachineRules(stateMachine),
      ...brokenFileRules(files, entry),
      ...brokenContentRules(files, { held: draft.assets, session: session ?? [], stored }),
    ]
    if (rules.length > 0) throw codeGraphicInvalid(rules)
    const assets = revised(draft.assets, files)
    await tx`
      update graphic_draft set assets = ${tx.json(assets)}, state_machine = ${tx.json(plain(stateMachine))},
        bundle_hash = ${await storeBundle(tx, entry, assets)}, updated_at = ${inLane(tx, 'draft', thisWrite(tx))}
      where graphic_id = ${graphicId}`
    if (uploadSessionId) await clearSession(tx, uploadSessionId)
    return {
      result: await getWrittenGraphic(ctx, tx, path, uploadSessionId ? { ended: 'upload' } : {}),
      events: [{ type: 'graphic.bundleReplaced', graphicId, files: files.length }],
    }
  })
}

type Sources = { held: readonly Asset[]; session: SessionFiles; stored: ReadonlySet<string> }

/** The bytes of each file must be here, and be those that were declared. spec: Code graphics 21 (d) */
function brokenContentRules(files: readonly File[], { held, session, stored }: Sources): string[] {
  const sizes = new Map([...held.map(({ hash, size }): [string, number] => [hash, size]), ...receivedIn(session)])
  const declared = new Map(session.map((file) => [file.name, file]))
  return files.flatMap(({ name, mime, size, hash }) => {
    const bytes = sizes.get(hash)
    if (bytes === undefined)
      return stored.has(hash) ? [] : [`${name}: not uploaded and not in the graphic from an earlier bundle`]
    const rules = bytes === size ? [] : [`${name}: the size is ${size}, but its bytes are ${bytes}`]
    const upload = declared.get(name)
    if (upload?.sha256 === hash && upload.contentType !== mime)
      rules.push(`${name}: the mime is ${mime}, but it was uploaded as ${upload.contentType}`)
    return rules
  })
}
