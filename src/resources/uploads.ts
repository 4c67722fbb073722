import { createHash, randomBytes } from 'node:crypto'
import type { ISql, TransactionSql } from 'postgres'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { invalid, notFound } from '../errors.ts'
import { Id, Timestamp, text } from '../schema/fields.ts'

const EXPIRES_AFTER_SECONDS = 900

/** A file that its sender is about to put; a route narrows type and size to those that it takes. */
export const UploadCreation = z.object({
  filename: text(1, 255).optional(),
  contentType: z.string(),
  size: z.int32().min(1),
  sha256: z
    .string()
    .length(64)
    .regex(/^[0-9a-f]{64}$/, { error: '64 lower-case hexadecimal digits' }),
})
type Declared = z.output<typeof UploadCreation>

export const UploadHeaders = z
  .object({ 'content-type': z.string(), 'x-cloud-checksum-sha256': z.string() })
  .meta({ id: 'UploadHeaders', description: 'Headers that the request must have' })

/** Where and how to send the bytes, once. The address is all that it takes: no API key. */
export const Upload = z
  .object({
    uploadId: Id,
    url: z.string().meta({
      description:
        'PUT the bytes here with these headers, once, without an API key. Answers 200; 400 to other bytes or headers and 413 to ' +
        'more bytes, after which the right ones may follow; 409 when it has its bytes; 410 when it has expired.',
    }),
    method: z.literal('PUT'),
    headers: UploadHeaders,
    expiresAt: Timestamp,
  })
  .meta({ id: 'Upload' })

/** The token of an upload's address, as it is stored. */
export const hashUploadToken = (token: string) => createHash('sha256').update(token).digest()

export const newToken = () => randomBytes(32).toString('base64url')

export const addressOf = ({ publicUrl }: Pick<Context, 'publicUrl'>, token: string) =>
  `${publicUrl}/rest/v1/uploads/${token}`

export const uploadHeaders = ({ contentType, sha256 }: { contentType: string; sha256: string }) => ({
  'content-type': contentType,
  'x-cloud-checksum-sha256': sha256,
})

/** Opens an upload for 15 minutes; `owner` is the ref of the record that the file is for: `team/5`. */
export async function openUpload(
  ctx: Pick<Context, 'organizationId' | 'publicUrl'>,
  tx: TransactionSql,
  owner: string,
  { contentType, size, sha256 }: Declared,
): Promise<z.output<typeof Upload>> {
  const token = newToken()
  const [row] = await tx<{ id: number; expiresAt: Date }[]>`
    insert into upload (organization_id, owner, token_hash, content_type, size, sha256, expires_at)
    values (${ctx.organizationId}, ${owner}, ${hashUploadToken(token)}, ${contentType}, ${size}, ${sha256},
      clock_timestamp() + make_interval(secs => ${EXPIRES_AFTER_SECONDS}))
    returning id, expires_at as "expiresAt"`
  if (!row) throw new Error('an insert returned no row')
  return {
    uploadId: row.id,
    url: addressOf(ctx, token),
    method: 'PUT',
    headers: uploadHeaders({ contentType, sha256 }),
    expiresAt: row.expiresAt.toISOString(),
  }
}

type Received = { sha256: string; contentType: string }

/**
 * Uses up an upload that has its bytes. Throws notFound when there is none of this owner, and invalid, naming
 * `body.uploadId`, when it was used already or its bytes are not there.
 */
export async function takeUpload(
  ctx: Pick<Context, 'organizationId'>,
  tx: TransactionSql,
  owner: string,
  uploadId: number,
): Promise<Received> {
  await tx`
    select from upload where id = ${uploadId} and organization_id = ${ctx.organizationId} and owner = ${owner} for update`
  const received = await receivedUpload(ctx, tx, owner, uploadId)
  await tx`update upload set state = 'used' where id = ${uploadId}`
  return received
}

/** What an upload has received, which may be used up later. Throws as `takeUpload`. */
export async function receivedUpload(
  ctx: Pick<Context, 'organizationId'>,
  sql: ISql,
  owner: string,
  uploadId: number,
): Promise<Received> {
  const [row] = await sql<(Received & { state: string; expired: boolean })[]>`
    select sha256, content_type as "contentType", state, expires_at <= clock_timestamp() as expired from upload
    where id = ${uploadId} and organization_id = ${ctx.organizationId} and owner = ${owner}`
  if (!row) throw notFound()
  const { state, expired, ...received } = row
  if (state !== 'received') {
    const why = state === 'used' ? 'was used already' : expired ? 'has expired' : 'has not received its bytes'
    throw invalid({ 'body.uploadId': { message: why, value: uploadId } })
  }
  return received
}
