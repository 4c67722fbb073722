import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import type { RecordContext } from '../../context.ts'
import { notFound, targetChanged } from '../../errors.ts'
import { motionManifest } from '../../motion/manifest.ts'
import type { GraphicPath } from '../code-graphics/schema.ts'
import {
  type Asset,
  type Draft,
  digestOfText,
  graphicRef,
  readDraft,
  revised,
  storeBundle,
} from '../code-graphics/working-copy.ts'
import { exactly, inLane, thisWrite } from '../target.ts'
import type { MotionWrite } from './schema.ts'
import { MANIFEST, MOTION_FILE, type Motion, motionOf } from './sources.ts'
import { StoredStateMachine } from './state-machine.schema.ts'
import type { Uploaded } from './state-machine.ts'

/** The working copy of a motion graphic. `files` are those of its bundle, but for the manifest, which we write ourselves. */
export type MotionDraft = {
  version: number
  stateMachine: StoredStateMachine
  files: readonly Asset[]
  manifest: Asset | undefined
  motion: Motion
}

/** The working copy that a row holds. */
export function draftOf({ version, stateMachine, assets, motion }: Omit<Draft, 'name'>): MotionDraft {
  return {
    version,
    stateMachine: StoredStateMachine.parse(stateMachine),
    files: assets.filter(({ name }) => name !== MANIFEST),
    manifest: assets.find(({ name }) => name === MANIFEST),
    motion: motionOf(motion),
  }
}

/** The parts that are fitted to another motion file. */
export const partsOf = ({ stateMachine, motion }: MotionDraft) => ({ stateMachine, shelf: motion.shelf })

/** Writes a working copy, and its bundle; answers its new `updatedAt`. */
export async function storeDraft(tx: TransactionSql, graphicId: string, draft: MotionDraft): Promise<string> {
  const { stateMachine, files, manifest, motion } = draft
  const isEmpty = !files.some(({ name }) => name === MOTION_FILE)
  const before = manifest ? [...files, manifest] : files
  const assets = isEmpty ? files : revised(before, [...files, await storeManifest(tx, draft)])
  const bundleHash = isEmpty ? null : await storeBundle(tx, MOTION_FILE, assets)
  const [row] = await tx<{ updatedAt: string }[]>`
    update graphic_draft set state_machine = ${asJson(stateMachine)}::text::jsonb, assets = ${asJson(assets)}::text::jsonb,
      motion = ${asJson(motion)}::text::jsonb, bundle_hash = ${bundleHash}, updated_at = ${inLane(tx, 'draft', thisWrite(tx))}
    where graphic_id = ${graphicId} returning ${exactly(tx)} as "updatedAt"`
  if (!row) throw notFound()
  return row.updatedAt
}

const asJson = (value: unknown) => JSON.stringify(value)

/** Writes the file that tells the renderer of the state machine. */
async function storeManifest(tx: TransactionSql, { stateMachine, files }: MotionDraft) {
  const text = JSON.stringify(motionManifest(stateMachine, new Set(files.map(({ name }) => name))))
  const hash = digestOfText(text)
  await tx`
    insert into generated_file (hash, text) values (${hash}, ${text})
    on conflict (hash) do update set stored_at = clock_timestamp()`
  return { name: MANIFEST, mime: 'application/json', size: Buffer.byteLength(text), hash }
}

/** The files of the bundle that stand for assets of the motion file, with the facts of their pictures. */
export const uploadedIn = (files: readonly Asset[], { assets }: Pick<StoredStateMachine, 'assets'>): Uploaded[] =>
  files.map(({ name, size, hash }) => {
    const { width, height } = assets.find(({ metadata }) => metadata?.storageKey === name)?.metadata ?? {}
    return { name, size, hash, ...(width !== undefined && { width }), ...(height !== undefined && { height }) }
  })

type Written = z.output<typeof MotionWrite>
type Change = { stateMachine: StoredStateMachine; motion?: Motion; entityId: string | null }
type Command = {
  type: string
  /** As the journal keeps it. */
  asked: object
  ifUnchangedSince: string | undefined
  /** Whether the entity that the path names is there. */
  names?(stateMachine: StoredStateMachine): boolean
}

/** Changes one part of a working copy. Throws notFound, targetChanged, and errors of `change`. spec: Motion graphics 25 */
export function changeDraft(
  ctx: RecordContext,
  path: GraphicPath,
  { type, asked, ifUnchangedSince, names = () => true }: Command,
  change: (draft: MotionDraft) => Change,
): Promise<Written> {
  const { graphicId } = path
  return ctx.db.write(ctx, { ref: graphicRef(graphicId), type, asked }, async (tx) => {
    const row = await readDraft(ctx, tx, path, ifUnchangedSince)
    if (!row) throw notFound()
    const draft = draftOf(row)
    if (!names(draft.stateMachine)) throw notFound()
    if (!row.unchanged) throw targetChanged()
    const { entityId, ...parts } = change(draft)
    const { stateMachine } = parts
    const updatedAt = await storeDraft(tx, graphicId, { ...draft, ...parts })
    return {
      result: { updatedAt, entityId, stateMachine: { version: draft.version, ...stateMachine } },
      events: [{ type: 'graphic.updated', graphicId, change: type, entityId }],
    }
  })
}
