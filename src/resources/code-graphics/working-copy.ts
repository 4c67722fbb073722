import { createHash } from 'node:crypto'
import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import { kindOf } from '../../catalog/graphic-kind.ts'
import type { RecordContext } from '../../context.ts'
import { notFound, targetChanged } from '../../errors.ts'
import { serviceMoment } from '../../waiting/service-time.ts'
import { deleteImports } from '../motion-graphics/imports.queries.ts'
import { asRead, checkTarget, type Lane } from '../target.ts'
import type { StateMachine } from './rules.ts'
import type { BundleFile, GraphicPath } from './schema.ts'

export type Asset = z.output<typeof BundleFile>
export type Draft = { name: string; version: number; stateMachine: StateMachine; assets: Asset[]; motion: unknown }

/** The ref of a graphic in the journal, and of files uploaded for it. */
export const graphicRef = (graphicId: string) => `graphic/${graphicId}`

/** The ref of the lock of a graphic. */
export const lockRef = (graphicId: string) => `graphic-lock/${graphicId}` as const

/** Deletes rows that belong to graphics by ref alone, before the graphics go: locks and upload sessions. */
export async function deleteByRef(tx: TransactionSql, graphicIds: readonly string[]): Promise<void> {
  const locks = graphicIds.map(lockRef)
  // the actors' rows first: this waits for a commit under way and fences every later one
  await tx`delete from actor where ref = any(${locks})`
  await tx`delete from timer where ref = any(${locks})`
  await tx`delete from upload_session where owner = any(${graphicIds.map(graphicRef)})`
  await deleteImports(tx, tx`graphic_id = any(${[...graphicIds]})`)
}

/** The digest that the journal keeps of a state machine, which may be large. */
export const digestOf = (value: unknown) => digestOfText(JSON.stringify(value))

/** SHA-256 in lower-case hexadecimal. */
export const digestOfText = (text: string) => createHash('sha256').update(text).digest('hex')

/** Locks the working copy for a write that aims at it. Throws notFound and targetChanged. spec: Optimistic concurrency */
export async function lockDraft(
  ctx: RecordContext,
  tx: TransactionSql,
  path: GraphicPath,
  ifUnchangedSince?: string,
): Promise<Draft> {
  return checkTarget(await readDraft(ctx, tx, path, ifUnchangedSince))
}

/**
 * Locks the theme and the working copy for a write that changes both. `ifUnchangedSince` may be that of either: each of these
 * writes moves both. Throws notFound and targetChanged.
 */
export async function lockThemeAndDraft(
  ctx: RecordContext,
  tx: TransactionSql,
  path: GraphicPath,
  ifUnchangedSince?: string,
): Promise<Draft> {
  const [theme] = await tx<{ unchanged: boolean }[]>`
    select ${asRead(tx, ifUnchangedSince, 'theme')} as unchanged from theme
    where id = ${path.themeId} and organization_id = ${ctx.organizationId} for update`
  const draft = await readDraft(ctx, tx, path, ifUnchangedSince, 'draft')
  if (!theme || !draft) throw notFound()
  if (!theme.unchanged && !draft.unchanged) throw targetChanged()
  return draft
}

/** The working copy, locked; undefined when there is none. `unchanged` says whether it is as the caller has read it. */
export async function readDraft(
  { organizationId }: RecordContext,
  tx: TransactionSql,
  { themeId, graphicId, kind = 'code' }: GraphicPath,
  ifUnchangedSince: string | undefined,
  lane?: Lane,
) {
  const [draft] = await tx<(Draft & { unchanged: boolean })[]>`
    select version, state_machine as "stateMachine", assets, motion, ${asRead(tx, ifUnchangedSince, lane)} as unchanged,
      (select name from graphic g where g.id = graphic_id) as name
    from graphic_draft
    where graphic_id = ${graphicId} and exists (
      select from graphic g join theme t on t.id = g.theme_id
      where g.id = graphic_id and ${kindOf(tx)} = ${kind} and t.id = ${themeId} and t.organization_id = ${organizationId})
    for update`
  return draft
}

/** The new files by name; the revision of a file rises when its bytes change. */
export function revised(
  before: readonly Asset[],
  files: readonly Pick<Asset, 'name' | 'mime' | 'size' | 'hash'>[],
): Asset[] {
  const held = new Map(before.map((asset) => [asset.name, asset]))
  const updatedAt = serviceMoment()
  return files
    .map(({ name, mime, size, hash }) => {
      const old = held.get(name)
      const same = old?.hash === hash
      return {
        name,
        mime,
        size,
        hash,
        version: same ? old.version : (old?.version ?? 0) + 1,
        updatedAt: same && old.mime === mime ? old.updatedAt : updatedAt,
      }
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

type Stored = Pick<Asset, 'name' | 'mime' | 'size' | 'hash'>

const served = (assets: readonly Stored[]) =>
  assets.map(({ name, mime, size, hash }) => ({ name, mime, size, blob: hash }))

/** The hash that names a file set: equal sets with the same entry are one bundle. */
export const bundleHashOf = (entry: string, assets: readonly Stored[]) => digestOf({ entry, files: served(assets) })

/** Stores the row that a file set is served by, and answers its hash. */
export async function storeBundle(tx: TransactionSql, entry: string, assets: readonly Stored[]): Promise<string> {
  const hash = bundleHashOf(entry, assets)
  await tx`
    insert into bundle (hash, entry, files) values (${hash}, ${entry}, ${tx.json(served(assets))})
    on conflict (hash) do update set stored_at = clock_timestamp()`
  return hash
}

/** A state machine as the driver takes JSON: its type knows no optional members, which JSON leaves out anyway. */
export const plain = (stateMachine: StateMachine) => stateMachine as Parameters<TransactionSql['json']>[0]
