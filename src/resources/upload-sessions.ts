import { randomUUID } from 'node:crypto'
import type { TransactionSql } from 'postgres'
import type { Context } from '../context.ts'
import { addressOf, hashUploadToken, newToken } from './uploads.ts'

const EXPIRES_AFTER_SECONDS = 900

type Organization = Pick<Context, 'organizationId'>

/** One file of a session as it was declared. */
export type SessionFile = { name: string; contentType: string; size: number; sha256: string }
export type SessionFiles = readonly (SessionFile & { received: boolean })[]

/** Finds a session again: the ref that its files are for, the principal that asked, and the digest of the request. */
export type SessionKey = { owner: string; principal: string; digest: string }

/** The files of an open session of this owner, locked; undefined when there is none or it has expired. */
export async function findSession(
  { organizationId }: Organization,
  tx: TransactionSql,
  owner: string,
  id: string,
): Promise<SessionFiles | undefined> {
  const [session] = await tx`
    select from upload_session where id = ${id} and organization_id = ${organizationId} and owner = ${owner}
      and expires_at > clock_timestamp() for update`
  if (!session) return undefined
  return await tx<(SessionFile & { received: boolean })[]>`
    select name, content_type as "contentType", size, sha256, state = 'received' as received
    from upload where session_id = ${id}`
}

/** The id of the open session that was asked for in the same words by the same principal. */
export async function findSameSession(
  { organizationId }: Organization,
  tx: TransactionSql,
  { owner, principal, digest }: SessionKey,
): Promise<string | undefined> {
  const [session] = await tx<{ id: string }[]>`
    select id from upload_session
    where organization_id = ${organizationId} and owner = ${owner} and principal = ${principal} and digest = ${digest}
      and expires_at > clock_timestamp()
    order by created_at desc limit 1`
  return session?.id
}

/** Opens a session, or renews the one named, for 15 minutes. */
export async function openSession(
  { organizationId }: Organization,
  tx: TransactionSql,
  { owner, principal, digest }: SessionKey,
  id: string = randomUUID(),
): Promise<{ id: string; expiresAt: Date }> {
  const [session] = await tx<{ id: string; expiresAt: Date }[]>`
    insert into upload_session (id, organization_id, owner, principal, digest, expires_at)
    values (${id}, ${organizationId}, ${owner}, ${principal}, ${digest},
      clock_timestamp() + make_interval(secs => ${EXPIRES_AFTER_SECONDS}))
    on conflict (id) do update set digest = excluded.digest, expires_at = excluded.expires_at
    returning id, expires_at as "expiresAt"`
  if (!session) throw new Error('an insert returned no row')
  return session
}

/**
 * Opens an upload for each of these files, whose names differ, and closes every other that has not received its bytes.
 * Answers the new addresses by name; earlier ones of the same files end.
 */
export async function openSessionUploads(
  ctx: Pick<Context, 'organizationId' | 'publicUrl'>,
  tx: TransactionSql,
  session: { id: string; owner: string; expiresAt: Date },
  files: readonly SessionFile[],
): Promise<ReadonlyMap<string, string>> {
  const opened = files.map((file) => ({ ...file, token: newToken() }))
  const rows = opened.map(({ token, ...file }) => ({ ...file, tokenHash: hashUploadToken(token).toString('hex') }))
  await tx`
    delete from upload where session_id = ${session.id} and state = 'opened'
      and name not in (select f.name from json_to_recordset(${JSON.stringify(rows)}::text::json) as f(name text))`
  await tx`
    insert into upload (organization_id, owner, session_id, name, token_hash, content_type, size, sha256, expires_at)
    select ${ctx.organizationId}, ${session.owner}, ${session.id}, f.name, decode(f."tokenHash", 'hex'), f."contentType",
      f.size, f.sha256, ${session.expiresAt}
    from json_to_recordset(${JSON.stringify(rows)}::text::json)
      as f(name text, "tokenHash" text, "contentType" text, size integer, sha256 text)
    on conflict (session_id, name) do update set token_hash = excluded.token_hash, content_type = excluded.content_type,
      size = excluded.size, sha256 = excluded.sha256, state = 'opened', expires_at = excluded.expires_at`
  return new Map(opened.map(({ name, token }) => [name, addressOf(ctx, token)]))
}

/** Ends a session: its addresses are nobody's, and its id is unknown. */
export async function clearSession(tx: TransactionSql, id: string): Promise<void> {
  await tx`delete from upload_session where id = ${id}`
}
