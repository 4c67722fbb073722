import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import type { RecordContext } from '../../context.ts'
import { invalid } from '../../errors.ts'
import { openUpload, takeUpload, type Upload } from '../uploads.ts'
import { getClub } from './clubs.queries.ts'
import type { Club } from './clubs.schema.ts'
import type { LogoUploadCreation } from './logo.schema.ts'
import { getTeam } from './queries.ts'
import type { Team } from './schema.ts'

/** A record with a logo: how to read it, which throws unless it is the organization's. */
type Owner<Shape> = {
  kind: 'team' | 'club'
  get(ctx: RecordContext, id: number, tx: TransactionSql): Promise<Shape>
}
const team: Owner<z.output<typeof Team>> = { kind: 'team', get: getTeam }
const club: Owner<z.output<typeof Club>> = { kind: 'club', get: getClub }

/** spec: Teams 4 */
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

/** Sets the logo from an upload, which is used up; teams of a club that have none of their own show it too. spec: Teams 3 */
const set =
  <Shape>({ kind, get }: Owner<Shape>) =>
  (ctx: RecordContext, id: number, asked: { uploadId: number }): Promise<Shape> => {
    const ref = `${kind}/${id}`
    return ctx.db.write(ctx, { ref, type: 'setLogo', asked }, async (tx) => {
      await get(ctx, id, tx)
      const { sha256, contentType } = await takeUpload(ctx, tx, ref, asked.uploadId)
      const [image] = await tx`select from image where hash = ${sha256} and content_type = ${contentType}`
      if (!image)
        throw invalid({ 'body.uploadId': { message: `its bytes are no ${contentType}`, value: asked.uploadId } })
      await tx`update ${tx(kind)} set logo_blob = ${sha256}, updated_at = clock_timestamp() where id = ${id}`
      const event = `${kind}.logoSet`
      return {
        result: await get(ctx, id, tx),
        events: [{ type: event, [`${kind}Id`]: id, hash: sha256 }],
        outbox: [{ kind: 'reaction', payload: { event, ref } }],
      }
    })
  }

/** Takes the logo away; a team has its club's then. spec: Teams 4 */
const remove =
  <Shape>({ kind, get }: Owner<Shape>) =>
  (ctx: RecordContext, id: number): Promise<Shape> => {
    const ref = `${kind}/${id}`
    return ctx.db.write(ctx, { ref, type: 'removeLogo' }, async (tx) => {
      const before = await get(ctx, id, tx)
      const removed = await tx`
        update ${tx(kind)} set logo_blob = null, updated_at = clock_timestamp()
        where id = ${id} and logo_blob is not null returning id`
      if (removed.length === 0) return { result: before, events: [] }
      const event = `${kind}.logoRemoved`
      return {
        result: await get(ctx, id, tx),
        events: [{ type: event, [`${kind}Id`]: id }],
        outbox: [{ kind: 'reaction', payload: { event, ref } }],
      }
    })
  }

export const teamLogo = { open: open(team), set: set(team), remove: remove(team) }
export const clubLogo = { open: open(club), set: set(club), remove: remove(club) }
