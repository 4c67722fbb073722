import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import type { RecordContext } from '../context.ts'
import { invalid } from '../errors.ts'
import type { LogoUploadCreation } from './teams/logo.schema.ts'
import { openUpload, takeUpload, type Upload } from './uploads.ts'

/** A record with a logo. */
type Owner<Shape> = {
  kind: 'team' | 'club' | 'brand'
  /** Throws unless it is the organization's. */
  get(ctx: RecordContext, id: number, tx: TransactionSql): Promise<Shape>
  /** Within the transaction of a logo that was set or removed, and after it. */
  changed?: { within(ctx: RecordContext, tx: TransactionSql): Promise<void>; after(ctx: RecordContext): void }
}

/** Opens uploads for logos of records of one kind, sets the logo from one, takes it away. spec: Teams 3, 4 */
export const logosOf = <Shape>(owner: Owner<Shape>) => ({ open: open(owner), set: set(owner), remove: remove(owner) })

const open =
  <Shape>({ kind, get }: Owner<Shape>) =>
  (ctx: RecordContext, id: number, asked: z.output<typeof LogoUploadCreation>): Promise<z.output<typeof Upload>> => {
    const ref = `${kind}/${id}`
    return ctx.db.write(ctx, { ref, type: 'openLogoUpload', asked }, async (tx) => {
      await get(ctx, id, tx)
      const result = await openUpload(ctx, tx, ref, asked)
      return { result, events: [{ type: `${kind}.logoUploadOpened`, [`${kind}Id`]: id, uploadId: result.uploadId }] }
    })
  }

/** The upload is used up. */
const set =
  <Shape>(owner: Owner<Shape>) =>
  (ctx: RecordContext, id: number, asked: { uploadId: number }): Promise<Shape> => {
    const { kind, get } = owner
    const ref = `${kind}/${id}`
    const written = ctx.db.write(ctx, { ref, type: 'setLogo', asked }, async (tx) => {
      await get(ctx, id, tx)
      const { sha256, contentType } = await takeUpload(ctx, tx, ref, asked.uploadId)
      const [image] = await tx`select from image where hash = ${sha256} and content_type = ${contentType}`
      if (!image)
        throw invalid({ 'body.uploadId': { message: `its bytes are no ${contentType}`, value: asked.uploadId } })
      await tx`update ${tx(kind)} set logo_blob = ${sha256}, updated_at = clock_timestamp() where id = ${id}`
      return told(owner, { ctx, id, tx }, { type: `${kind}.logoSet`, [`${kind}Id`]: id, hash: sha256 })
    })
    return written.finally(() => owner.changed?.after(ctx))
  }

const remove =
  <Shape>(owner: Owner<Shape>) =>
  (ctx: RecordContext, id: number): Promise<Shape> => {
    const { kind, get } = owner
    const written = ctx.db.write(ctx, { ref: `${kind}/${id}`, type: 'removeLogo' }, async (tx) => {
      const before = await get(ctx, id, tx)
      const removed = await tx`
        update ${tx(kind)} set logo_blob = null, updated_at = clock_timestamp()
        where id = ${id} and logo_blob is not null returning id`
      if (removed.length === 0) return { result: before, events: [] }
      return told(owner, { ctx, id, tx }, { type: `${kind}.logoRemoved`, [`${kind}Id`]: id })
    })
    return written.finally(() => owner.changed?.after(ctx))
  }

async function told<Shape>(
  { kind, get, changed }: Owner<Shape>,
  { ctx, id, tx }: { ctx: RecordContext; id: number; tx: TransactionSql },
  event: { type: string; [member: string]: unknown },
) {
  await changed?.within(ctx, tx)
  return {
    result: await get(ctx, id, tx),
    events: [event],
    outbox: [{ kind: 'reaction' as const, payload: { event: event.type, ref: `${kind}/${id}` } }],
  }
}
